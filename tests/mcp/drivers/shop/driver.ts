import {
	type Assessment,
	type Cell,
	type Change,
	type ChangeOutcome,
	type Connection,
	type ConsoleResult,
	DriverError,
	defineDriver,
	encode,
	encodeWithRaw,
	type Filter,
	faultOf,
	fromCell,
	isDriverError,
	parameterPlaces,
	type Row,
	type RowExport,
	type RunOptions,
	type Statement,
	type StatementExportOptions,
	stringifyJson,
	type Table,
} from '@roundhouse/kit'
import { exportRows } from '../export-rows.ts'
import { define, definedColumns, definedTables, readTableForm, tableStatements } from './definitions.ts'
import { changedBy, effectOf } from './effects.ts'
import { applied, firstRows, imported, type Rows, rowsOf, shapes } from './tables.ts'

/**
 * A small relational engine in memory: levels, a view, choices, defaults, references, sessions with a transaction. A
 * statement is a line: `read TABLE`, `pay ID`, `enter ID`, `order ID`, `ship ID`, `remove ID`, `both`, `begin`, `commit`, `rollback`, `sessions`, `echo VALUE`, `label`,
 * `define DEFINITION` and `label TEXT`, which sets what `label` shows. A place `{{name}}` stands for an argument.
 */

const readOnly = 'A view takes no changes.'
const tables: readonly Table[] = [
	{ name: 'shop.public.customers', title: 'customers', path: ['shop', 'public'], rowCount: 1 },
	{ name: 'shop.public.orders', title: 'orders', path: ['shop', 'public'], rowCount: 2, isRowCountEstimated: true },
	{
		name: 'shop.public.totals',
		title: 'totals',
		path: ['shop', 'public'],
		kind: 'view',
		cannot: { insert: readOnly, update: readOnly, delete: readOnly },
	},
]

const readers = new Set(['read', 'both', 'sessions', 'echo', 'label'])
const isRead = ({ text }: Pick<Statement, 'text'>) => readers.has(text.split(' ')[0] ?? '')

let stored: Rows = firstRows
let openSessions = 0

function shapeOf(table: string) {
	const columns = definedColumns(table)
	const shape = columns ? { columns } : shapes[table]
	if (!shape) throw new DriverError('not_found', `There is no table ${table}.`)
	return shape
}

interface Read {
	readonly table: string
	readonly rows: Rows
	readonly maxRows: number
}

function result({ table, rows, maxRows }: Read, others: Partial<ConsoleResult> = {}): ConsoleResult {
	const { columns } = shapeOf(table)
	const found = rowsOf(rows, table).map(({ cells }) => cells)
	const body = {
		view: 'rows',
		columns,
		rows: found.slice(0, maxRows),
		isTruncated: found.length > maxRows,
	} as const
	return { status: 'READ', tookMs: 1, notices: [], body, ...others }
}

const done = (status: string, others: Partial<ConsoleResult> = {}): ConsoleResult => {
	return { status, tookMs: 1, notices: [], body: { view: 'text', text: '' }, ...others }
}

/** Returns the verb and the argument. The value of a place is one argument, whatever it contains. */
function partsOf({ text, parameters = {} }: Pick<Statement, 'text' | 'parameters'>): readonly [string, Cell] {
	const [verb = '', typed = ''] = text.split(/\s+/)
	const name = parameterPlaces(typed)[0]?.name
	return [verb, name === undefined ? typed : (parameters[name] ?? null)]
}

/** Runs statements on separate rows while a transaction is open, else on the stored ones. */
class Runner {
	#own: Rows | undefined
	#hasFailed = false
	#label = ''

	transaction(): ConsoleResult['transaction'] | undefined {
		if (this.#own === undefined) return undefined
		return this.#hasFailed ? 'failed' : 'open'
	}

	run(statement: Statement, { maxRows }: Pick<RunOptions, 'maxRows'>): ConsoleResult {
		const { text } = statement
		const [verb, value] = partsOf(statement)
		const argument = String(value)
		if (this.#hasFailed && verb !== 'rollback') throw new DriverError('query_failed', 'The transaction has failed.')
		const rows = this.#own ?? stored
		if (verb === 'begin') this.#own = stored
		if (verb === 'commit') stored = rows
		if (verb === 'commit' || verb === 'rollback') this.#own = undefined
		if (verb === 'rollback') this.#hasFailed = false
		if (verb === 'define') {
			define(argument)
			return done('DEFINE')
		}
		if (verb === 'sessions') return done(String(openSessions))
		if (verb === 'label') {
			this.#label = argument || this.#label
			return done(this.#label)
		}
		if (verb === 'echo') {
			const [column] = shapeOf('shop.public.totals').columns
			return done('ECHO', {
				body: { view: 'rows', columns: column ? [column] : [], rows: [[value]], isTruncated: false },
			})
		}
		if (verb === 'read') return result({ table: argument, rows, maxRows })
		if (verb === 'pay') return this.#pay(rows, text, argument)
		const changed = changedBy(rows, verb, argument)
		if (changed) return this.#keep(changed, verb)
		if (verb === 'both') {
			const { status, notices, body } = result({ table: 'shop.public.customers', rows, maxRows })
			return result({ table: 'shop.public.orders', rows, maxRows }, { more: [{ status, notices, body }] })
		}
		if (['begin', 'commit', 'rollback'].includes(verb)) return done(verb.toUpperCase())
		throw new DriverError('query_failed', `unknown verb ${verb}`, { at: 0, hint: 'Try read.', engineCode: '42601' })
	}

	#pay(rows: Rows, text: string, id: string): ConsoleResult {
		const change = { kind: 'update', rowId: id, set: { state: 'paid' } } as const
		const paid = applied(rows, 'shop.public.orders', change).rows
		if (!paid) {
			this.#hasFailed = this.#own !== undefined
			const details = { at: text.indexOf(id), hint: 'Read the orders first.', engineCode: '02000' }
			throw new DriverError('query_failed', `there is no order ${id}`, details)
		}
		return this.#keep(paid, 'pay')
	}

	#keep(rows: Rows, verb: string): ConsoleResult {
		if (this.#own === undefined) stored = rows
		else this.#own = rows
		return done(verb.toUpperCase(), { affected: 1 })
	}

	/** Runs a statement in a transaction, returns what it did, and rolls it back. */
	assess(statement: Statement): Assessment {
		if (this.#own !== undefined) return { unrehearsed: 'A transaction is open.' }
		this.#own = stored
		try {
			this.run(statement, { maxRows: 1 })
			return { effect: effectOf(stored, this.#own) }
		} catch (error) {
			if (!isDriverError(error)) throw error
			return { fault: faultOf(error) }
		} finally {
			this.#own = undefined
			this.#hasFailed = false
		}
	}
}

/** Exports the rows that a statement reads. */
function exportStatement(runner: Runner, statement: Statement, options: StatementExportOptions): RowExport {
	if (!isRead(statement)) throw new DriverError('denied', 'Only a statement that reads can be exported.')
	const { body } = runner.run(statement, { maxRows: Number.POSITIVE_INFINITY })
	if (body.view !== 'rows') throw new DriverError('unsupported', 'This statement returns no rows.')
	const rows = body.rows.map((cells, at) => ({ id: String(at), cells }))
	return exportRows({ columns: body.columns, rows }, options)
}

/** The shop knows one filter: equals. */
function matches(table: string, { cells }: Row, { column, operator, values }: Filter): boolean {
	if (operator !== 'equals') throw new DriverError('unsupported', 'The shop only compares for equality.')
	return String(cells[shapeOf(table).columns.findIndex(({ name }) => name === column)]) === values[0]
}

/** Applies all changes or none. */
function together(table: string, changes: readonly Change[]): readonly ChangeOutcome[] {
	let rows = stored
	const outcomes: ChangeOutcome[] = []
	for (const change of changes) {
		const next = applied(rows, table, change)
		if (!next.rows)
			return changes.map((_, place) => (place === outcomes.length ? next.outcome : { status: 'not_sent' }))
		rows = next.rows
		outcomes.push(next.outcome)
	}
	stored = rows
	return outcomes
}

function connection(): Connection {
	return {
		info: () => ({ product: 'Shop', version: '1.0.0', notices: [] }),
		listTables: async () => [...tables, ...definedTables()],
		readTableForm,
		tableStatements,
		findColumns: async text =>
			Object.entries(shapes).flatMap(([table, { columns }]) =>
				columns.filter(({ name }) => name.includes(text)).map(({ name, type }) => ({ table, name, type })),
			),
		describeTable: async table => ({ name: table, ...shapeOf(table) }),
		openGrid: async ({ table, filters, sort, after, givesPositions }) => ({
			page: async ({ offset, limit }) => {
				if (sort.length > 0) throw new DriverError('unsupported', 'The shop has few rows.')
				const all = rowsOf(stored, table).filter(row => filters.every(filter => matches(table, row, filter)))
				const total = { value: all.length, isExact: true }
				const isBefore = ({ id }: { readonly id: string }) => after !== undefined && id <= after.position
				const start = after ? offset - after.offset + all.filter(isBefore).length : offset
				const rows = all.slice(start, start + limit).map(row => (givesPositions ? { ...row, position: row.id } : row))
				return encode({
					...shapeOf(table),
					rows,
					total,
					tookMs: 1,
					notices: [],
				})
			},
			close: async () => {},
		}),
		explain: async () => ({
			wasRun: true,
			tookMs: 3,
			steps: [
				{ name: 'Sort', depth: 0, share: 1, rows: 2, estimatedRows: 40 },
				{ name: 'Scan', detail: 'shop.public.orders', depth: 1, share: 0.4, rows: 2, estimatedRows: 2 },
			],
			notices: [],
		}),
		countRows: async ({ table }) => {
			shapeOf(table)
			return { value: rowsOf(stored, table).length, isExact: true }
		},
		openExport: async ({ table }, options) => {
			const insert = (row: string) => `INSERT INTO ${table} VALUES ${row};\n`
			return exportRows({ ...shapeOf(table), rows: rowsOf(stored, table), formats: { sql: insert } }, options)
		},
		openImport: async (table, { columns, onConflict }) => {
			shapeOf(table)
			let rows = stored
			return {
				write: async written =>
					written.map(cells => {
						const given = columns.map((name, at) => [name, cells[at] ?? null] as const)
						const values = Object.fromEntries(given.filter(([, cell]) => fromCell(cell) !== undefined))
						const next = imported(rows, table, { values, onConflict })
						rows = next.rows ?? rows
						return next.outcome
					}),
				finish: async () => {
					stored = rows
				},
				abort: async () => {},
			}
		},
		readRow: async (table, id) => {
			const values = stored[table]?.get(id)
			if (!values) throw new DriverError('not_found', `There is no row ${id}.`)
			const text = stringifyJson(values)
			return encodeWithRaw({ id, version: text, meta: {}, insertAgain: {}, raw: Buffer.from(text) })
		},
		previewChanges: async (table, changes) => {
			if (table.endsWith('totals')) throw new DriverError('unsupported', readOnly)
			return changes.map(({ kind }) => `${kind} ${table}`)
		},
		applyChanges: async (table, changes) => together(table, changes),
		console: {
			analyse: text =>
				[...text.matchAll(/[^\n]+/g)].flatMap(({ 0: line, index }) => {
					const statement = line.trim()
					if (statement === '') return []
					const start = index + line.indexOf(statement)
					const access = isRead({ text: statement }) ? 'read' : 'write'
					return [{ start, end: start + statement.length, summary: statement.slice(0, 1000), access }]
				}),
			run: async (statement, options) => {
				const [verb = ''] = statement.text.split(' ')
				if (['begin', 'commit', 'rollback'].includes(verb)) {
					throw new DriverError('unsupported', 'A transaction needs a separate session.')
				}
				return encode(new Runner().run(statement, options))
			},
			openExport: async (statement, options) => exportStatement(new Runner(), statement, options),
		},
		openSession: async () => {
			openSessions++
			const runner = new Runner()
			return {
				run: async (statement, options) => runner.run(statement, options),
				openExport: async (statement, options) => exportStatement(runner, statement, options),
				assess: async statement => runner.assess(statement),
				transaction: () => runner.transaction(),
				close: async () => {
					openSessions--
				},
			}
		},
		close: async () => {},
	}
}

export default defineDriver({ connect: async () => connection() })
