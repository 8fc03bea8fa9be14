import { DriverError, type RowExport, type Statement, type StatementExportOptions } from '@roundhouse/kit'
import { withGuard } from '@roundhouse/kit/csv'
import { ChunkedExport } from '@roundhouse/sql'
import { copyTo } from '../data/export.ts'
import { isGuardable, jsonColumn } from '../data/export-plan.ts'
import { csvHeader, csvRow } from '../data/rows/csv-row.ts'
import { jsonRow } from '../data/rows/json-row.ts'
import { bytesIn } from '../grid/cells.ts'
import type { Query, Session, TextRow } from '../wire/session.ts'
import { placed } from './analyse.ts'
import type { Tree } from './parser.ts'
import type { ResultTypes } from './result-types.ts'
import { queryOf } from './run.ts'

interface Exported {
	readonly statement: Statement
	readonly options: StatementExportOptions
	readonly types: ResultTypes
	readonly tree: Tree | undefined
	/** See `Analysed`. */
	readonly guard?: Query | undefined
	/** Called at the end of the export. */
	readonly release: () => void
}

type Columns = ReturnType<ResultTypes['columns']>

/**
 * Exports all rows of a statement that reads. The server refuses every write. COPY would be faster, but takes no values
 * apart from the text, and would make the statement a part of another one.
 * @throws DriverError
 */
export async function exportStatement(
	session: Session,
	{ statement, options, types, tree, guard, release }: Exported,
	signal: AbortSignal,
): Promise<RowExport> {
	if (session.transaction === 'failed')
		throw new DriverError('query_failed', 'The transaction has failed. Roll it back, then export.')
	const query = queryOf(statement, tree && { tree })
	const described = await placed(statement.text, () =>
		session.readAll([], signal, { path: 'user', guard, described: query }),
	)
	const fields = described.at(-1)?.fields ?? []
	if (fields.length === 0) throw new DriverError('unsupported', 'This statement returns no rows to export.')
	await types.read(session, fields, signal)
	const columns = types.columns(fields)
	const isCsv = options.format === 'csv'
	const isGuarded = options.guardFormulas === true
	const textsOf = columns.map(column => (isCsv ? csvText(column, isGuarded) : jsonText(column)))
	const writer = isCsv ? csvRow(columns) : jsonRow(columns.map(jsonColumn))
	return new ChunkedExport({
		header: isCsv
			? csvHeader(
					columns.map(({ name }) => name),
					isGuarded,
				)
			: '',
		isArray: options.format === 'json',
		send: (to, during) => {
			const onRow = copyTo(to, writer)
			const onValues = (values: TextRow) => {
				const bytes = copyRow(values.map((text, at) => (text === null ? null : (textsOf[at]?.(text) ?? text))))
				onRow(bytes, 0, bytes.length)
			}
			return session.readEach(query, onValues, during, { path: 'user', guard })
		},
		pause: () => session.pause(),
		resume: () => session.resume(),
		release,
	})
}

/** Returns a row in the text format of COPY. */
const copyRow = (values: TextRow): Buffer =>
	Buffer.from(`${values.map(text => (text === null ? '\\N' : escaped(text))).join('\t')}\n`)

const letters: Readonly<Record<string, string>> = { '\b': 'b', '\t': 't', '\n': 'n', '\v': 'v', '\f': 'f', '\r': 'r' }
const escaped = (text: string) => text.replace(/[\b\t\n\v\f\r\\]/g, character => `\\${letters[character] ?? character}`)

/** The same texts as in the export of a table. */
function csvText(column: Columns[number], isGuarded: boolean): ((text: string) => string) | undefined {
	const { kind } = column
	if (kind === 'boolean') return text => String(text === 't')
	// As in the export of a table, whatever the session has set.
	if (kind === 'binary') return text => `\\x${bytesIn(text).toString('hex')}`
	if (!isGuarded || !isGuardable(column)) return undefined
	return withGuard
}

function jsonText({ kind, base }: Columns[number]): ((text: string) => string) | undefined {
	if (kind === 'binary') return text => bytesIn(text).toString('base64')
	// Line ends between the parts of a JSON text would end the line.
	return kind === 'json' && base !== 'jsonb' ? text => text.replace(/[\n\r]/g, ' ') : undefined
}
