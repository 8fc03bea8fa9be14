import type { ResultBody, ResultOrigin } from '@roundhouse/kit'
import { literal } from '../sql/literals.ts'
import { nameOf } from '../sql/names.ts'
import type { Field } from '../wire/protocol.ts'
import type { Session } from '../wire/session.ts'

const keysOf = (tables: readonly string[]) => `
select table_schema, table_name, column_name from information_schema.statistics
where index_name = 'PRIMARY' and (table_schema, table_name) in (${tables.join(', ')}) order by seq_in_index`

const computedOf = (tables: readonly string[]) => `
select table_schema, table_name, column_name from information_schema.columns
where generation_expression <> '' and (table_schema, table_name) in (${tables.join(', ')})`

/**
 * Returns the tables whose primary key is in a result. The server says of each column from which use of which table it is.
 * An open transaction stays open.
 */
export async function originsOf(
	session: Session,
	fields: readonly Field[],
	signal: AbortSignal,
): Promise<Pick<Extract<ResultBody, { readonly view: 'rows' }>, 'origins'>> {
	const uses = Map.groupBy(
		// The fields are read by getters, which a copy would lose.
		fields
			.map(({ schema, table, orgTable, orgName }, at) => ({ schema, table, orgTable, orgName, at }))
			.filter(({ orgTable, orgName }) => orgTable !== '' && orgName !== ''),
		({ schema, orgTable, table }) => JSON.stringify([schema, orgTable, table]),
	)
	const tables = new Set([...uses.values()].flatMap(([first]) => (first ? [placeSql(first)] : [])))
	if (tables.size === 0) return {}
	const { rows } = await session.read({ sql: keysOf([...tables]) }, signal)
	const computed = new Set(
		(await session.read({ sql: computedOf([...tables]) }, signal)).rows.map(row => JSON.stringify(row)),
	)
	const keys = Map.groupBy(rows, ([schema, table]) => JSON.stringify([schema, table]))
	const origins: ResultOrigin[] = []
	for (const columns of uses.values()) {
		const [{ schema, orgTable } = { schema: '', orgTable: '' }] = columns
		const key = (keys.get(JSON.stringify([schema, orgTable])) ?? []).map(([, , name]) => ({
			column: String(name),
			at: columns.find(({ orgName }) => orgName === name)?.at ?? -1,
		}))
		if (key.length === 0 || key.some(({ at }) => at < 0)) continue
		origins.push({
			table: nameOf({ database: schema, table: orgTable }),
			key,
			columns: columns.map(({ at }) => at),
			names: columns.map(({ orgName }) => (computed.has(JSON.stringify([schema, orgTable, orgName])) ? '' : orgName)),
		})
	}
	return origins.length === 0 ? {} : { origins }
}

const placeSql = ({ schema, orgTable }: Pick<Field, 'schema' | 'orgTable'>) =>
	`(${literal(schema)}, ${literal(orgTable)})`
