import { fromCell } from '@roundhouse/kit/cell'
import { stringifyJson } from '@roundhouse/kit/json'
import type {
	Cell,
	Change,
	ChangeOutcome,
	Column,
	Filter,
	GridPage,
	ParamsOf,
	Reference,
	ResultOf,
	Row,
	Sort,
	Table,
} from '../../host/api/api.ts'
import type { Answers } from './fake-host.ts'

/** Tables in memory, and the answers of a fake host about them. */

/** What a test says of a column. Its name is the member's name. */
export type ColumnDraft = Partial<Omit<Column, 'name'>>

interface TableDraft extends Omit<Partial<Table>, 'name' | 'rowCount'> {
	readonly columns: Readonly<Record<string, ColumnDraft>>
	/** Cells in the order of the columns. */
	readonly rows: readonly (readonly Cell[])[]
	readonly references?: readonly Reference[]
	readonly referrers?: readonly Reference[]
	readonly notices?: readonly string[]
	/** Returns a value as pages have it, for example cut. The whole row has the whole value. */
	readonly onPage?: (cell: Cell) => Cell
}

interface StoredRow {
	cells: Cell[]
	version: number
}

/** A table in memory. A test changes its rows directly, as another client would. */
export class FakeTable {
	readonly table: Table
	readonly columns: readonly Column[]
	readonly draft: TableDraft
	readonly #rows: StoredRow[]

	constructor(name: string, draft: TableDraft) {
		const { columns, rows, references: _, referrers: __, notices: ___, onPage: ____, ...listed } = draft
		this.draft = draft
		this.table = { ...listed, name, rowCount: rows.length }
		this.columns = columnsOf(columns)
		this.#rows = rows.map(cells => ({ cells: [...cells], version: 1 }))
	}

	get size(): number {
		return this.#rows.length
	}

	/** Returns the value of a cell, by the row's id. */
	value(id: string, column: string): Cell | undefined {
		return this.#find(id)?.cells[this.#at(column)]
	}

	/** Changes a cell as another client would: the row gets another version. */
	setValue(id: string, column: string, value: Cell): void {
		const row = this.#find(id)
		if (!row) throw new Error(`no row ${id}`)
		row.cells[this.#at(column)] = value
		row.version++
	}

	/** Deletes a row as another client would. */
	remove(id: string): void {
		const index = this.#rows.findIndex(row => this.#idOf(row.cells) === id)
		if (index >= 0) this.#rows.splice(index, 1)
	}

	/** Adds a row as another client would. */
	add(cells: readonly Cell[]): void {
		this.#rows.push({ cells: [...cells], version: 1 })
	}

	/** Returns the rows that fit, in order. */
	select({ filters = [], match = 'all', raw, sort = [] }: Partial<ParamsOf<'grid.open'>['query']>): readonly Row[] {
		const fits = (row: StoredRow) => {
			const tests = filters.map(filter => matches(filter, row.cells[this.#at(filter.column)] ?? null))
			const isFit = match === 'all' ? tests.every(Boolean) : tests.length === 0 || tests.some(Boolean)
			// The query language of the fake: a row fits if a cell contains the text.
			return isFit && (!raw || row.cells.some(cell => textOf(cell).includes(raw)))
		}
		const rows = this.#rows.filter(fits)
		rows.sort((one, other) => compareRows(one.cells, other.cells, sort, column => this.#at(column)))
		return rows.map(({ cells, version }) => ({ id: this.#idOf(cells), version: String(version), cells: [...cells] }))
	}

	/** Applies one change with the check of its version. */
	apply(change: Change): ChangeOutcome {
		if (change.kind === 'insert') {
			const cells = this.columns.map(({ name }) => change.values[name] ?? null)
			const id = this.#idOf(cells)
			if (this.#find(id)) return { status: 'conflict', message: `A row with the key ${id} exists.` }
			this.#rows.push({ cells, version: 1 })
			return { status: 'applied', rowId: id, version: '1' }
		}
		const row = this.#find(change.rowId)
		if (!row) return { status: 'conflict', message: 'Another client deleted the row.' }
		if (change.version !== undefined && change.version !== String(row.version)) {
			return { status: 'conflict', message: 'Another client changed the row.' }
		}
		if (change.kind === 'delete') {
			this.#rows.splice(this.#rows.indexOf(row), 1)
			return { status: 'applied' }
		}
		for (const [column, value] of Object.entries(change.set)) row.cells[this.#at(column)] = value
		row.version++
		return { status: 'applied', rowId: this.#idOf(row.cells), version: String(row.version) }
	}

	/** Returns the columns by name, with the given cells. */
	objectOf(cells: readonly Cell[]): Readonly<Record<string, Cell>> {
		return Object.fromEntries(this.columns.map(({ name }, index) => [name, cells[index] ?? null]))
	}

	#find(id: string): StoredRow | undefined {
		return this.#rows.find(row => this.#idOf(row.cells) === id)
	}

	#idOf(cells: readonly Cell[]): string {
		return JSON.stringify(this.columns.flatMap(({ isKey }, index) => (isKey ? [textOf(cells[index] ?? null)] : [])))
	}

	#at(column: string): number {
		return this.columns.findIndex(({ name }) => name === column)
	}
}

/** Returns whole columns. The first one is the key. */
export function columnsOf(drafts: Readonly<Record<string, ColumnDraft>>): readonly Column[] {
	return Object.entries(drafts).map(([name, column], index) => {
		const { kind = 'text', type = typeNames[kind], isKey = index === 0, ...rest } = column
		return { isReadOnly: false, isSortable: true, ...rest, name, type, kind, isKey }
	})
}

const typeNames: Readonly<Record<Column['kind'], string>> = {
	text: 'text',
	number: 'integer',
	boolean: 'boolean',
	date: 'timestamp',
	json: 'json',
	binary: 'bytes',
	other: 'other',
}

/** Returns the answers about the tables of one connection. */
export function tableAnswers(tables: readonly FakeTable[]): Answers {
	const grids = new Map<number, { readonly table: FakeTable; readonly query: ParamsOf<'grid.open'>['query'] }>()
	const named = (name: string) => {
		const table = tables.find(({ table }) => table.name === name)
		if (!table) throw new Error(`There is no table ${name}.`)
		return table
	}
	const pageOf = (grid: number, offset: number, limit: number): GridPage => {
		const opened = grids.get(grid)
		if (!opened) throw new Error(`The grid ${grid} is closed.`)
		const rows = opened.table.select(opened.query)
		const { references, referrers, notices = [], onPage = cell => cell } = opened.table.draft
		return {
			columns: opened.table.columns,
			rows: rows.slice(offset, offset + limit).map(row => ({ ...row, cells: row.cells.map(onPage) })),
			total: { value: rows.length, isExact: true },
			tookMs: 1,
			request: `select * from ${opened.query.table}`,
			...(references && { references }),
			...(referrers && { referrers }),
			notices,
		}
	}
	return {
		'tables.list': () => tables.map(({ table, size }) => ({ ...table, rowCount: size })),
		'tables.find': () => [],
		'tables.actions': () => [],
		'tables.describe': ({ table }) => {
			const { columns, draft } = named(table)
			const { references, referrers } = draft
			return { name: table, columns, ...(references && { references }), ...(referrers && { referrers }) }
		},
		'grid.open': ({ grid, query, offset, limit }) => {
			grids.set(grid, { table: named(query.table), query })
			return pageOf(grid, offset, limit)
		},
		'grid.page': ({ grid, offset, limit }) => pageOf(grid, offset, limit),
		'grid.close': ({ grid }) => {
			grids.delete(grid)
			return null
		},
		'rows.count': ({ query }) => ({ value: named(query.table).select(query).length, isExact: true }),
		'rows.filterText': () => null,
		'rows.groupSimilar': () => null,
		'rows.readRaw': () => null,
		'rows.aggregate': ({ query }) => aggregate(named(query.table), query),
		'rows.read': ({ table, rowId }) => {
			const row = named(table)
				.select({})
				.find(({ id }) => id === rowId)
			if (!row) throw new Error('The row is not there any more.')
			const raw = new TextEncoder().encode(jsonOf(named(table).objectOf(row.cells)))
			return { id: row.id, ...(row.version !== undefined && { version: row.version }), meta: {}, raw, insertAgain: {} }
		},
		'changes.preview': ({ table, changes }) => ({
			review: 'reviewed',
			requests: changes.map(change => requestOf(table, change)),
		}),
		'changes.copy': ({ table, changes }) => changes.map(change => requestOf(table, change)),
		'changes.apply': ({ table, changes }) => changes.map(change => named(table).apply(change)),
	}
}

function requestOf(table: string, change: Change): string {
	if (change.kind === 'insert') return `insert into ${table} ${jsonOf(change.values)}`
	if (change.kind === 'delete') return `delete from ${table} where id = ${change.rowId}`
	return `update ${table} set ${jsonOf(change.set)} where id = ${change.rowId}`
}

/** Returns the JSON of an object of cells, with every digit and without missing fields. */
function jsonOf(cells: Readonly<Record<string, Cell>>): string {
	const members = Object.entries(cells).flatMap(([name, cell]) => {
		const value = fromCell(cell)
		return value === undefined ? [] : [[name, value] as const]
	})
	return stringifyJson(Object.fromEntries(members))
}

function textOf(cell: Cell): string {
	if (cell === null) return ''
	if (typeof cell !== 'object') return String(cell)
	if ('number' in cell) return cell.number
	if ('json' in cell) return cell.json
	if ('text' in cell) return cell.text
	if ('bytes' in cell) return cell.bytes
	return ''
}

const isAbsent = (cell: Cell) => cell === null || (typeof cell === 'object' && 'missing' in cell)

function compare(one: string, other: string): number {
	const [left, right] = [Number(one), Number(other)]
	if (one !== '' && other !== '' && !Number.isNaN(left) && !Number.isNaN(right)) return left - right
	return one < other ? -1 : Number(one > other)
}

/** Rows without a value come last. */
function compareRows(
	one: readonly Cell[],
	other: readonly Cell[],
	sort: readonly Sort[],
	at: (column: string) => number,
): number {
	for (const { column, direction } of sort) {
		const [left = null, right = null] = [one[at(column)], other[at(column)]]
		if (isAbsent(left) !== isAbsent(right)) return isAbsent(left) ? 1 : -1
		const order = compare(textOf(left), textOf(right))
		if (order !== 0) return direction === 'asc' ? order : -order
	}
	return 0
}

function matches({ operator, values }: Filter, cell: Cell): boolean {
	const text = textOf(cell)
	const [first = '', second = ''] = values
	if (operator === 'exists') return !isAbsent(cell)
	if (operator === 'missing') return isAbsent(cell)
	if (operator === 'not_equals') return text !== first
	if (operator === 'not_in') return !values.includes(text)
	if (isAbsent(cell)) return false
	switch (operator) {
		case 'equals':
			return text === first
		case 'in':
			return values.includes(text)
		case 'less':
			return compare(text, first) < 0
		case 'less_or_equal':
			return compare(text, first) <= 0
		case 'greater':
			return compare(text, first) > 0
		case 'greater_or_equal':
			return compare(text, first) >= 0
		case 'between':
			return compare(text, first) >= 0 && compare(text, second) <= 0
		case 'contains':
			return text.includes(first)
		case 'starts_with':
			return text.startsWith(first)
		case 'ends_with':
			return text.endsWith(first)
		case 'wildcard':
			return new RegExp(`^${first.replaceAll('*', '.*').replaceAll('?', '.')}$`).test(text)
	}
}

/** Milliseconds of the fixed intervals that the fake groups dates by. */
const intervalMs: Readonly<Record<string, number>> = {
	s: 1_000,
	m: 60_000,
	h: 3_600_000,
	d: 86_400_000,
	minute: 60_000,
	hour: 3_600_000,
	day: 86_400_000,
	week: 604_800_000,
	month: 2_592_000_000,
	year: 31_536_000_000,
}

function aggregate(table: FakeTable, query: ParamsOf<'rows.aggregate'>['query']): ResultOf<'rows.aggregate'> {
	const rows = table.select(query).map(({ cells }) => table.objectOf(cells))
	const groups = Map.groupBy(rows, row =>
		JSON.stringify(query.groups.map(group => keyOf(row[group.column] ?? null, group.interval))),
	)
	if (query.groups.length === 0 && rows.length === 0) groups.set('[]', [])
	const results = [...groups].map(([key, members]) => ({
		keys: JSON.parse(key) as Cell[],
		count: members.length,
		measures: query.measures.map(({ function: name, column }) =>
			measure(
				name,
				members.map(row => row[column] ?? null),
			),
		),
	}))
	const isByKey = query.groups.some(({ interval }) => interval !== undefined)
	results.sort((one, other) =>
		isByKey ? compare(textOf(one.keys[0] ?? null), textOf(other.keys[0] ?? null)) : other.count - one.count,
	)
	return {
		columns: [
			...query.groups.map(({ column }) => ({ name: column, type: 'text' })),
			{ name: 'count', type: 'integer' },
			...query.measures.map(({ function: name, column }) => ({ name: `${name}(${column})`, type: 'number' })),
		],
		rows: results.slice(0, query.limit).map(({ keys, count, measures }) => [...keys, count, ...measures]),
		isTruncated: results.length > query.limit,
		notices: [],
	}
}

function keyOf(cell: Cell, interval: string | undefined): Cell {
	if (interval === undefined || isAbsent(cell)) return cell
	const number = Number(textOf(cell))
	if (!Number.isNaN(number)) return Math.floor(number / Number(interval)) * Number(interval)
	const unit = intervalMs[interval] ?? Number.parseInt(interval, 10) * (intervalMs[interval.at(-1) ?? ''] ?? 1)
	const time = Date.parse(textOf(cell))
	return new Date(Math.floor(time / unit) * unit).toISOString()
}

function measure(name: string, cells: readonly Cell[]): Cell {
	const present = cells.filter(cell => !isAbsent(cell))
	const numbers = present.map(textOf).map(Number)
	const ordered = present.toSorted((one, other) => compare(textOf(one), textOf(other)))
	if (name === 'count') return present.length
	if (name === 'distinct') return new Set(present.map(textOf)).size
	if (present.length === 0) return null
	if (name === 'sum') return numbers.reduce((sum, value) => sum + value, 0)
	if (name === 'avg') return numbers.reduce((sum, value) => sum + value, 0) / numbers.length
	if (name === 'min') return ordered[0] ?? null
	if (name === 'max') return ordered.at(-1) ?? null
	const share = name === 'median' ? 0.5 : Number(name.slice(1)) / 100
	return ordered[Math.min(ordered.length - 1, Math.floor(share * ordered.length))] ?? null
}
