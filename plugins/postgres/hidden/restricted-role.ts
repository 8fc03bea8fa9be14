import { DriverError } from '@roundhouse/kit'
import { inQuotes, qualified } from '../sql/names.ts'
import type { Session } from '../wire/session.ts'
import type { Closure } from './closure.ts'
import type { Relation } from './relation.ts'

/** SQL of a role that may read all but hidden columns. The server then keeps them from it, whatever a statement does. */

/** Relations that every role may read, as a whole or a column, each as schema and name. */
const publicSql = `
select distinct n.nspname, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
	left join pg_attribute a on a.attrelid = c.oid and a.attacl is not null and not a.attisdropped
	cross join lateral (select * from aclexplode(c.relacl) union all select * from aclexplode(a.attacl)) r
where c.oid >= 16384 and r.grantee = 0 and r.privilege_type = 'SELECT' order by 1, 2`

/** Functions that read with the rights of their owner, and that every role may call. */
const definerSql = `
select distinct n.nspname, p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
where p.oid >= 16384 and p.prosecdef and has_function_privilege('public', p.oid, 'execute') order by 1, 2`

const role = 'roundhouse_ai'

/** @throws DriverError `denied` if a marked table is gone */
export async function roleSql(session: Session, closure: Closure, signal: AbortSignal): Promise<string> {
	if (closure.refused !== undefined) throw new DriverError('denied', closure.refused)
	const [publicly, definers] = await session.readAll([{ sql: publicSql }, { sql: definerSql }], signal)
	const relations = [...closure.relations.values()].filter(({ isSystem, kind }) => !isSystem && kind !== 'S')
	const isFree = ({ refused }: Relation) => refused === undefined
	const schemas = [...new Set(relations.filter(isFree).map(({ schema }) => schema))]
	const grants = relations.filter(isFree).flatMap(relation => {
		const { columns, hidden } = relation
		const free = [...columns].filter(([attribute]) => !hidden.has(attribute)).map(([, name]) => inQuotes(name))
		if (free.length === 0) return [comment(`${nameOf(relation)} has hidden columns alone.`)]
		return [`grant select${hidden.size > 0 ? ` (${free.join(', ')})` : ''} on ${nameOf(relation)} to ${role};`]
	})
	const named = new Map(relations.map(relation => [nameOf(relation), relation]))
	const open = (publicly?.rows ?? []).flatMap(([schema, table]) => {
		const name = qualified({ schema: schema ?? '', table: table ?? '' })
		const relation = named.get(name)
		return relation && (relation.hidden.size > 0 || !isFree(relation)) ? [name] : []
	})
	const called = (definers?.rows ?? []).map(([schema, name]) => `${inQuotes(schema ?? '')}.${inQuotes(name ?? '')}`)
	return [
		comment(
			'A role that the server itself keeps from hidden columns. Run it as the owner of the tables or a superuser.',
		),
		comment('Remove the lines of tables that AI clients need not read. A new table needs a new line.'),
		`create role ${role} login password 'choose a password' nosuperuser nocreatedb nocreaterole noinherit noreplication nobypassrls;`,
		`alter role ${role} set default_transaction_read_only to on;`,
		`grant connect on database ${inQuotes(closure.database)} to ${role};`,
		...schemas.map(schema => `grant usage on schema ${inQuotes(schema)} to ${role};`),
		...grants,
		...relations.flatMap(({ refused }) => (refused === undefined ? [] : [comment(`Left out: ${refused}`)])),
		...(open.length > 0
			? [comment('Every role may read these. Without these lines the role could read them too:')]
			: []),
		...open.map(name => `revoke select on ${name} from public;`),
		...(called.length > 0
			? [comment('Every role may call these functions, which read with the rights of their owner. Look at them:')]
			: []),
		...called.map(comment),
	]
		.join('\n')
		.concat('\n')
}

const nameOf = ({ schema, name }: Relation) => qualified({ schema, table: name })

/** A name can have line ends. */
const comment = (text: string) => `-- ${text.replaceAll(/[\r\n]+/g, ' ')}`
