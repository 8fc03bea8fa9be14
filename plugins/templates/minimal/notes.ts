import {
	type Change,
	type ChangeOutcome,
	type Column,
	DriverError,
	type Filter,
	type FilterOperator,
	type GridQuery,
	type Row,
} from '@roundhouse/kit'

/** The data: one table of notes, in the memory of the driver's process. */

export const table = 'notes'

/** What a filter of a column may do, by its kind. */
const ofText: readonly FilterOperator[] = ['equals', 'not_equals', 'contains']
const ofNumber: readonly FilterOperator[] = ['equals', 'not_equals', 'less', 'greater']

export const columns: readonly Column[] = [
	{ ...column('id', 'number', ofNumber), isKey: true, isReadOnly: true },
	column('text', 'text', ofText),
	column('stars', 'number', ofNumber),
]

function column(name: string, kind: 'text' | 'number', operators: readonly FilterOperator[]): Column {
	const type = kind === 'number' ? 'integer' : 'text'
	const filterFields = [{ name, kind, operators }]
	return { name, type, kind, isKey: false, isReadOnly: false, isSortable: true, filterFields }
}

interface Note {
	readonly id: number
	readonly text: string
	readonly stars: number
	/** Increases with each change, so that a change of an old version is a conflict. */
	readonly version: number
}

export class Notes {
	readonly #notes = new Map<number, Note>()
	#lastId = 0

	constructor(first: string) {
		for (const [index, text] of [first, 'Buy bread', 'Call Ada', 'Read a book', 'Sleep'].entries())
			this.add(text, index)
	}

	get count(): number {
		return this.#notes.size
	}

	all(): readonly Note[] {
		return [...this.#notes.values()]
	}

	add(text: string, stars = 0): Note {
		const note = { id: ++this.#lastId, text, stars, version: 1 }
		this.#notes.set(note.id, note)
		return note
	}

	remove(id: number): boolean {
		return this.#notes.delete(id)
	}

	clear(): void {
		this.#notes.clear()
	}

	/** @throws DriverError `not_found` */
	read(id: string): Note {
		const note = this.#notes.get(Number(id))
		if (!note) throw new DriverError('not_found', `There is no note ${id}.`)
		return note
	}

	versionOf(id: string): string {
		return String(this.read(id).version)
	}

	/** Returns the rows that match, in the order of the query. */
	find({ filters, match, sort }: Pick<GridQuery, 'filters' | 'match' | 'sort'>): readonly Row[] {
		const tests = filters.map(testOf)
		const matches = (note: Note) =>
			match === 'any' && tests.length > 0 ? tests.some(test => test(note)) : tests.every(test => test(note))
		const found = this.all().filter(matches)
		// The last key first: sorting is stable.
		for (const { column, direction } of sort.toReversed()) {
			const key = keyOf(column)
			const sign = direction === 'asc' ? 1 : -1
			found.sort((a, b) => sign * (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : 0))
		}
		return found.map(({ id, text, stars, version }) => ({
			id: String(id),
			version: String(version),
			cells: [id, text, stars],
		}))
	}

	apply(change: Change): ChangeOutcome {
		if (change.kind === 'insert') {
			const { text = '', stars = 0 } = change.values
			const added = this.add(String(text), Number(stars))
			return { status: 'applied', rowId: String(added.id), version: '1' }
		}
		const note = this.#notes.get(Number(change.rowId))
		if (!note) return { status: 'failed', message: `There is no note ${change.rowId}.` }
		if (change.version !== undefined && change.version !== String(note.version)) {
			return { status: 'conflict', message: `The note ${change.rowId} was changed meanwhile.` }
		}
		if (change.kind === 'delete') {
			this.remove(note.id)
			return { status: 'applied' }
		}
		const { text = note.text, stars = note.stars } = change.set
		const version = note.version + 1
		this.#notes.set(note.id, { id: note.id, text: String(text), stars: Number(stars), version })
		return { status: 'applied', rowId: change.rowId, version: String(version) }
	}
}

/** @throws DriverError `invalid_argument` */
function keyOf(name: string): 'id' | 'text' | 'stars' {
	if (name === 'id' || name === 'text' || name === 'stars') return name
	throw new DriverError('invalid_argument', `There is no column ${name}.`)
}

/** Returns a test of one note. Values are text, as the user types them. */
function testOf({ column, operator, values: [value = ''] }: Filter): (note: Note) => boolean {
	const key = keyOf(column)
	const of = (note: Note) => note[key]
	const wanted = key === 'text' ? value : Number(value)
	switch (operator) {
		case 'equals':
			return note => of(note) === wanted
		case 'not_equals':
			return note => of(note) !== wanted
		case 'less':
			return note => of(note) < wanted
		case 'greater':
			return note => of(note) > wanted
		case 'contains':
			return note => String(of(note)).includes(value)
		default:
			throw new DriverError('unsupported', `Notes cannot be filtered by ${operator}.`)
	}
}
