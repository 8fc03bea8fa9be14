import {
	type AggregateQuery,
	type Cell,
	type Change,
	decode,
	type GridQuery,
	type JsonObject,
	measureFunctions,
	parseJson,
} from '@roundhouse/kit'
import pg from 'pg'
import { startServer } from '../../plugins/postgres/servers/server.ts'
import { open } from '../../plugins/postgres/test/fixture.ts'
import { Refusal } from './answer.ts'
import { Difference, orRefusal, requireBothRefuse, requireSame } from './difference.ts'
import type { Oracle } from './oracle.ts'
import { aggregateSql, conditionSql, sortSql } from './postgres-model.ts'
import { inQuotes, literal, makeTable, type TestColumn, type TestTable } from './postgres-table.ts'
import { type Type, typeSchema } from './postgres-types.ts'
import { call, type RandomTable, type ReadRow, type TableParts } from './random-table.ts'
import { cellsIn, type NewValue, RelationalTable, type Texts } from './relational-table.ts'

/** Compares the driver for PostgreSQL with a real server that another client asks. */
export async function openPostgres(): Promise<Oracle> {
	await using owned = new AsyncDisposableStack()
	const server = owned.use(await startServer({ schema: typeSchema, settings: { timezone: 'UTC' } }))
	const connection = owned.use(await open(server.settings))
	const { port, password } = server
	const client = new pg.Client({
		host: '127.0.0.1',
		port,
		user: 'postgres',
		password,
		database: 'postgres',
		// Texts as the server prints them.
		types: { getTypeParser: () => (text: string | Buffer) => String(text) },
	})
	await client.connect()
	owned.defer(() => client.end())
	const moved = owned.move()
	let made = 0
	return {
		driver: {
			folder: new URL('../../plugins/postgres', import.meta.url).pathname,
			id: 'postgres',
			settings: server.settings,
		},
		questionsOfTable: 25,
		async openTable(random) {
			const schema = `oracle${made++}`
			const table = await makeTable(random, client, schema)
			const description = table.made.join(';\n')
			const parts = { name: table.sql, numberColumn: table.number, description, connection, random }
			const dispose = async () => void (await client.query(`drop schema ${schema} cascade`))
			return Object.assign(new PostgresTable(parts, table, client), { [Symbol.asyncDispose]: dispose })
		},
		[Symbol.asyncDispose]: () => moved.disposeAsync(),
	}
}

class PostgresTable extends RelationalTable<TestColumn> {
	readonly #table: TestTable
	readonly #client: pg.Client
	protected readonly isView: boolean
	/** The numbers, in quotes. */
	readonly #number: string
	readonly #names: string

	constructor(parts: TableParts, table: TestTable, client: pg.Client) {
		super(parts)
		this.#table = table
		this.#client = client
		this.isView = table.kind.endsWith('view')
		this.#number = inQuotes(table.number)
		this.#names = table.columns.map(({ name }) => inQuotes(name)).join(', ')
	}

	get writableColumns(): readonly string[] {
		if (this.isView) return []
		// MCP refuses this name of a column in an object of values.
		return this.#table.columns.filter(({ name, computed }) => !computed && name !== '__proto__').map(({ name }) => name)
	}

	protected get columns(): readonly TestColumn[] {
		return this.#table.columns
	}

	protected isSortable({ type }: TestColumn): boolean {
		return !type.isUnordered
	}

	protected refusalOf(error: unknown): Refusal {
		return refusalOf(error)
	}

	protected get kinds() {
		return [
			[50, () => this.askRows()],
			[15, () => this.#askGroups()],
			[15, () => this.#askChanges()],
			[5, () => this.askExport()],
			[2, () => this.askStatements()],
			[4, () => this.askWholeRow()],
		] as const
	}

	override question(): GridQuery {
		const { random } = this
		const number = this.#number
		const raws = [`${number} % 3 = 0`, `${number} > 5 or false`, `${number} < 9 -- end`, '/* all */ true', 'null']
		return { ...super.question(), ...(random.chance(0.1) && { raw: random.pick(raws) }) }
	}

	async model(query: GridQuery) {
		try {
			const offered = await this.described()
			for (const { column, operator } of query.filters)
				if (!offered.get(column)?.includes(operator)) throw new Refusal(`${column} offers no ${operator}`)
			for (const { column } of query.sort)
				if (this.typeOf(column).isUnordered) throw new Refusal(`${column} has no order`)
			const rank = `dense_rank() over (order by ${sortSql(query.sort)})`
			const condition = conditionSql(this.#table, query)
			const found = await this.sql(`select ${this.#number}, ${rank} from ${this.name} where ${condition}`)
			return { rows: found.map(([number, rank]) => ({ number: number ?? '', rank: Number(rank) })) }
		} catch (error) {
			return refusalOf(error)
		}
	}

	protected async sql(text: string): Promise<readonly Texts[]> {
		return (await this.#client.query({ text, rowMode: 'array' })).rows
	}

	protected printed(): Promise<readonly Texts[]> {
		return this.sql(`select ${this.#names} from ${this.name}`)
	}

	async state(): Promise<readonly string[]> {
		this.rows = undefined
		const rows = await this.sql(`select tableoid::regclass, ${this.#names} from ${this.name}`)
		return rows.map(row => JSON.stringify(row)).toSorted()
	}

	protected async requireCells({ number, cells }: Pick<ReadRow, 'number' | 'cells'>): Promise<void> {
		for (const [{ name, type }, text] of await this.textsOf(number)) {
			const shown = textOf(cells.get(name) ?? null)
			// A cell has the first 10,000 characters.
			if (shown !== (text?.slice(0, 10_000) ?? null)) throw new Difference(`cell of ${name} (${type.sql})`, shown, text)
		}
	}

	protected async requireRecord(record: ReadonlyMap<string, string | null>): Promise<void> {
		for (const [{ name, type }, text] of await this.textsOf(record.get(this.numberColumn) ?? '')) {
			const wanted = type.cell === 'boolean' && text !== null ? String(text === 't') : text
			if (record.has(name)) requireSame(`value of ${name} (${type.sql})`, record.get(name), wanted)
		}
	}

	protected async requireDocument(document: JsonObject): Promise<void> {
		const texts = await this.textsOf(this.numberIn(document))
		requireSame('members', Object.keys(document).toSorted(), texts.map(([{ name }]) => name).toSorted())
		for (const [{ name, type }, text] of texts) {
			const value = document[name]
			const isText = typeof value === 'string' && type.cell !== 'json'
			const shown = isText && type.cell === 'bytes' ? `\\x${Buffer.from(value, 'base64').toString('hex')}` : value
			const wanted =
				text === null || isText || type.cell === 'bytes'
					? text
					: parseJson(type.cell === 'boolean' ? String(text === 't') : text)
			requireSame(`value of ${name} (${type.sql})`, shown, wanted)
		}
	}

	override async deleteAndInsert(numbers: readonly string[]): Promise<string | undefined> {
		if (this.isView) return undefined
		this.rows = undefined
		const names = this.#table.columns.filter(({ computed }) => !computed).map(({ name }) => inQuotes(name))
		const copied = names.map(name => (name === this.#number ? this.next : name)).join(', ')
		this.next++
		const deleted = this.random.pick(numbers)
		await this.sql(`delete from ${this.name} where ${this.#number} = ${deleted}`)
		const into = `insert into ${this.name} (${names.join(', ')})`
		// A row that breaks a constraint that was not validated cannot be copied.
		await this.sql(`${into} select ${copied} from ${this.name} limit 1 on conflict do nothing`).catch(refusalOf)
		return deleted
	}

	async #askGroups(): Promise<void> {
		const { random } = this
		const { sort: _, ...query } = this.question()
		const groups = random.some(this.#table.columns, 0, 2).map(({ name, type }) => {
			const intervals = type.isNumber ? ['10', '0.5'] : isTime(type) ? ['day', 'month', 'year', 'hour'] : []
			return { column: name, ...(intervals.length > 0 && random.chance(0.6) && { interval: random.pick(intervals) }) }
		})
		const measured = random.some(this.#table.columns, 0, 2)
		const measures = measured.map(({ name }) => ({ function: random.pick(measureFunctions), column: name }))
		const direction = random.pick(['asc', 'desc'] as const)
		const order = random.pick([
			undefined,
			undefined,
			{ measure: 'count', direction } as const,
			{ measure: 'group', direction } as const,
		])
		const isOrdered = order !== undefined && (order.measure === 'count' || groups.length > 0)
		const asked: AggregateQuery = {
			...query,
			groups,
			measures,
			...(isOrdered && { order }),
			limit: random.pick([1, 3, 50]),
		}
		this.asked = asked
		const expected = await this.#groupsOf(asked)
		const got = await orRefusal(async () =>
			decode((await this.connection.aggregate?.(asked, call)) ?? new Uint8Array()),
		)
		if (expected instanceof Refusal || got instanceof Refusal) return requireBothRefuse(got, expected)
		const rows = got.rows.map(row => this.#normal(asked, row.map(textOf)))
		const all = expected.map(row => this.#normal(asked, row))
		const isCut = all.length > asked.limit
		requireSame('number of groups', [rows.length, got.isTruncated], [Math.min(all.length, asked.limit), isCut])
		const known = new Set(all)
		for (const row of rows) if (!known.has(row)) throw new Difference('group', row, all)
		const isInOrder = groups.some(({ column, interval }) => interval !== undefined || isTime(this.typeOf(column)))
		if (isOrdered ? order.measure === 'group' : isInOrder) return
		const sign = isOrdered && direction === 'asc' ? 1 : -1
		const countIn = (row: readonly unknown[]) => Number(row[groups.length])
		const counts = expected.map(countIn).toSorted((a, b) => sign * (a - b))
		requireSame('counts', got.rows.map(countIn), counts.slice(0, asked.limit))
	}

	async #groupsOf(query: AggregateQuery): Promise<readonly Texts[] | Refusal> {
		const refused = await this.model({ ...query, sort: [] })
		if (refused instanceof Refusal) return refused
		const ofAll = new Set(['count', 'distinct', 'min', 'max'])
		const isNumber = (column: string) => this.typeOf(column).isNumber || this.typeOf(column).sql === 'oid'
		if (query.measures.some(measure => !ofAll.has(measure.function) && !isNumber(measure.column)))
			return new Refusal('no number')
		return this.sql(aggregateSql(this.#table, query)).catch(refusalOf)
	}

	/** Equal values may be printed differently, and sums of decimals depend on the order of rows. */
	#normal({ groups, measures }: AggregateQuery, row: Texts): string {
		const values = row.map((text, at) => {
			if (text === null || at === groups.length) return text
			const measure = measures[at - groups.length - 1]
			const type = this.typeOf(groups[at]?.column ?? measure?.column ?? '')
			if (groups[at]?.interval !== undefined && isTime(type)) return momentOf(text)
			const isComputed =
				measure !== undefined && ['sum', 'avg', 'median', 'p90', 'p95', 'p99'].includes(measure.function)
			if (isComputed || type.sql === 'real' || type.sql === 'double precision') return Number(text).toPrecision(5)
			return type.isNumber ? String(Number(text)) : (type.sameAs?.(text) ?? text)
		})
		return JSON.stringify(values)
	}

	protected override async requireExported(
		text: string,
		exported: Parameters<RandomTable['requireExported']>[1],
	): Promise<void> {
		if (exported.format !== 'sql') return super.requireExported(text, exported)
		const stored = await this.stored()
		await this.sql('begin')
		try {
			await this.sql(`truncate ${this.name}`)
			if (text !== '') await this.#client.query(text)
			this.rows = undefined
			const made = await this.stored()
			const numbers = new Set(exported.expected.map(({ number }) => number))
			if (exported.limit === undefined) requireSame('rows', [...made.keys()].toSorted(), [...numbers].toSorted())
			for (const [number, texts] of made) requireSame('row', texts, stored.get(number))
		} catch (error) {
			// Rows of children may break the key of the parent, or rows a constraint that was not validated.
			if (error instanceof Difference || !/duplicate key|not-null/.test(String(error))) throw error
		} finally {
			await this.sql('rollback')
			this.rows = stored
		}
	}

	/** Changes some rows, and compares what is stored with the same changes by the other client. */
	async #askChanges(): Promise<void> {
		if (this.isView) return
		const { random } = this
		const rows = await this.readAll()
		const places = await this.sql(`select ${this.#number}, tableoid::regclass, ctid from ${this.name}`)
		const changes: Change[] = []
		const own: string[] = []
		for (const { number, id, version } of random.some(rows, 0, 2)) {
			// Of twins, each is as good as the other. They stay equal, or differ by their number.
			const twins = places.filter(([n]) => n === number)
			const [, child = '', ctid] =
				twins.find(([, child, ctid]) => !own.some(sql => sql.endsWith(placeSql(child, ctid)))) ?? []
			const identified = { rowId: id, ...(version !== undefined && { version }) }
			if (random.chance(0.3)) {
				changes.push({ kind: 'delete', ...identified })
				own.push(`delete from ${this.name}${placeSql(child, ctid)}`)
				continue
			}
			const values = this.newValues(this.columns, random.int(1, 3), twins.length > 1)
			changes.push({ kind: 'update', ...identified, set: cellsIn(values) })
			const set = values.map(({ name, sql }) => `${inQuotes(name)} = ${sql}`).join(', ')
			own.push(`update ${this.name} set ${set}${placeSql(child, ctid)}`)
		}
		if (random.chance(0.4) || changes.length === 0) {
			const values = this.newValues(this.columns, random.int(0, 4), true)
			changes.push({ kind: 'insert', values: cellsIn(values) })
			const [names, all] = [values.map(({ name }) => inQuotes(name)), values.map(({ sql }) => sql)]
			own.push(`insert into ${this.name} (${names.join(', ')}) values (${all.join(', ')})`)
		}
		const isStale = random.chance(0.1) && changes.some(({ kind }) => kind !== 'insert')
		this.asked = { changes, own, isStale }
		if (isStale) {
			const written = await this.sql(`update ${this.name} set ${this.#number} = ${this.#number}`).catch(refusalOf)
			// A row breaks a constraint that was not validated.
			if (written instanceof Refusal) return
		}
		const before = await this.state()
		const expected = isStale ? new Refusal('another client wrote') : await this.stateAfter(own)
		const outcomes = await this.connection.applyChanges(this.name, changes, call)
		const got = [outcomes.every(({ status }) => status === 'applied'), await this.state()]
		const wanted = expected instanceof Refusal ? [false, before] : [true, expected]
		requireSame(`what is stored after ${JSON.stringify(outcomes)}`, got, wanted)
		for (const outcome of outcomes) {
			if (outcome.status !== 'applied' || outcome.rowId === undefined) continue
			const number = this.numberIn(await this.requireRow(outcome.rowId))
			if (outcome.values) await this.requireCells({ number, cells: new Map(Object.entries(outcome.values)) })
		}
	}

	protected newValue({ name, type, computed }: TestColumn): NewValue {
		const { random } = this
		if (random.chance(0.2)) return { name, cell: null, sql: computed ? "'computed'" : 'null' }
		const text = random.pick(random.chance(0.1) ? [...(type.probes ?? []), ...type.values] : type.values)
		return { name, cell: cellOf(type.cell, text), sql: computed ? "'computed'" : literal(text) }
	}
}

const placeSql = (child: string | null = '', ctid: string | null = '') =>
	` where tableoid = ${literal(child ?? '')}::regclass and ctid = '${ctid}'`
const isTime = ({ isMoment, compared }: Type) => isMoment === true || compared === 'timestamp'

/** Infinity stays text. */
function momentOf(text: string): string {
	const ms = Date.parse(text.includes('+') ? text.replace(/([+-]\d\d)$/, '$1:00') : `${text}Z`)
	return Number.isNaN(ms) ? text : String(ms)
}

function cellOf(kind: Type['cell'], text: string): Cell {
	if (kind === 'boolean' && /^(true|false)$/.test(text)) return text === 'true'
	if (kind === 'json') return { json: text }
	const isBytes = kind === 'bytes' && /^\\x([0-9a-f]{2})*$/.test(text)
	return isBytes ? { bytes: Buffer.from(text.slice(2), 'hex').toString('base64') } : text
}

/** Returns what the server prints for the value of a cell, or its beginning. */
function textOf(cell: Cell): string | null {
	if (cell === null) return null
	if (typeof cell === 'boolean') return cell ? 't' : 'f'
	if (typeof cell !== 'object') return String(cell)
	if ('bytes' in cell) return `\\x${Buffer.from(cell.bytes, 'base64').toString('hex')}`
	if ('number' in cell) return cell.number
	if ('json' in cell) return cell.cutFrom === undefined ? cell.json : cell.json.slice(0, -3)
	return 'text' in cell ? cell.text : 'missing'
}

/** An error of the server is a refusal of the model. */
function refusalOf(error: unknown): Refusal {
	if (error instanceof Refusal) return error
	if (error instanceof pg.DatabaseError) return new Refusal(error.message)
	throw error
}
