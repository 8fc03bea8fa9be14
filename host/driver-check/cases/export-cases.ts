import { setTimeout as sleep } from 'node:timers/promises'
import {
	type Column,
	type ExportOptions,
	fromCell,
	type Json,
	parseJson,
	type ResultBody,
	type Statement,
	stringifyJson,
} from '@roundhouse/kit'
import { csvRecord } from '@roundhouse/kit/csv'
import type { ConnectionMethod, ConnectionParams, ResultOf } from '@roundhouse/kit/wire/methods'
import type { CallOptions } from '../../driver-runtime/driver-calls.ts'
import { DoesNotApply, type Report } from '../findings.ts'
import type { Lab } from '../lab.ts'
import { isEmpty, type Rows, readRows, scalarOf, stateOf, testTable, unfilteredQuery } from '../rows.ts'
import { openRelay } from './relay.ts'
import type { RunsOf } from './run.ts'
import { examplesOf, onlyStatement, quoted, run, statementsOf } from './statements.ts'

/** Rows as a file, compared with the rows of the grid. */

const cancelLimitMs = 1_000
const mostColumns = 3
/** So often a result is read again before a difference counts: two runs of a plan may take equally long. */
const steadyRuns = 5
/** Results with more rows are not compared. */
const mostRows = 1_000
/** Of text that is compared line by line. */
const fitsLine = /^.{0,60}$/u

export const exportCases: RunsOf<'export'> = {
	'export.grid': async (lab, report) => {
		const { table, rows, columns } = await exported(lab)
		// Without a sort, the order of the rows is free.
		compare(await csvOf(lab, { table, columns }), csvLines(rows, columns), report)
		const lines = await linesOf(lab, { table, options: { format: 'ndjson', columns: columns.map(({ name }) => name) } })
		const texts = lines.map(line => {
			const json = parseJson(line)
			return recordOf(columns.map(({ name }) => memberOf(json, name)))
		})
		compare(
			texts,
			rows.rows.map(row => recordOf(valuesOf(rows, columns, row))),
			report,
		)
	},
	'export.limit': async (lab, report) => {
		const { table, rows, columns } = await exported(lab)
		const limit = Math.ceil(rows.rows.length / 2)
		const known = new Set(csvLines(rows, columns))
		const lines = await csvOf(lab, { table, columns, limit })
		if (lines.length !== limit) report(place(table), `With the limit ${limit} it has ${lines.length} rows.`)
		const stray = lines.find(line => !known.has(line))
		if (stray !== undefined) report(place(table), `With a limit it has the row ${stray}, which the grid does not have.`)
	},
	'export.selection': async (lab, report) => {
		const { table, rows, columns } = await exported(lab)
		const selected = [rows.rows.at(-1), rows.rows[0]].filter(row => row !== undefined)
		const lines = await csvOf(lab, { table, columns, rowIds: selected.map(({ id }) => id) })
		const expected = csvLines({ ...rows, rows: selected }, columns)
		if (lines.join('\n') !== expected.join('\n'))
			report(place(table), `Of ${expected.length} selected rows it has other rows, or another order.`)
	},
	'export.statement': async (lab, report) => {
		const { takesParameters, canExport } = lab.subject.manifest.console
		if (!canExport) throw new DoesNotApply('The manifest has no canExport.')
		const examples = examplesOf(lab)
		for (const { text } of examples.filter(({ access }) => access === 'read'))
			await compareStatement(lab, await onlyStatement(lab, text), report)
		const { parameters: example } = statementsOf(lab)
		if (takesParameters && example) {
			const parameters = { [example.name]: hostileValue }
			await compareStatement(lab, { ...(await onlyStatement(lab, example.text)), parameters }, report)
		}
		const before = await stateOf(lab)
		for (const { text } of examples.filter(({ access }) => access !== 'read')) {
			const statement: Statement = { ...(await onlyStatement(lab, text)), access: 'read' }
			const refused = await lab.refusal(() => statementLines(lab, statement))
			if (refused?.code !== 'denied')
				report(placeOf(statement), `A write fails with ${refused?.code ?? 'nothing'}, not with denied.`)
		}
		if ((await stateOf(lab)) !== before) report('openStatementExport', 'The export of a write has changed data.')
	},
	'export.cancelled': async (lab, report) => {
		const { table } = await exported(lab)
		const query = unfilteredQuery(table)
		const number = await lab.call('openExport', { query, options: { format: 'ndjson' } })
		const abort = new AbortController()
		const reading = lab.refusal(() => lab.call('readExport', { export: number }, { signal: abort.signal }))
		// The call must reach the driver before it is cancelled.
		await sleep(10)
		const abortedAt = performance.now()
		abort.abort()
		const refused = await reading
		await lab.call('closeExport', { export: number })
		const tookMs = Math.round(performance.now() - abortedAt)
		if (tookMs > cancelLimitMs) report(place(table), `It ended ${tookMs} ms after it was cancelled.`)
		if (refused && refused.code !== 'user_cancelled')
			report(place(table), `A cancelled export fails with ${refused.code}, not with user_cancelled.`)
		await linesOf(lab, { table, options: { format: 'ndjson' } })
	},
	'export.cut': async (lab, report) => {
		const { table, rows } = await exported(lab)
		await using relay = await openRelay(lab)
		relay.set('cut')
		const refused = await lab.refusal(async () => {
			const call: Caller = (method, params, options) => relay.session.call(method, params, options)
			const lines = await linesOf(lab, { table, options: { format: 'ndjson' }, call })
			if (lines.length < rows.rows.length)
				report(place(table), `Its connection was cut, and it ended without an error after ${lines.length} rows.`)
		})
		relay.set('pass')
		if (refused?.code === 'internal_failure') report(place(table), 'The driver failed unexpectedly.')
	},
}

const hostileValue = "'); drop table x --\n"
const placeOf = ({ text }: Statement) => `openStatementExport ${quoted(text)}`

/** Compares the rows of a statement with those of its result, if it has the same result each time. */
/** Compares the file of a statement with its result, unless its rows differ from run to run, as the times of a plan do. */
async function compareStatement(lab: Lab, statement: Statement, report: Report): Promise<void> {
	const result = await resultOf(lab, statement)
	if (!result || result.isTruncated) return
	const faults: Parameters<Report>[] = []
	await compareFile(lab, { statement, result }, (...fault) => faults.push(fault))
	if (faults.length === 0) return
	for (let run = 0; run < steadyRuns; run++) {
		const again = await resultOf(lab, statement)
		if (JSON.stringify(again?.rows) !== JSON.stringify(result.rows)) return
	}
	for (const fault of faults) report(...fault)
}

interface Ran {
	readonly statement: Statement
	readonly result: Extract<ResultBody, { readonly view: 'rows' }>
}

async function compareFile(lab: Lab, { statement, result }: Ran, report: Report): Promise<void> {
	const lines = await statementLines(lab, statement)
	const { columns, rows } = result
	if (lines.length !== rows.length)
		return report(placeOf(statement), `It has ${lines.length} rows, and the result has ${rows.length}.`)
	const isPlain = ({ kind }: Column, at: number) =>
		['text', 'number', 'boolean'].includes(kind) &&
		rows.every(row => isEmpty(row[at]) || scalarOf(row[at]) !== undefined)
	const chosen = columns.filter(isPlain)
	const exported = lines.map(line => {
		const json = parseJson(line)
		return recordOf(chosen.map(({ name }) => memberOf(json, name)))
	})
	const expected = rows.map(cells => recordOf(valuesOf({ columns }, chosen, { cells })))
	compare(exported, expected, report)
}

async function resultOf(lab: Lab, statement: Statement) {
	const { body } = await run(lab, statement, { maxRows: mostRows })
	return body.view === 'rows' ? body : undefined
}

const statementLines = async (lab: Lab, statement: Statement) =>
	readLines(lab.call.bind(lab), await lab.call('openStatementExport', { statement, options: { format: 'ndjson' } }))

const place = (table: string) => `openExport "${table}"`

type Caller = <M extends ConnectionMethod>(
	method: M,
	params: ConnectionParams<M>,
	options?: CallOptions,
) => Promise<ResultOf<M>>

/** The tried table, with the columns whose values every format shows in the same way. */
async function exported(lab: Lab) {
	const table = await testTable(lab)
	const rows = await readRows(lab, unfilteredQuery(table))
	if (!rows.isWhole) throw new DoesNotApply(`The table ${table} has more than ${rows.rows.length} rows.`)
	// A column that is computed for the grid, for example a score, is not part of the row.
	const isPlain = ({ name, kind, isKey, isReadOnly, isVolatile }: Column, at: number) =>
		(isKey || isReadOnly !== true) &&
		!isVolatile &&
		!name.includes('.') &&
		['text', 'number', 'boolean'].includes(kind) &&
		rows.rows.every(({ cells }) => {
			const value = scalarOf(cells[at])
			return isEmpty(cells[at]) || (value !== undefined && fitsLine.test(String(value)))
		})
	// The other way round than the grid, because the options say the order.
	const columns = rows.columns.filter(isPlain).slice(0, mostColumns).toReversed()
	if (columns.length === 0) throw new DoesNotApply(`No column of ${table} can be compared.`)
	return { table, rows, columns }
}

function valuesOf(
	{ columns }: Pick<Rows, 'columns'>,
	chosen: readonly Column[],
	{ cells }: Pick<Rows['rows'][number], 'cells'>,
) {
	return chosen.map(({ name }) => fromCell(cells[columns.findIndex(column => column.name === name)] ?? null))
}

const recordOf = (values: readonly (Json | undefined)[]) => stringifyJson(values.map(value => value ?? null))

const csvLines = (rows: Rows, columns: readonly Column[]) =>
	rows.rows.map(row => csvRecord(valuesOf(rows, columns, row), { guardFormulas: false }))

/** Exports CSV with the columns, and returns its records without the header. */
async function csvOf(
	lab: Lab,
	{
		table,
		columns,
		...options
	}: { readonly table: string; readonly columns: readonly Column[] } & Pick<ExportOptions, 'limit' | 'rowIds'>,
): Promise<readonly string[]> {
	const names = columns.map(({ name }) => name)
	const [header, ...lines] = await linesOf(lab, { table, options: { ...options, format: 'csv', columns: names } })
	if (header !== csvRecord(names, { guardFormulas: false }))
		throw new Error(`The header of the CSV is ${JSON.stringify(header)}.`)
	return lines
}

interface Exporting {
	readonly table: string
	readonly options: ExportOptions
	readonly call?: Caller
}

async function linesOf(lab: Lab, { table, options, call = lab.call.bind(lab) }: Exporting): Promise<readonly string[]> {
	return readLines(call, await call('openExport', { query: unfilteredQuery(table), options }))
}

async function readLines(call: Caller, number: number): Promise<readonly string[]> {
	const pieces: Uint8Array[] = []
	try {
		for (;;) {
			const piece = await call('readExport', { export: number })
			if (piece === null) break
			pieces.push(piece)
		}
	} finally {
		await call('closeExport', { export: number })
	}
	return Buffer.concat(pieces)
		.toString('utf8')
		.split(/\r?\n/)
		.filter(line => line !== '')
}

/** Returns the first member with a name, at any depth: a line of an export has the shape of the engine's document. */
function memberOf(json: Json | undefined, name: string): Json | undefined {
	if (typeof json !== 'object' || json === null) return undefined
	if (Object.hasOwn(json, name)) return (json as Readonly<Record<string, Json>>)[name]
	for (const inner of Object.values(json)) {
		const found = memberOf(inner, name)
		if (found !== undefined) return found
	}
	return undefined
}

function compare(lines: readonly string[], expected: readonly string[], report: Report): void {
	const [ours, theirs] = [expected, lines].map(texts => texts.toSorted())
	if (lines.length !== expected.length)
		return report('openExport', `It has ${lines.length} rows, and the grid has ${expected.length}.`)
	const at = theirs?.findIndex((line, index) => line !== ours?.[index]) ?? -1
	if (at >= 0) report('openExport', `It has the row ${theirs?.[at]}, but the grid has ${ours?.[at]}.`)
}
