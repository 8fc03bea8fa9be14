import type pg from 'pg'
import { oddNames, type Type, types } from './postgres-types.ts'
import type { Random } from './random.ts'

/** A random table of PostgreSQL, with rows that the test knows by the number in one of its columns. */
export interface TestColumn {
	readonly name: string
	readonly type: Type
	readonly isRequired?: boolean
	/** An expression, if the server computes the column. */
	readonly computed?: string
}

export interface TestTable {
	/** As SQL, with its schema, which is also its name for the driver. */
	readonly sql: string
	readonly columns: readonly TestColumn[]
	/** Name of the column with the numbers. Only twins of a table without a key share one. */
	readonly number: string
	readonly kind: Kind
	/** The statements that made it. */
	readonly made: readonly string[]
}

type Kind = 'table' | 'partitioned' | 'parent' | 'view' | 'materialized view'

export const inQuotes = (name: string) => `"${name.replaceAll('"', '""')}"`
export const literal = (text: string) => `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

const whole = types.find(({ sql }) => sql === 'int') as Type
const isLoose = ({ sql }: Type) => sql === 'text collate loose'
/** Equal texts that differ, composites that look like NULL, and texts of JSON have more ways to be wrong than others. */
const hard = types.filter(type => isLoose(type) || type.sql === 'pair' || type.sql === 'jsonb')

/** Makes a table in a new schema. Statements that this version of the server does not know are left out. */
export async function makeTable(random: Random, client: pg.Client, schema: string): Promise<TestTable> {
	const made: string[] = []
	const run = async (sql: string) => {
		await client.query(sql)
		made.push(sql)
	}
	const kind = random.weighted<Kind>([
		...([
			[5, 'table'],
			[2, 'partitioned'],
			[3, 'parent'],
			[1, 'view'],
			[0.5, 'materialized view'],
		] as const),
	])
	await run(`create schema ${schema}`)
	const [title = '', ...names] = random.some(oddNames, oddNames.length, oddNames.length)
	const count = random.int(2, 7)
	const columns: TestColumn[] = names.slice(0, count).map(name => {
		return { name, type: random.pick(random.chance(0.1) ? hard : types), isRequired: random.chance(0.25) }
	})
	const number = names[count] ?? 'number'
	columns.splice(random.int(0, count), 0, { name: number, type: whole })
	if (random.chance(0.15))
		columns.push({ name: names[count + 1] ?? 'computed', type: whole, computed: `${inQuotes(number)} * 2` })
	const isNamed = kind === 'table' || kind === 'partitioned' || kind === 'parent'
	const table = `${schema}.${inQuotes(isNamed ? title : 'base')}`
	const defined = columns.map(({ name, type, computed, isRequired }) => {
		const rest = computed ? ` generated always as (${computed}) stored` : isRequired ? ' not null' : ''
		return `${inQuotes(name)} ${type.sql}${rest}`
	})
	const keyNames = keyOf(random, { columns, number, kind })
	const key = keyNames && `primary key (${keyNames.map(inQuotes).join(', ')})`
	const gone = random.chance(0.2) ? ['gone int', ...defined] : defined
	const by = kind === 'partitioned' ? ` partition by ${random.pick(['hash', 'range'])} (${inQuotes(number)})` : ''
	await run(`create table ${table} (${[...gone, ...(key ? [key] : [])].join(', ')})${by}`)
	if (gone !== defined) await run(`alter table ${table} drop column gone`)
	const parts = by.includes('hash') ? hashParts : by.includes('range') ? rangeParts : []
	for (const [at, bounds] of parts.entries())
		await run(`create table ${schema}.part${at} partition of ${table} ${bounds}`)
	const children = kind === 'parent' ? [`${schema}.child`, `${schema}.grandchild`] : []
	for (const [at, child] of children.entries()) {
		const ownKey = key && random.chance(0.8) ? `, ${key}` : ''
		await run(`create table ${child} (more${at} text${ownKey}) inherits (${at === 0 ? table : children[0]})`)
	}
	const alone = columns.filter(({ type }) => !type.isUnordered && !isLoose(type))
	const loose = columns.find(({ type }) => isLoose(type))
	const [indexed] = random.some(alone, 0, 1)
	// An index whose equality is stricter than that of its column.
	const index = loose && random.chance(0.7) ? `${inQuotes(loose.name)} collate "C"` : indexed && inQuotes(indexed.name)
	const isUnique = by === '' && random.chance(0.5)
	if (index) await attempt(client, made, `create ${isUnique ? 'unique ' : ''}index on ${table} (${index})`)
	let next = 1
	for (const target of [table, ...children]) {
		const rows = Array.from({ length: random.int(0, children.length > 0 ? 9 : 24) }, () => next++)
		const valued = columns.filter(({ computed }) => computed === undefined)
		const values = rows.map(
			n => `(${valued.map(column => (column.name === number ? n : valueSql(random, column, keyNames))).join(', ')})`,
		)
		const list = valued.map(({ name }) => inQuotes(name)).join(', ')
		if (rows.length > 0) await run(`insert into ${target} (${list}) values ${values.join(', ')} on conflict do nothing`)
		if (!key && !index && random.chance(0.5))
			await run(`insert into ${target} (${list}) select ${list} from only ${target} limit ${random.int(1, 4)}`)
	}
	// A constraint that does not prove that no row has NULL.
	const nullable = columns.filter(
		({ name, isRequired, computed }) => !isRequired && !computed && name !== number && !keyNames?.includes(name),
	)
	const [claimed] = random.some(nullable, 0, 1)
	const claim = random.pick(['not valid', 'no inherit'])
	if (claimed)
		await attempt(
			client,
			made,
			`alter table ${table} add constraint claimed not null ${inQuotes(claimed.name)} ${claim}`,
		)
	// With statistics, PostgreSQL itself fails for each range of "char": cache lookup failed for collation 0.
	if (random.chance(0.5) && !columns.some(({ type }) => type.sql === '"char"')) await run(`analyze ${table}`)
	if (isNamed) return { sql: table, columns, number, kind, made }
	const view = `${schema}.${inQuotes(title)}`
	await run(`create ${kind} ${view} as select * from ${table}`)
	return { sql: view, columns, number, kind, made }
}

const hashParts = [0, 1, 2].map(part => `for values with (modulus 3, remainder ${part})`)
const rangeParts = ['for values from (1) to (8)', 'for values from (8) to (15)', 'default']

async function attempt(client: pg.Client, made: string[], sql: string): Promise<void> {
	await client.query(sql).then(
		() => made.push(sql),
		() => {},
	)
}

function keyOf(
	random: Random,
	{ columns, number, kind }: Pick<TestTable, 'columns' | 'number' | 'kind'>,
): readonly string[] | undefined {
	const [one, other] = random.some(
		columns.filter(({ type, computed, name }) => !type.isUnordered && !computed && name !== number),
		2,
		2,
	)
	const names = random.weighted([
		[3, undefined],
		[2, [number]],
		[3, one && [one.name]],
		[1, one && other && [one.name, other.name]],
		[1, one && [one.name, number]],
	])
	// A key of a partitioned table contains the column by which it is partitioned.
	return kind === 'partitioned' && names ? [...new Set([...names, number])] : names
}

function valueSql(random: Random, { name, type, isRequired }: TestColumn, keyNames: readonly string[] = []): string {
	return !isRequired && random.chance(0.2) && !keyNames.includes(name) ? 'null' : literal(random.pick(type.values))
}
