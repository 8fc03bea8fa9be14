import { type Cell, type Filter, fromCell, isDriverError, stringifyJson } from '@roundhouse/kit'
import { isDate, isStructured, isText } from '../mapping/field-type.ts'
import type { Mapping } from '../mapping/mapping.ts'

/** Returns frequent values of a column. @throws DriverError if it has none that can be counted */
export type CountTop = (filters: readonly Filter[], column: string, limit: number) => Promise<readonly Cell[]>

const mostValues = 15

/** Asks the engine for frequent values that begin with a word. A field without values to count has none to offer. */
export async function frequentValues(
	field: string,
	word: string,
	{ mapping, top }: { readonly mapping: Mapping; readonly top: CountTop },
): Promise<readonly string[]> {
	const type = mapping.fields.get(field)?.type
	if (type === undefined || isDate(type) || isStructured(type)) return []
	const hasPatterns = isText(type) || type === 'keyword' || type === 'wildcard'
	const filters: readonly Filter[] =
		word !== '' && hasPatterns ? [{ column: field, operator: 'starts_with', values: [word] }] : []
	try {
		const texts = (await top(filters, field, mostValues)).map(textOf)
		return texts.filter(text => text.toLowerCase().startsWith(word.toLowerCase()))
	} catch (error) {
		if (isDriverError(error)) return []
		throw error
	}
}

function textOf(cell: Cell): string {
	const value = fromCell(cell)
	return typeof value === 'string' ? value : stringifyJson(value ?? null)
}
