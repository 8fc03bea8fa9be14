import {
	type Cell,
	type Change,
	type ChangeOutcome,
	type Column,
	type ColumnKind,
	fromCell,
	type GridQuery,
	type Json,
	missingCell,
	type Row,
	stringifyJson,
	toCell,
} from '@roundhouse/kit'

/** A table whose rows are computed from their number, so that it can have any size. It stores only changes. */

const kinds: readonly ColumnKind[] = ['text', 'number', 'date', 'boolean']
const types = { text: 'varchar', number: 'bigint', date: 'timestamp', boolean: 'bool' } as Readonly<
	Record<string, string>
>

/** The key, its number, a column with one value in all rows, then text, numbers, dates and booleans in turn. */
function columnsOf(count: number): readonly Column[] {
	const column = (name: string, kind: ColumnKind, more: Partial<Column> = {}): Column => ({
		name,
		type: types[kind] ?? kind,
		kind,
		isKey: false,
		isReadOnly: false,
		isSortable: true,
		...more,
	})
	return [
		column('id', 'text', { isKey: true, isReadOnly: 'after_insert' }),
		column('n', 'number'),
		column('source', 'text', { isReadOnly: true, isUniform: true }),
		...Array.from({ length: count - 3 }, (_, index) => column(`c${index}`, kinds[index % kinds.length] ?? 'text')),
	]
}

function valueAt(row: number, column: number): Json {
	if (column === 0) return `r${row}`
	if (column === 1) return row
	if (column === 2) return 'arithmetic'
	switch (kinds[(column - 3) % kinds.length]) {
		case 'number':
			return 100_000_000_000_000 + row * 7 + column
		case 'date':
			return new Date(1_700_000_000_000 + row * 1000 + column).toISOString()
		case 'boolean':
			return (row + column) % 2 === 0
		default:
			return `value ${column} of row ${row}`
	}
}

/** Each query on `n` selects one range of rows. */
function spanOf({ filters }: GridQuery, count: number): readonly [first: number, end: number] {
	let [first, end] = [0, count]
	for (const { column, operator, values } of filters) {
		const value = Number(column === 'id' ? values[0]?.slice(1) : values[0])
		if (operator === 'equals') [first, end] = [Math.max(first, value), Math.min(end, value + 1)]
		if (operator === 'less') end = Math.min(end, value)
		if (operator === 'greater') first = Math.max(first, value + 1)
	}
	return [first, Math.max(first, end)]
}

export class Series {
	readonly columns: readonly Column[]
	readonly #made: number
	readonly #changed = new Map<string, Map<string, Cell>>()
	readonly #deleted = new Set<number>()
	readonly #inserted: string[] = []

	constructor(rows: number, columns: number) {
		this.#made = rows
		this.columns = columnsOf(columns)
	}

	get count(): number {
		return this.#made + this.#inserted.length - this.#deleted.size
	}

	/** Returns the number of rows of a query, and the rows of a range of them. */
	view(query: GridQuery) {
		const end = this.#made + this.#inserted.length
		const [first, last] = spanOf(query, end)
		const gone = [...this.#deleted].filter(row => row >= first && row < last).sort((a, b) => a - b)
		const total = last - first - gone.length
		const isDescending = query.sort[0]?.direction === 'desc'
		const numberAt = (index: number) => {
			let row = first + (isDescending ? total - 1 - index : index)
			for (const deleted of gone) if (deleted <= row) row++
			return row
		}
		return {
			total,
			rows: (offset: number, limit: number) =>
				Array.from({ length: Math.max(0, Math.min(limit, total - offset)) }, (_, index) =>
					this.#row(numberAt(offset + index)),
				),
		}
	}

	#row(number: number): Row {
		const id = this.#inserted[number - this.#made] ?? `r${number}`
		const changed = this.#changed.get(id)
		const isMade = number < this.#made
		const cells = this.columns.map(({ name }, column): Cell => {
			const cell = changed?.get(name)
			if (cell !== undefined) return cell
			return isMade ? toCell(valueAt(number, column)) : column === 0 ? id : missingCell
		})
		return { id, cells }
	}

	read(id: string) {
		const inserted = this.#inserted.indexOf(id)
		const row = this.#row(inserted < 0 ? Number(id.slice(1)) : this.#made + inserted)
		const document = Object.fromEntries(
			this.columns.map(({ name }, index) => [name, fromCell(row.cells[index] ?? missingCell) ?? null]),
		)
		return { id, meta: { id }, raw: Buffer.from(stringifyJson(document)) }
	}

	apply(change: Change): ChangeOutcome {
		if (change.kind === 'insert') {
			const id = String(change.values.id)
			if (this.#inserted.includes(id)) return { status: 'failed', message: `There is a row ${id} already.` }
			this.#inserted.push(id)
			this.#changed.set(id, new Map(Object.entries(change.values)))
			return { status: 'applied' }
		}
		if (change.kind === 'delete') this.#deleted.add(Number(change.rowId.slice(1)))
		else {
			if (change.set.c0 === 'refused') return { status: 'failed', message: 'The word "refused" is refused.' }
			const known = this.#changed.get(change.rowId) ?? new Map<string, Cell>()
			this.#changed.set(change.rowId, new Map([...known, ...Object.entries(change.set)]))
		}
		return { status: 'applied' }
	}
}
