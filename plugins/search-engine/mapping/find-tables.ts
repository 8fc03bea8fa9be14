import { DriverError, type FoundTable } from '@roundhouse/kit'
import type { Catalog } from './catalog.ts'

const mostFound = 20
/** What an index name may contain, and the marks of a pattern and of a list. */
const expression = /^[^\s/\\?"<>|#:]+$/

/**
 * Returns the aliases and data streams whose name contains a text, and the text itself if it is a pattern or a list of
 * existing indices.
 */
export async function findTables(
	catalog: Pick<Catalog, 'names' | 'sources'>,
	text: string,
	signal: AbortSignal,
): Promise<readonly FoundTable[]> {
	const wanted = text.trim().toLowerCase()
	if (wanted === '') return []
	const [names, sources] = await Promise.all([catalog.names(signal), orNone(catalog.sources(signal))])
	const matched = matchedBy(wanted, [...names, ...sources.map(({ name }) => name)])
	const pattern =
		matched > 0 ? [{ name: wanted, kind: kindOf(wanted), detail: matched === 1 ? '1 name' : `${matched} names` }] : []
	const named = sources.filter(({ name }) => name.includes(wanted.replaceAll('*', '')))
	return [...pattern, ...named].slice(0, mostFound)
}

const kindOf = (text: string) => (text.includes('*') ? 'pattern' : 'list')

/** Returns how many names an expression with `*` or `,` stands for; 0 if it is none. */
function matchedBy(text: string, names: readonly string[]): number {
	if (!/[*,]/.test(text) || !expression.test(text)) return 0
	const parts = text.split(',').filter(part => part !== '' && !part.startsWith('-'))
	const patterns = parts.map(part => part.split('*'))
	return names.filter(name => patterns.some(pattern => fits(name, pattern))).length
}

/** Whether a name consists of these pieces in order, with any text between them. Linear in the length of the name. */
function fits(name: string, [first = '', ...rest]: readonly string[]): boolean {
	if (rest.length === 0) return name === first
	if (!name.startsWith(first)) return false
	const last = rest.at(-1) ?? ''
	let at = first.length
	for (const piece of rest.slice(0, -1)) {
		const found = name.indexOf(piece, at)
		if (found < 0) return false
		at = found + piece.length
	}
	return name.length - last.length >= at && name.endsWith(last)
}

/** The list of indices is enough if the credential may not see aliases. */
async function orNone<T>(reading: Promise<readonly T[]>): Promise<readonly T[]> {
	try {
		return await reading
	} catch (error) {
		if (error instanceof DriverError) return []
		throw error
	}
}
