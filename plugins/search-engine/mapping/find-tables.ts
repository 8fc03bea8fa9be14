import { DriverError, type FoundTable, type Table } from '@roundhouse/kit'
import type { Catalog } from './catalog.ts'
import { isSeveral } from './several.ts'

const mostFound = 20
/** What an index name may contain, and the marks of a pattern and of a list. */
const expression = /^[^\s/\\?"<>|#:]+$/

/**
 * Returns the aliases and data streams whose name contains a text, all of them for an empty one, and the text itself if it
 * is a pattern or a list of existing indices. Those with a date `@timestamp` in every index open with the newest documents
 * first.
 */
export async function findTables(
	catalog: Pick<Catalog, 'names' | 'sources' | 'timed'>,
	text: string,
	signal: AbortSignal,
): Promise<readonly FoundTable[]> {
	const wanted = text.trim().toLowerCase()
	const [names, sources] = await Promise.all([catalog.names(signal), orNone(catalog.sources(signal))])
	const matched = matchedBy(wanted, [...names, ...sources.map(({ name }) => name)])
	const areIndices = matched.every(name => names.includes(name))
	const [one, many] = areIndices ? ['index', 'indices'] : ['name', 'names']
	const detail = `${matched.length} ${matched.length === 1 ? one : many}`
	const pattern = { name: wanted, kind: wanted.includes('*') ? 'pattern' : 'list', detail, behind: matched }
	const named = sources
		.filter(({ name }) => name.includes(wanted.replaceAll('*', '')))
		.map(({ name, kind, indices }) => ({ name, kind, behind: kind === 'data stream' ? [name] : indices }))
	const found = [...(matched.length > 0 ? [pattern] : []), ...named].slice(0, mostFound)
	if (found.length === 0) return []
	// Every document of a data stream has the field.
	const timed = new Set(sources.flatMap(({ name, kind }) => (kind === 'data stream' ? [name] : [])))
	for (const name of await orNone(catalog.timed(signal))) timed.add(name)
	return found.map(({ behind, ...table }) => {
		const isTimed = behind.length > 0 && behind.every(name => timed.has(name))
		return { ...table, ...(isTimed && { sort: newestFirst }) }
	})
}

/** The list does not wait longer for the fields of thousands of indices, once it is there itself. */
const mostFieldsMs = 2_000

/**
 * Returns the indices in the list, with the newest documents first for those of a date `@timestamp`. The list is complete
 * without that if the credential may not see fields, or if they take long.
 */
export async function listTables(
	catalog: Pick<Catalog, 'tables' | 'timed'>,
	signal: AbortSignal,
): Promise<readonly Table[]> {
	const limit = new AbortController()
	// The list first: it drops what was read with the last one.
	const listing = catalog.tables(signal)
	const looking = orNone(catalog.timed(AbortSignal.any([signal, limit.signal]))).catch((error: unknown) => {
		if (limit.signal.aborted && !signal.aborted) return []
		throw error
	})
	// From here on: an engine that is slow with the list is as slow with the fields.
	const limited = listing.then(tables => {
		setTimeout(() => limit.abort(), mostFieldsMs).unref()
		return tables
	})
	const [tables, names] = await Promise.all([limited, looking])
	const timed = new Set(names)
	return tables.map(table => (timed.has(table.name) ? { ...table, sort: newestFirst } : table))
}

const newestFirst = [{ column: '@timestamp', direction: 'desc' }] as const

/** Returns the names that an expression with `*` or `,` stands for; none if it is no such expression. */
function matchedBy(text: string, names: readonly string[]): readonly string[] {
	if (!isSeveral(text) || !expression.test(text)) return []
	const parts = text.split(',').filter(part => part !== '' && !part.startsWith('-'))
	const patterns = parts.map(part => part.split('*'))
	return names.filter(name => patterns.some(pattern => fits(name, pattern)))
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
