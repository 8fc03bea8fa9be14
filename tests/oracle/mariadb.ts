import {
	type AggregateQuery,
	type Cell,
	type Change,
	decode,
	type Filter,
	type FilterOperator,
	type GridQuery,
	type JsonObject,
	measureFunctions,
	parseJson,
	stringifyJson,
} from '@roundhouse/kit'
import mysql from 'mysql2/promise'
import { hasServer, password, startServer } from '../../plugins/mariadb/servers/server.ts'
import { connected } from '../../plugins/mariadb/test/connection.ts'
import { Refusal } from './answer.ts'
import { Difference, orRefusal, requireBothRefuse, requireSame } from './difference.ts'
import { oddNames, type Type, types, whole } from './mariadb-types.ts'
import type { Oracle } from './oracle.ts'
import type { Random } from './random.ts'
import { call, type RandomTable, type ReadRow, type TableParts } from './random-table.ts'
import { cellsIn, type NewValue, RelationalTable, type Texts } from './relational-table.ts'

/** Compares the driver for MariaDB with a real server that another client asks; `undefined` if this machine has none. */
export async function openMariadb(): Promise<Oracle | undefined> {
	if (!hasServer) return undefined
	await using owned = new AsyncDisposableStack()
	const server = owned.use(await startServer())
	const connection = owned.use(await connected(server.settings))
	const client = await mysql.createConnection({
		socketPath: server.socketPath,
		user: 'root',
		password,
		database: 'shop',
		charset: 'utf8mb4',
		rowsAsArray: true,
		multipleStatements: true,
		// Texts as the server prints them.
		typeCast: field => field.string(),
	})
	owned.defer(() => client.end())
	await client.query(
		"set time_zone = '+00:00', sql_mode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,NO_AUTO_VALUE_ON_ZERO'",
	)
	const moved = owned.move()
	return {
		driver: {
			folder: new URL('../../plugins/mariadb', import.meta.url).pathname,
			id: 'mariadb',
			settings: server.settings,
		},
		questionsOfTable: 25,
		async openTable(random) {
			const made = await makeTable(random, client)
			const parts = {
				name: `shop.${made.from}`,
				numberColumn: made.number,
				description: made.sql.join(';\n'),
				connection,
				random,
			}
			const dispose = async () => void (await client.query('drop database shop; create database shop; use shop'))
			return Object.assign(new MariadbTable(parts, made, client), { [Symbol.asyncDispose]: dispose })
		},
		[Symbol.asyncDispose]: () => moved.disposeAsync(),
	}
}

interface TestColumn {
	readonly name: string
	readonly type: Type
	readonly isRequired?: boolean
	/** An expression, if the server computes the column. */
	readonly computed?: string
}

interface TestTable {
	/** As SQL. */
	readonly from: string
	readonly columns: readonly TestColumn[]
	/** Name of the column with the numbers, which are unique. */
	readonly number: string
	/** The statements that made it. */
	readonly sql: readonly string[]
}

const inQuotes = (name: string) => `\`${name.replaceAll('`', '``')}\``
const literal = (text: string) => `_utf8mb4 x'${Buffer.from(text).toString('hex')}'`

function sqlOf({ written }: Type, text: string): string {
	if (written === 'bytes') return `x'${text}'`
	if (written === 'bits') return `b'${text}'`
	return written === undefined ? literal(text) : text
}

async function makeTable(random: Random, client: mysql.Connection): Promise<TestTable> {
	const [title = '', number = '', ...names] = random.some(oddNames, oddNames.length, oddNames.length)
	const count = random.int(1, 6)
	const isView = random.chance(0.1)
	// In a view, a document is a text.
	const usable = isView ? types.filter(({ cell }) => cell !== 'json') : types
	const columns: TestColumn[] = names
		.slice(0, count)
		.map(name => ({ name, type: random.pick(usable), isRequired: random.chance(0.25) }))
	columns.splice(random.int(0, count), 0, { name: number, type: whole, isRequired: true })
	if (random.chance(0.15))
		columns.push({ name: names[count] ?? 'computed', type: whole, computed: `${inQuotes(number)} * 2` })
	const valued = columns.filter(({ computed }) => computed === undefined)
	const [keyed] = random.some(
		valued.filter(({ type, name, isRequired }) => isRequired && name !== number && isKeyable(type)),
		0,
		1,
	)
	const key = random.weighted([
		[3, [number]],
		[3, keyed && [keyed.name]],
		[1, keyed && [keyed.name, number]],
		[2, undefined],
	])
	const rest = [
		...(key ? [`primary key (${key.map(inQuotes).join(', ')})`] : []),
		...(random.chance(0.2) ? [`key (${inQuotes(number)})`] : []),
	]
	const defined = columns.map(
		({ name, type, computed, isRequired }) =>
			`${inQuotes(name)} ${type.sql}${computed ? ` as (${computed}) ${random.pick(['virtual', 'stored'])}` : isRequired ? ' not null' : ''}`,
	)
	const parts =
		key?.includes(number) && random.chance(0.2) ? ` partition by hash (${inQuotes(number)}) partitions 3` : ''
	const table = isView ? '`base table`' : inQuotes(title)
	const sql: string[] = []
	const run = async (statement: string) => {
		sql.push(statement)
		await client.query(statement)
	}
	await run(`create table ${table} (${[...defined, ...rest].join(', ')})${parts}`)
	const list = valued.map(({ name }) => inQuotes(name)).join(', ')
	const valueIn = ({ name, type, isRequired }: TestColumn, at: number) =>
		name === number ? String(at) : !isRequired && random.chance(0.2) ? 'null' : sqlOf(type, random.pick(type.values))
	const rows = Array.from(
		{ length: random.int(0, 24) },
		(_, at) => `(${valued.map(column => valueIn(column, at + 1)).join(', ')})`,
	)
	if (rows.length > 0) await run(`insert ignore into ${table} (${list}) values ${rows.join(', ')}`)
	if (random.chance(0.3)) await run(`analyze table ${table}`)
	if (!isView) return { from: table, columns, number, sql }
	await run(`create view ${inQuotes(title)} as select * from ${table}`)
	return {
		from: inQuotes(title),
		columns: columns.map(({ computed: _, ...column }) => ({ ...column, computed: 'a view' })),
		number,
		sql,
	}
}

/** A longer value has no place in an index. */
const isKeyable = ({ sql }: Type) => !/text|blob|json/.test(sql)

class MariadbTable extends RelationalTable<TestColumn> {
	readonly #table: TestTable
	readonly #client: mysql.Connection
	/** The numbers, in quotes. */
	readonly #number: string

	constructor(parts: TableParts, table: TestTable, client: mysql.Connection) {
		super(parts)
		this.#table = table
		this.#client = client
		this.#number = inQuotes(table.number)
	}

	get writableColumns(): readonly string[] {
		return this.#table.columns.filter(({ computed }) => !computed).map(({ name }) => name)
	}

	protected get isView(): boolean {
		return this.#table.columns.some(({ computed }) => computed === 'a view')
	}

	protected get columns(): readonly TestColumn[] {
		return this.#table.columns
	}

	protected isSortable(): boolean {
		return true
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
		const raws = [
			`${number} % 3 = 0`,
			`${number} > 5 or false`,
			`${number} < 9 -- end`,
			'/* all */ true',
			'null',
			`${number} > 1e0`,
		]
		return { ...super.question(), ...(random.chance(0.1) && { raw: random.pick(raws) }) }
	}

	async model(query: GridQuery) {
		try {
			const offered = await this.described()
			for (const { column, operator } of query.filters)
				if (!offered.get(column)?.includes(operator)) throw new Refusal(`${column} offers no ${operator}`)
			const order = query.sort.map(({ column, direction }) => `${inQuotes(column)} ${direction}`).join(', ') || '1'
			const condition = this.#conditionSql(query)
			const found = await this.sql(
				`select ${this.#number}, dense_rank() over (order by ${order}) from ${this.#table.from} where ${condition}`,
			)
			return { rows: found.map(([number, rank]) => ({ number: number ?? '', rank: Number(rank) })) }
		} catch (error) {
			return refusalOf(error)
		}
	}

	#conditionSql({ filters, match, raw }: Pick<GridQuery, 'filters' | 'match' | 'raw'>): string {
		const all = filters.map(filter => `(${filterSql(this.typeOf(filter.column), filter)})`)
		const fitting = all.length === 0 ? 'true' : `(${all.join(match === 'all' ? ' and ' : ' or ')})`
		return raw === undefined ? fitting : `${fitting} and (${raw}\n)`
	}

	protected async sql(text: string): Promise<readonly Texts[]> {
		const [rows] = await this.#client.query(text)
		return Array.isArray(rows) ? (rows as unknown as readonly Texts[]) : []
	}

	/** All rows, with what a cell shows of each column. */
	protected async printed(): Promise<readonly Texts[]> {
		const printed = this.#table.columns.map(({ name, type }) => printedSql(type, inQuotes(name)))
		return this.sql(`select ${printed.join(', ')} from ${this.#table.from}`)
	}

	async state(): Promise<readonly string[]> {
		this.rows = undefined
		return (await this.printed()).map(row => JSON.stringify(row)).toSorted()
	}

	protected async requireCells({ number, cells }: Pick<ReadRow, 'number' | 'cells'>): Promise<void> {
		for (const [{ name, type }, text] of await this.textsOf(number)) {
			const shown = normal(type, textOf(cells.get(name) ?? null))
			// A cell has the first 10,000 characters.
			const wanted = normal(type, text)?.slice(0, type.cell === 'bytes' ? undefined : 10_000) ?? null
			requireSame(`cell of ${name} (${type.sql})`, shown, wanted)
		}
	}

	protected async requireRecord(record: ReadonlyMap<string, string | null>): Promise<void> {
		for (const [{ name, type }, text] of await this.textsOf(record.get(this.numberColumn) ?? '')) {
			if (!record.has(name)) continue
			requireSame(`value of ${name} (${type.sql})`, normal(type, record.get(name) ?? null), normal(type, text))
		}
	}

	protected async requireDocument(document: JsonObject): Promise<void> {
		const texts = await this.textsOf(this.numberIn(document))
		requireSame('members', Object.keys(document).toSorted(), texts.map(([{ name }]) => name).toSorted())
		for (const [{ name, type }, text] of texts) {
			const value = document[name] ?? null
			if (text === null || type.cell === 'json') {
				requireSame(`value of ${name} (${type.sql})`, value, text === null ? null : parseJson(text))
				continue
			}
			const isBytes = type.cell === 'bytes' && typeof value === 'string'
			const shown = isBytes
				? `\\x${Buffer.from(value, 'base64').toString('hex')}`
				: typeof value === 'string'
					? value
					: stringifyJson(value)
			requireSame(`value of ${name} (${type.sql})`, normal(type, shown), normal(type, text))
		}
	}

	get #hasKey(): boolean {
		return /primary key/.test(this.description)
	}

	override async deleteAndInsert(numbers: readonly string[]): Promise<string | undefined> {
		if (this.isView || !this.#hasKey) return undefined
		this.rows = undefined
		const names = this.writableColumns.map(inQuotes)
		const copied = names.map(name => (name === this.#number ? this.next : name)).join(', ')
		this.next++
		const deleted = this.random.pick(numbers)
		await this.sql(`delete from ${this.#table.from} where ${this.#number} = ${deleted}`)
		await this.sql(
			`insert ignore into ${this.#table.from} (${names.join(', ')}) select ${copied} from ${this.#table.from} limit 1`,
		)
		return deleted
	}

	async #askGroups(): Promise<void> {
		const { random } = this
		const { sort: _, ...query } = this.question()
		const groups = random.some(this.#table.columns, 0, 2).map(({ name, type }) => {
			const intervals = isNumber(type) ? ['10', '0.5'] : isTime(type) ? ['day', 'month', 'year'] : []
			return { column: name, ...(intervals.length > 0 && random.chance(0.6) && { interval: random.pick(intervals) }) }
		})
		const measures = random
			.some(this.#table.columns, 0, 2)
			.map(({ name }) => ({ function: random.pick(measureFunctions), column: name }))
		const asked: AggregateQuery = { ...query, groups, measures, limit: random.pick([1, 3, 50]) }
		this.asked = asked
		const expected = await this.#groupsOf(asked)
		const got = await orRefusal(async () =>
			decode((await this.connection.aggregate?.(asked, call)) ?? new Uint8Array()),
		)
		if (expected instanceof Refusal || got instanceof Refusal) return requireBothRefuse(got, expected)
		const rows = got.rows.map(row => this.#normalGroup(asked, row.map(textOf)))
		const all = expected.map(row => this.#normalGroup(asked, row))
		const isCut = all.length > asked.limit
		requireSame('number of groups', [rows.length, got.isTruncated], [Math.min(all.length, asked.limit), isCut])
		const known = new Set(all)
		for (const row of rows) if (!known.has(row)) throw new Difference('group', row, all)
		if (groups.some(({ column, interval }) => interval !== undefined || isTime(this.typeOf(column)))) return
		const counts = expected.map(row => Number(row[groups.length])).toSorted((a, b) => b - a)
		requireSame(
			'counts',
			got.rows.map(row => Number(textOf(row[groups.length] ?? null))),
			counts.slice(0, asked.limit),
		)
	}

	async #groupsOf(query: AggregateQuery): Promise<readonly Texts[] | Refusal> {
		const refused = await this.model({ ...query, sort: [] })
		if (refused instanceof Refusal) return refused
		const ofAll = new Set(['count', 'distinct', 'min', 'max'])
		for (const { function: computed, column } of query.measures) {
			if (/median|^p\d/.test(computed)) return new Refusal('no percentile')
			if (!ofAll.has(computed) && !isNumber(this.typeOf(column))) return new Refusal('no number')
		}
		const groups = query.groups.map(({ column, interval }) => {
			const name = inQuotes(column)
			if (interval === undefined) return name
			if (Number(interval) > 0) return `floor(${name} / ${interval}) * ${interval}`
			const forms = { day: '%Y-%m-%d 00:00:00', month: '%Y-%m-01 00:00:00', year: '%Y-01-01 00:00:00' }
			return `date_format(${name}, '${forms[interval as 'day']}')`
		})
		const measures = query.measures.map(({ function: computed, column }) =>
			computed === 'distinct' ? `count(distinct ${inQuotes(column)})` : `${computed}(${inQuotes(column)})`,
		)
		const by = groups.length === 0 ? '' : ` group by ${groups.map((_, at) => at + 1).join(', ')}`
		const sql = `select ${[...groups, 'count(*)', ...measures].join(', ')} from ${this.#table.from} where ${this.#conditionSql(query)}${by}`
		return this.sql(sql).catch(refusalOf)
	}

	/** Of equal texts, a group shows either. Sums of doubles depend on the order of rows. */
	#normalGroup({ groups, measures }: AggregateQuery, row: Texts): string {
		const values = row.map((text, at) => {
			const measure = measures[at - groups.length - 1]
			if (text === null || at === groups.length || measure?.function === 'count' || measure?.function === 'distinct')
				return text
			const type = this.typeOf(groups[at]?.column ?? measure?.column ?? '')
			if (groups[at]?.interval !== undefined && isTime(type)) return text.replace(/\.0+$/, '')
			if (isNumber(type)) return Number(Number(text).toPrecision(5))
			return isTime(type) ? text : ''
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
			await this.sql(`delete from ${this.#table.from}`)
			if (text !== '') await this.#client.query(text)
			this.rows = undefined
			const made = await this.stored()
			const numbers = exported.expected.map(({ number }) => number)
			if (exported.limit === undefined) requireSame('rows', [...made.keys()].toSorted(), numbers.toSorted())
			for (const [number, texts] of made) requireSame('row', texts, stored.get(number))
		} finally {
			await this.sql('rollback')
			this.rows = stored
		}
	}

	/** Changes some rows, and compares what is stored with the same changes by the other client. */
	async #askChanges(): Promise<void> {
		if (this.isView) return
		const { random } = this
		const changes: Change[] = []
		const own: string[] = []
		const from = this.#table.from
		const valued = this.columns.filter(({ computed }) => computed === undefined)
		for (const { number, id, version } of random.some(await this.readAll(), 0, 2)) {
			const identified = { rowId: id, ...(version !== undefined && { version }) }
			const where = ` where ${this.#number} = ${number}`
			if (random.chance(0.3)) {
				changes.push({ kind: 'delete', ...identified })
				own.push(`delete from ${from}${where}`)
				continue
			}
			const values = this.newValues(valued, random.int(1, 3), false)
			changes.push({ kind: 'update', ...identified, set: cellsIn(values) })
			own.push(`update ${from} set ${values.map(({ name, sql }) => `${inQuotes(name)} = ${sql}`).join(', ')}${where}`)
		}
		if (random.chance(0.4) || changes.length === 0) {
			const values = this.newValues(valued, random.int(0, 4), true)
			changes.push({ kind: 'insert', values: cellsIn(values) })
			const [names, all] = [values.map(({ name }) => inQuotes(name)), values.map(({ sql }) => sql)]
			own.push(`insert into ${from} (${names.join(', ')}) values (${all.join(', ')})`)
		}
		const isStale = random.chance(0.1) && changes.some(({ kind }) => kind !== 'insert')
		this.asked = { changes, own, isStale }
		if (isStale)
			await this.sql(`update ${from} set ${this.#number} = ${this.#number} + 100000 order by ${this.#number} desc`)
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

	protected newValue({ name, type }: TestColumn): NewValue {
		if (this.random.chance(0.2)) return { name, cell: null, sql: 'null' }
		const text = this.random.pick(type.values)
		return { name, cell: cellOf(type.cell, text), sql: sqlOf(type, text) }
	}
}

const isNumber = ({ cell }: Type) => cell === 'number'
const isTime = ({ isMoment, sql }: Type) => isMoment === true || sql === 'date'

const signs: Readonly<Partial<Record<FilterOperator, string>>> = {
	equals: '=',
	not_equals: '<>',
	less: '<',
	less_or_equal: '<=',
	greater: '>',
	greater_or_equal: '>=',
}

/** @throws Refusal */
function filterSql(type: Type, { column, operator, values }: Filter): string {
	const name = inQuotes(column)
	if (operator === 'exists') return `${name} is not null`
	if (operator === 'missing') return `${name} is null`
	const isList = operator === 'in' || operator === 'not_in'
	const count = operator === 'between' ? 2 : 1
	if (isList ? values.length === 0 : values.length !== count) throw new Refusal(`${values.length} values`)
	const [first = '', second = ''] = values
	const pattern = patternOf(operator, first)
	if (pattern !== undefined) return `lower(cast(${name} as char)) like lower(${literal(pattern)})`
	const compare = (sign: string, value: string) => {
		const sql = type.written === 'float' ? `cast(${value} as float)` : sqlOf(type, value)
		if (!type.isMoment || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return `${name} ${sign} ${sql}`
		const [day, next] = [`cast(${sql} as datetime)`, `(cast(${sql} as datetime) + interval 1 day)`]
		if (sign === '=') return `(${name} >= ${day} and ${name} < ${next})`
		if (sign === '<>') return `(${name} < ${day} or ${name} >= ${next})`
		if (sign === '>') return `${name} >= ${next}`
		return sign === '<=' ? `${name} < ${next}` : `${name} ${sign} ${day}`
	}
	if (operator === 'between') return `${compare('>=', first)} and ${compare('<=', second)}`
	if (operator === 'in') return values.map(value => compare('=', value)).join(' or ')
	if (operator === 'not_in') return values.map(value => compare('<>', value)).join(' and ')
	return compare(signs[operator] ?? '', first)
}

function patternOf(operator: FilterOperator, text: string): string | undefined {
	const plain = text.replaceAll(/[\\%_]/g, '\\$&')
	if (operator === 'contains') return `%${plain}%`
	if (operator === 'starts_with') return `${plain}%`
	if (operator === 'ends_with') return `%${plain}`
	return operator === 'wildcard' ? plain.replaceAll('*', '%').replaceAll('?', '_') : undefined
}

/** Returns what prints a value as a cell shows it: all digits of a FLOAT, bytes in hexadecimal digits. */
function printedSql({ sql, written }: Type, name: string): string {
	if (written === 'bytes') return `concat('\\\\x', lower(hex(${name})))`
	if (written === 'bits') return `lpad(bin(${name} + 0), 9, '0')`
	return written === 'float' ? `${name} + 0e0` : sql === 'json' ? `cast(${name} as char)` : name
}

/** A FLOAT has many texts. */
const normal = ({ written }: Type, text: string | null) =>
	written === 'float' && text !== null ? String(Math.fround(Number(text))) : text

function cellOf(kind: Type['cell'], text: string): Cell {
	if (kind === 'json') return { json: text }
	return kind === 'bytes' ? { bytes: Buffer.from(text, 'hex').toString('base64') } : text
}

/** Returns what the server prints for the value of a cell, or its beginning. */
function textOf(cell: Cell): string | null {
	if (cell === null) return null
	if (typeof cell !== 'object') return String(cell)
	if ('bytes' in cell) return `\\x${Buffer.from(cell.bytes, 'base64').toString('hex')}`
	if ('number' in cell) return cell.number
	if ('json' in cell) return cell.cutFrom === undefined ? cell.json : cell.json.slice(0, -3)
	return 'text' in cell ? cell.text : 'missing'
}

/** An error of the server is a refusal of the model. */
function refusalOf(error: unknown): Refusal {
	if (error instanceof Refusal) return error
	if (error instanceof Error && 'errno' in error) return new Refusal(error.message)
	throw error
}
