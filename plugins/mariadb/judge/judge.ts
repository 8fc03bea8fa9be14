import { literal } from '../sql/literals.ts'
import { nameOf, namesSql, type QualifiedName } from '../sql/names.ts'
import type { Session } from '../wire/session.ts'
import { type Reading, type ReadingOptions, readingOf, tablesOf } from './reading.ts'

/**
 * Decides whether a statement of an AI client is known to act on nothing. Its text must be a read, and so must be what its
 * names may stand for: views, with what they read, and virtual columns.
 */

/** Views may be made of views. No definition refers to itself, so the rounds end before that. */
const mostRounds = 50
const mostNames = 2_000

/** Engines whose tables lie in this server. A table of another one may run something elsewhere when it is read. */
const localEngines = new Set(
	'innodb myisam aria memory csv archive mrg_myisam mrg_myisam sequence blackhole performance_schema rocksdb columnstore tokudb ndbcluster ndbinfo s3 mroonga'.split(
		' ',
	),
)

/** Their views are the server's own. `sys` is not among them: its views call routines. */
const builtInSchemas = ['information_schema', 'performance_schema', 'mysql']

const isBuiltIn = (place: QualifiedName | undefined) => place !== undefined && builtInSchemas.includes(place.database)

export interface Judgement extends Reading {
	/** What was looked up, to see later whether it is still the same: compare as texts. */
	readonly definitions: readonly string[]
}

/**
 * Judges one statement. @param database where names without a database are looked up; default: that of the session
 */
export async function judge(
	session: Session,
	sql: string,
	{
		database,
		signal,
		...options
	}: Omit<ReadingOptions, 'product'> & { readonly database?: string; readonly signal: AbortSignal },
): Promise<Judgement> {
	const { product } = session.server
	const reading = readingOf(sql, { ...options, product })
	const definitions: string[] = []
	const refused = (reason: string): Judgement => ({ ...reading, reason, definitions })
	if (reading.reason !== undefined) return { ...reading, definitions }
	const names = new Set(reading.names)
	const seen = new Set<string>()
	const visible = new Set<string>()
	/** Tables that a view reads: with the rights of its maker, so the role need not see them. */
	const read: QualifiedName[] = []
	let isFolded = false
	for (let round = 0; round < mostRounds; round++) {
		if (names.size > mostNames) return refused('It has more names than can be looked up.')
		const before = names.size
		const { rows } = await session.read({ sql: lookUp([...names], database) }, signal)
		for (const [kind, schema, table, text] of rows) {
			if (kind === 'case') {
				isFolded = text !== '0'
				continue
			}
			const place = nameOf({ database: String(schema), table: String(table) })
			if (kind !== 'column') visible.add(place)
			const definition = `${kind} ${place} ${text}`
			if (seen.has(definition)) continue
			seen.add(definition)
			definitions.push(definition)
			if (kind === 'engine') {
				if (!localEngines.has(String(text).toLowerCase()))
					return refused(`It reads ${place}, whose rows are kept by the engine ${text}.`)
				continue
			}
			if (text === null || text === '') return refused(`It reads ${place}, whose definition your role may not see.`)
			// The server writes names in backticks, and texts with backslashes, under every mode.
			const inside = readingOf(kind === 'view' ? String(text) : `select ${text}`, { product })
			if (inside.reason !== undefined) return refused(`It reads ${place}. ${inside.reason}`)
			for (const name of inside.names) names.add(name)
			if (kind === 'view') read.push(...tablesOf(String(text)))
		}
		if (names.size > before) continue
		const folded = (name: string) => (isFolded ? name.toLowerCase() : name)
		const known = new Set([...visible].map(folded))
		const hidden = read.map(nameOf).find((name, at) => !known.has(folded(name)) && !isBuiltIn(read[at]))
		return hidden === undefined
			? { ...reading, definitions }
			: refused(`It reads ${hidden}, which your role may not see.`)
	}
	return refused('Its views are made of too many views.')
}

/** Views, virtual columns and engines of all that may be meant: a name counts as a table in each database that is named. */
function lookUp(names: readonly string[], database: string | undefined): string {
	const list = namesSql(names)
	const main = database === undefined ? 'database()' : literal(database)
	const excluded = builtInSchemas.map(name => `'${name}'`).join(', ')
	// As bytes: for the catalog MYSQL and mýsql are equal to mysql, but each may be another database.
	const where = `table_name in (${list}) and (table_schema = ${main} or table_schema in (${list})) and cast(table_schema as binary) not in (${excluded})`
	return `
select 'view', table_schema, table_name, view_definition from information_schema.views where ${where}
union all
select 'column', table_schema, table_name, generation_expression from information_schema.columns
where ${where} and generation_expression <> ''
union all
select 'engine', table_schema, table_name, engine from information_schema.tables where ${where} and engine is not null
union all
select 'case', '', '', @@lower_case_table_names
order by 1, 2, 3, 4`
}
