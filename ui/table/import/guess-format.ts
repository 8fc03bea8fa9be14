import { withoutGuard } from '@roundhouse/kit/csv'
import type { ImportPlan } from '../../../host/api/api.ts'
import { parseTsv } from '../../cells/parse-tsv.ts'

export type FileFormat = ImportPlan['format']
export type Delimiter = Extract<FileFormat, { readonly format: 'csv' }>['delimiter']

export const delimiters: readonly (readonly [delimiter: Delimiter, label: string])[] = [
	[',', 'Comma'],
	[';', 'Semicolon'],
	['\t', 'Tab'],
	['|', 'Bar'],
]

/** Guesses how a file is read, by its name and its first characters. The user can choose another format. */
export function guessFormat(name: string, head: string): FileFormat {
	const text = head.replace(/^\ufeff/, '').trimStart()
	if (/\.(ndjson|jsonl)$/i.test(name)) return { format: 'ndjson' }
	if (/\.json$/i.test(name)) return { format: text.startsWith('{') ? 'ndjson' : 'json' }
	const [line = ''] = text.split('\n', 1)
	const found = delimiters.map(([delimiter]) => ({ delimiter, count: line.split(delimiter).length }))
	const [{ delimiter } = { delimiter: ',' as const }] = found.toSorted((one, other) => other.count - one.count)
	return { format: 'csv', delimiter, hasHeader: true, isGuarded: isGuarded(text, delimiter) }
}

/** Whether a text has formulas, and each of them behind `'`, as in an export for spreadsheets. */
function isGuarded(text: string, delimiter: Delimiter): boolean {
	// Names of columns such as `@timestamp` are not guarded.
	const fields = parseTsv(text, delimiter).slice(1).flat()
	return fields.some(field => withoutGuard(field) !== field) && !fields.some(field => formula.test(field))
}

/** Numbers, dates and intervals may have a sign. */
const formula = /^\s*(?:[=@]|[+-]\s*[\p{L}(](?!nf))/u
