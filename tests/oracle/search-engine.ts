import {
	type AggregateQuery,
	type Cell,
	type Change,
	decode,
	type GridQuery,
	isJsonObject,
	type Json,
	type JsonObject,
	parseJson,
	rawText,
	stringifyJson,
	toCell,
} from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'
import { connect } from '../../plugins/search-engine/connect.ts'
import { Refusal } from './answer.ts'
import { Difference, orRefusal, requireBothRefuse, requireSame } from './difference.ts'
import type { Oracle } from './oracle.ts'
import type { Random } from './random.ts'
import { call, RandomTable, type ReadRow, type TableParts } from './random-table.ts'
import { type FieldType, numbered, oddFields, oddIds, oddIndices, types } from './search-engine-fields.ts'
import { type Document, type Fields, groupsOf, matching, ranksOf, shownValue, valuesAt } from './search-engine-model.ts'

/** Compares the driver for Elasticsearch with documents that another client stores and reads. @param url of a node */
export async function openSearchEngine(url: string): Promise<Oracle> {
	const settings = { hosts: url, auth: 'none', timeZone: 'UTC' }
	const connection = await connect(settings, directContext(), call)
	const send: Send = async (method, path, body) => {
		const text = typeof body === 'string' ? body : body === undefined ? undefined : stringifyJson(body)
		const headers = { 'content-type': 'application/json' }
		const response = await fetch(`${url}${path}`, { method, headers, ...(text !== undefined && { body: text }) })
		const answer = parseJson(await response.text())
		if (isJsonObject(answer) && answer.error === undefined && answer.errors !== true) return answer
		throw new Error(`${method} ${path}: ${stringifyJson(answer).slice(0, 1000)}`)
	}
	let opened = 0
	return {
		driver: { folder: new URL('../../plugins/search-engine', import.meta.url).pathname, id: 'search-engine', settings },
		questionsOfTable: 50,
		async openTable(random) {
			const { fields, ...made } = await makeIndices(random, send, `o${opened++}-`)
			const table = new SearchTable({ ...made, numberColumn: number, connection, random }, fields, send)
			const dispose = async () => void (await send('DELETE', `/${namesIn(fields)}`))
			return Object.assign(table, { [Symbol.asyncDispose]: dispose })
		},
		[Symbol.asyncDispose]: () => connection.close(),
	}
}

type Send = (method: string, path: string, body?: Json) => Promise<JsonObject>

const number = 'n'
const namesIn = (fields: Fields) => [...fields.keys()].map(encodeURIComponent).join(',')

/** Makes an index, or two that a pattern names together and that map some fields differently. */
async function makeIndices(random: Random, send: Send, prefix: string) {
	const isSeveral = random.chance(0.3)
	const chosen = [...random.some(oddFields, 2, 7), ...(random.chance(0.4) ? ['items.k', 'items.v'] : [])]
	const shared = new Map([[number, numbered], ...chosen.map(name => [name, random.pick(types)] as const)])
	const fields = new Map<string, ReadonlyMap<string, FieldType>>()
	const made: string[] = []
	for (const title of random.some(oddIndices, isSeveral ? 2 : 1, isSeveral ? 2 : 1)) {
		const own = fields.size === 0 ? shared : otherFields(random, shared)
		const settings = { number_of_shards: random.pick([1, 2]), number_of_replicas: 0, 'index.refresh_interval': -1 }
		const body = { settings, mappings: { dynamic: 'strict', properties: propertiesOf(own) } }
		fields.set(`${prefix}${title}`, own)
		made.push(`PUT /${prefix}${title} ${stringifyJson(body)}`)
		await send('PUT', `/${encodeURIComponent(`${prefix}${title}`)}`, body)
	}
	const lines: string[] = []
	let next = 1
	for (const [index, own] of fields) {
		const ids = random.some(oddIds, 0, 6)
		for (let left = random.int(0, isSeveral ? 12 : 24); left > 0; left--, next++) {
			const source = stringifyJson(documentOf(random, own, next))
			lines.push(`${stringifyJson({ index: { _index: index, _id: ids.pop() ?? `d${next}` } })}\n${source}`)
		}
	}
	if (lines.length > 0) await send('POST', '/_bulk?refresh=true', `${lines.join('\n')}\n`)
	const [only = ''] = fields.keys()
	return { name: isSeveral ? `${prefix}*` : only, fields, description: [...made, ...lines].join('\n') }
}

/** Changes one field and leaves out another. */
function otherFields(random: Random, shared: ReadonlyMap<string, FieldType>): ReadonlyMap<string, FieldType> {
	const own = new Map(shared)
	const [changed, absent = ''] = random.some(
		[...shared.keys()].filter(name => name !== number && !name.includes('.')),
		2,
		2,
	)
	own.delete(absent)
	const other = random.pick(types)
	// The engine alone reads dates and addresses, so it refuses a text for them in one index of several.
	const isRead = (type: FieldType | undefined) => type !== undefined && type.kind !== 'date' && type.kind !== 'ip'
	if (changed !== undefined && isRead(other) && isRead(shared.get(changed))) own.set(changed, other)
	return own
}

function propertiesOf(fields: ReadonlyMap<string, FieldType>): JsonObject {
	const properties: Record<string, JsonObject> = {}
	for (const [path, { mapping }] of fields) {
		const [first = '', rest] = path.split('.')
		const known = Object.hasOwn(properties, first) ? properties[first]?.properties : undefined
		const inner = { ...(isJsonObject(known) && known), ...(rest !== undefined && { [rest]: mapping }) }
		properties[first] =
			rest === undefined ? mapping : { ...(first === 'items' && { type: 'nested' }), properties: inner }
	}
	return properties
}

function documentOf(random: Random, fields: ReadonlyMap<string, FieldType>, n: number): JsonObject {
	const document = new Map<string, Json>([[number, n]])
	// The same fields of one object are together in one element or in several.
	const elements = random.pick([0, 0, 2])
	for (const [path, type] of fields) {
		const [first = '', rest] = path.split('.')
		if (path === number || random.chance(0.15)) continue
		if (rest === undefined) document.set(first, randomValue(random, type))
		else {
			const known = [
				document.get(first) ?? Array.from({ length: elements || 1 }, () => ({})),
			].flat() as readonly JsonObject[]
			const filled = known.map(one => (random.chance(0.2) ? one : { ...one, [rest]: randomValue(random, type) }))
			document.set(first, elements === 0 ? (filled[0] ?? {}) : filled)
		}
	}
	return Object.fromEntries(document)
}

/** A value, null, or a list. */
function randomValue(random: Random, { values }: FieldType): Json {
	const kind = random.int(0, 19)
	if (kind < 14) return random.pick(values)
	if (kind < 16) return null
	return kind < 19 ? random.some(values, 0, 3) : [random.pick(values), null]
}

class SearchTable extends RandomTable {
	readonly #fields: Fields
	readonly #send: Send
	readonly #paths: readonly string[]
	#documents: readonly Document[] | undefined

	constructor(parts: TableParts, fields: Fields, send: Send) {
		super(parts)
		this.#fields = fields
		this.#send = send
		this.#paths = [...new Set([...fields.values()].flatMap(own => [...own.keys()]))]
	}

	protected get filtered() {
		const asText = (value: Json) => (typeof value === 'string' ? value : stringifyJson(value))
		return this.#paths.map(name => {
			const all = this.#typesOf(name)
			const values = [...all.flatMap(type => type.values.map(asText)), ...(name === number ? ['3', '7', '12'] : [])]
			return { name, values, probes: all.flatMap(type => type.probes) }
		})
	}

	get writableColumns(): readonly string[] {
		return this.#paths.filter(path => !path.includes('.') && [...this.#fields.values()].every(own => own.has(path)))
	}

	protected get kinds() {
		return [
			[55, () => this.askRows()],
			[18, () => this.#askGroups()],
			[8, () => this.#askChanges()],
			[10, () => this.askExport()],
			[4, () => this.#askWholeRow()],
		] as const
	}

	/** What is stored, read by the client of the test. */
	async #stored(): Promise<readonly Document[]> {
		if (this.#documents) return this.#documents
		const { hits } = await this.#send('POST', `/${namesIn(this.#fields)}/_search`, { size: 1000 })
		// The answer of the engine.
		const found = (hits as JsonObject).hits as readonly { _index: string; _id: string; _source: JsonObject }[]
		this.#documents = found.map(({ _index, _id, _source }) => ({ index: _index, id: _id, source: _source }))
		return this.#documents
	}

	async #documentOf(n: string): Promise<Document> {
		const found = (await this.#stored()).find(({ source }) => String(source[number]) === n)
		if (!found)
			throw new Difference(
				'row',
				n,
				(await this.#stored()).map(({ source }) => source[number]),
			)
		return found
	}

	async state(): Promise<readonly string[]> {
		this.#documents = undefined
		await this.#send('POST', `/${namesIn(this.#fields)}/_refresh`)
		return (await this.#stored()).map(({ index, id, source }) => `${index}/${id} ${sortedText(source)}`).toSorted()
	}

	#typesOf(column: string): readonly FieldType[] {
		return [...this.#fields.values()].flatMap(own => own.get(column) ?? [])
	}

	async model(query: GridQuery) {
		try {
			const documents = await this.#stored()
			const found = matching(documents, this.#fields, query, 'indexed')
			const plain = new Set(matching(documents, this.#fields, query, 'shown').documents)
			const sort = query.sort.filter(({ column }) => this.#isSortable(column))
			const ranks = ranksOf(found.documents, this.#fields, sort)
			const rows = found.documents.map(({ source }, at) => ({ number: String(source[number]), rank: ranks[at] ?? 0 }))
			const isOther = rows.length !== plain.size || found.documents.some(document => !plain.has(document))
			return { rows, needsNotice: isOther || found.isPartial || sort.length < query.sort.length }
		} catch (error) {
			if (error instanceof Refusal) return error
			throw error
		}
	}

	/** Whether all indices sort by it, and alike. */
	#isSortable(column: string): boolean {
		const all = this.#typesOf(column)
		const kinds = new Set(all.map(({ mapping: { type } }) => (type === 'integer' || type === 'short' ? 'long' : type)))
		const areAll = (...names: readonly string[]) => [...kinds].every(kind => names.includes(String(kind)))
		const isLike = kinds.size === 1 || areAll('long', 'float', 'double') || areAll('date', 'date_nanos')
		return isLike && all.every(({ isSortable }) => isSortable !== false)
	}

	protected async requireCells({ number: n, cells }: ReadRow): Promise<void> {
		const { index, id, source } = await this.#documentOf(n)
		requireSame('_index and _id', [cells.get('_index'), cells.get('_id')], [index, id])
		for (const path of this.#paths) {
			const shown = shownValue(source, path)
			const wanted: Cell = shown === undefined ? { missing: true } : toCell(shown)
			requireSame(`cell of ${path}`, plainCell(cells.get(path) ?? null), plainCell(wanted))
		}
	}

	protected async requireRecord(): Promise<void> {}

	protected numberIn({ _source }: JsonObject): string {
		return isJsonObject(_source) ? String(_source[number]) : ''
	}

	protected async requireDocument(document: JsonObject): Promise<void> {
		const { index, id, source } = await this.#documentOf(this.numberIn(document))
		requireSame('document', stringifyJson(document), stringifyJson({ _index: index, _id: id, _source: source }))
	}

	async #askWholeRow(): Promise<void> {
		const rows = await this.readAll()
		if (rows.length === 0) return
		const { id, number: n } = this.random.pick(rows)
		this.asked = id
		const text = rawText(decode(await this.connection.readRow(this.name, id, call)))
		requireSame('row', stringifyJson(parseJson(text)), stringifyJson((await this.#documentOf(n)).source))
	}

	async #askGroups(): Promise<void> {
		const { random } = this
		const { sort: _, ...query } = this.question()
		const groups = random.some(this.#paths, 0, 1).map(column => {
			const kind = this.#typesOf(column)[0]?.kind
			const interval = random.chance(0.5) ? undefined : kind === 'number' ? '10' : kind === 'date' ? 'day' : undefined
			return { column, ...(interval !== undefined && { interval }) }
		})
		const numbers = this.#paths.filter(column => this.#typesOf(column).every(({ kind }) => kind === 'number'))
		const functions = ['count', 'sum', 'avg', 'min', 'max', 'distinct'] as const
		const measures = random.some(numbers, 0, 2).map(column => ({ function: random.pick(functions), column }))
		const asked: AggregateQuery = { ...query, groups, measures, limit: random.pick([2, 50]) }
		this.asked = asked
		const isComputable = [...groups, ...measures].every(
			({ column }) => this.#isSortable(column) && !column.startsWith('items.'),
		)
		const isCountable = measures.every(
			({ function: computed, column }) => computed !== 'distinct' || this.#isOfOneForm(column),
		)
		const model = await this.model({ ...query, sort: [] })
		const expected = (isComputable && isCountable) || model instanceof Refusal ? model : new Refusal('not aggregated')
		const got = await orRefusal(async () =>
			decode((await this.connection.aggregate?.(asked, call)) ?? new Uint8Array()),
		)
		if (expected instanceof Refusal || got instanceof Refusal) return requireBothRefuse(got, expected)
		// The engine groups and measures some values as shorter ones, which a notice says.
		const isOfDoubles = groups.some(group => this.#isOfDoubles(group))
		if (got.notices.length > 0 && isOfDoubles) return
		const { documents } = matching(await this.#stored(), this.#fields, query, 'indexed')
		const all = groupsOf(documents, this.#fields, asked)
		requireSame(
			'number of groups',
			[got.rows.length, got.isTruncated],
			[Math.min(all.length, asked.limit), all.length > asked.limit],
		)
		const [group] = groups
		const type = group && this.#typesOf(group.column)[0]
		const known = new Map(all.map(one => [type && one.place !== undefined ? type.textAt(one.place) : '', one]))
		for (const row of got.rows) {
			const shown = type ? type.textOf(plainText(row[0] ?? null)) : ''
			const one = known.get(shown)
			if (!one) throw new Difference('group', [shown, row], [...known.keys()])
			requireSame(`count of ${shown}`, row[groups.length], one.count)
			const values = row
				.slice(groups.length + 1)
				.map(cell => (cell === null ? null : Number(plainText(cell)).toPrecision(6)))
			requireSame(
				`measures of ${shown}`,
				values.map((value, at) => (Number.isNaN(one.measures[at]) ? 'NaN' : value)),
				one.measures.map(value => value?.toPrecision(6) ?? null),
			)
		}
		const isSaid = (part: string) => got.notices.some(notice => notice.includes(part))
		const isRounded = all.some(one => one.measures.some((value, at) => this.#isRounded(measures[at], value)))
		if (isRounded && !got.isTruncated && !isOfDoubles) requireSame('notice of rounded values', isSaid('rounded'), true)
		const isOfNanoseconds = group && this.#typesOf(group.column).some(({ mapping }) => mapping.type === 'date_nanos')
		if (isOfNanoseconds && all.length > 0) requireSame('notice of milliseconds', isSaid('milliseconds'), true)
		const isGrouped = ({ index, source }: Document) => {
			const type = this.#fields.get(index)?.get(group?.column ?? '')
			return (
				type !== undefined && valuesAt(source, group?.column ?? '').some(value => type.placeOf(value) !== undefined)
			)
		}
		if (group && !documents.every(isGrouped)) requireSame('notice of rows in no group', isSaid('no value'), true)
		if (group?.interval !== undefined) return
		const counts = all.map(({ count }) => count).toSorted((a, b) => b - a)
		requireSame(
			'counts',
			got.rows.map(row => row[groups.length]),
			counts.slice(0, asked.limit),
		)
	}

	#isRounded(measure: AggregateQuery['measures'][number] | undefined, value: number | null): boolean {
		const isOfValues = measure !== undefined && ['sum', 'min', 'max'].includes(measure.function)
		const isLong = isOfValues && this.#typesOf(measure.column).some(({ mapping }) => mapping.type === 'long')
		return isLong && Math.abs(value ?? 0) > Number.MAX_SAFE_INTEGER
	}

	/** Whether equal numbers of two indices are one for the engine: not if they are decimals in some only. */
	#isOfOneForm(column: string): boolean {
		return new Set(this.#typesOf(column).map(({ mapping }) => isDecimal(mapping.type))).size <= 1
	}

	#isOfDoubles({ column, interval }: AggregateQuery['groups'][number]): boolean {
		const kinds = new Set(this.#typesOf(column))
		return [...kinds].some(({ mapping }) => mapping.type === 'long') && (interval !== undefined || kinds.size > 1)
	}

	/** Changes some documents, and compares what is stored with the same changes of the model. */
	async someChanges(near: readonly string[] = []): Promise<readonly Change[]> {
		const { random } = this
		const changes = (await this.rowsNear(near)).map(({ id, version, cells }): Change => {
			const identified = { rowId: id, ...(version !== undefined && random.chance(0.7) && { version }) }
			if (random.chance(0.3)) return { kind: 'delete', ...identified }
			const own = [...(this.#fields.get(String(cells.get('_index'))) ?? [])].filter(
				([name]) => !name.startsWith('items.'),
			)
			const set = random
				.some(own, 1, 2)
				.map(([path, type]) => [path, path === number ? this.next++ : toCell(randomValue(random, type))] as const)
			return { kind: 'update', ...identified, set: Object.fromEntries(set) }
		})
		if (this.#fields.size > 1 || (changes.length > 0 && random.chance(0.7))) return changes
		return [...changes, { kind: 'insert', values: { _id: random.pick(oddIds), [number]: this.next++ } }]
	}

	async #askChanges(): Promise<void> {
		const { random } = this
		const rows = await this.readAll()
		const documents = new Map((await this.#stored()).map(({ index, id, source }) => [`${index}/${id}`, source]))
		const changes: Change[] = []
		const isStale = random.chance(0.1)
		for (const { id, version, cells } of random.some(rows, 0, 2)) {
			const [index, key] = [String(cells.get('_index')), `${cells.get('_index')}/${cells.get('_id')}`]
			const identified = { rowId: id, ...(version !== undefined && { version }) }
			if (random.chance(0.3)) {
				changes.push({ kind: 'delete', ...identified })
				if (!isStale) documents.delete(key)
				continue
			}
			const own = [...(this.#fields.get(index) ?? [])].filter(([name]) => !name.includes('.') && name !== number)
			const [path, type] = random.pick(own.length > 0 ? own : [[number, numbered] as const])
			const value = path === number ? this.next++ : randomValue(random, type)
			changes.push({ kind: 'update', ...identified, set: { [path]: toCell(value) } })
			if (!isStale) documents.set(key, { ...documents.get(key), [path]: value })
		}
		if (this.#fields.size === 1 && (changes.length === 0 || random.chance(0.3))) {
			const [id, n] = [random.pick(oddIds), this.next++]
			changes.push({ kind: 'insert', values: { _id: id, [number]: n } })
			if (!documents.has(`${this.name}/${id}`)) documents.set(`${this.name}/${id}`, { [number]: n })
		}
		this.asked = { changes, isStale }
		const line = ({ index, id, source }: Document) =>
			`${stringifyJson({ index: { _index: index, _id: id } })}\n${stringifyJson(source)}\n`
		const lines = (await this.#stored()).map(line)
		if (isStale && lines.length > 0) await this.#send('POST', '/_bulk', lines.join(''))
		const outcomes = await this.connection.applyChanges(this.name, changes, call)
		const wanted = [...documents].map(([key, source]) => `${key} ${sortedText(source)}`)
		requireSame(`what is stored after ${JSON.stringify(outcomes)}`, await this.state(), wanted.toSorted())
		const isConflict = outcomes.every(({ status }, at) => changes[at]?.kind === 'insert' || status === 'conflict')
		if (isStale && !isConflict) throw new Difference('outcomes', outcomes, 'conflicts')
	}
}

const isDecimal = (type: Json | undefined) => typeof type === 'string' && /double|float/.test(type)

/** Returns the text of a plain value or of a number. */
const plainText = (cell: Cell) =>
	typeof cell === 'object' && cell !== null && 'number' in cell ? cell.number : String(cell)

/** The engine prints a document that it has changed in its own way: escapes in texts, decimals as doubles. */
const plainCell = (cell: Cell) =>
	typeof cell === 'object' && cell !== null && 'json' in cell ? stringifyJson(parseJson(cell.json)) : cell

/** A document with its members in one order. */
const sortedText = (source: JsonObject) =>
	stringifyJson(Object.fromEntries(Object.entries(source).toSorted(([a], [b]) => (a < b ? -1 : 1))))
