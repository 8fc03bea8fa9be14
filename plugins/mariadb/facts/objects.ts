import { type DatabaseObject, DriverError, type FactSection } from '@roundhouse/kit'
import { systemSchemas } from '../catalog/databases.ts'
import { literal } from '../sql/literals.ts'
import { inQuotes, nameOf, partsOf } from '../sql/names.ts'
import type { Session } from '../wire/session.ts'
import { codeSection, factsSection, failedSection } from './section.ts'

/** What a server has beside tables: routines, triggers, events, and users with their rights. */

interface ObjectKind {
	/** The level below the database that contains them. */
	readonly folder: string
	/** Rows of the database and the name. */
	readonly listing: string
	/** Titles of the values of `overview`, the first of which is a comment. */
	readonly titles: readonly string[]
	/** One row about the object in the database `?` with the name `?`. */
	readonly overview: string
	/** The column of SHOW CREATE that has the definition. */
	readonly column: RegExp
}

const routine = (kind: 'function' | 'procedure'): ObjectKind => ({
	folder: kind === 'function' ? 'Functions' : 'Procedures',
	listing: `select routine_schema, routine_name from information_schema.routines where routine_type = '${kind}'`,
	titles: ['Parameters', 'Returns', 'Data', 'Deterministic', 'Runs as', 'Definer', 'Changed', 'SQL mode'],
	overview: `
select r.routine_comment, (select group_concat(concat_ws(' ', lower(p.parameter_mode), p.parameter_name, p.dtd_identifier) order by p.ordinal_position separator ', ')
		from information_schema.parameters p where p.specific_schema = r.routine_schema and p.specific_name = r.routine_name
			and p.routine_type = r.routine_type and p.ordinal_position > 0),
	r.dtd_identifier, lower(r.sql_data_access), lower(r.is_deterministic),
	case r.security_type when 'DEFINER' then 'its definer' else 'the user who calls it' end, r.definer, r.last_altered, r.sql_mode
from information_schema.routines r where r.routine_type = '${kind}' and r.routine_schema = ? and r.routine_name = ?`,
	column: /^create (?:function|procedure)$/i,
})

const kinds: Readonly<Record<string, ObjectKind>> = {
	function: routine('function'),
	procedure: routine('procedure'),
	trigger: {
		folder: 'Triggers',
		listing: 'select trigger_schema, trigger_name from information_schema.triggers',
		titles: ['Table', 'When', 'Definer', 'SQL mode'],
		overview: `
select null, concat(event_object_schema, '.', event_object_table), lower(concat(action_timing, ' ', event_manipulation)), definer, sql_mode
from information_schema.triggers where trigger_schema = ? and trigger_name = ?`,
		column: /^sql original statement$/i,
	},
	event: {
		folder: 'Events',
		listing: 'select event_schema, event_name from information_schema.events',
		titles: ['Status', 'Runs at', 'Every', 'From', 'To', 'Last run', 'Definer', 'Scheduler'],
		overview: `
select event_comment, lower(status), execute_at, concat(interval_value, ' ', lower(interval_field)), starts, ends, last_executed, definer,
	@@event_scheduler
from information_schema.events where event_schema = ? and event_name = ?`,
		column: /^create event$/i,
	},
}

/** Accounts are of the server, not of a database. */
const accounts = 'Users'

/** @param database `undefined`: all databases, except those of the server, and accounts */
export async function listObjects(
	session: Session,
	database: string | undefined,
	signal: AbortSignal,
): Promise<readonly DatabaseObject[]> {
	const system = systemSchemas.map(literal).join(', ')
	const where = database === undefined ? `found.place not in (${system})` : `found.place = ${literal(database)}`
	const all = Object.entries(kinds).map(
		([kind, { listing }], at) => `select ${at}, '${kind}', named.* from (${listing}) named`,
	)
	const sql = `with found (at, kind, place, name) as (${all.join(' union all ')}) select kind, place, name from found where ${where} order by place, at, name`
	const { rows } = await session.read({ sql }, signal)
	const objects = rows.map(([kind, place, name]): DatabaseObject => {
		const { folder } = kinds[String(kind)] ?? { folder: '' }
		const [inside, title] = [String(place), String(name)]
		return {
			name: `${kind} ${nameOf({ database: inside, table: title })}`,
			kind: String(kind),
			path: [inside, folder],
			title,
		}
	})
	return [...objects, ...(database === undefined ? await listAccounts(session, signal) : [])]
}

/** Returns the accounts of the server, or none for a user who may not see them. */
async function listAccounts(session: Session, signal: AbortSignal): Promise<readonly DatabaseObject[]> {
	const isRole = session.server.product === 'MariaDB' ? 'is_role' : "'N'"
	const sql = `select user, host, ${isRole} from mysql.user order by 1, 2`
	const found = await session.read({ sql }, signal).catch(error => {
		// What cannot be read is no account that this user could open.
		failedSection(accounts, error)
		return { rows: [] }
	})
	return found.rows.map(([user, host, role]): DatabaseObject => {
		const kind = role === 'Y' ? 'role' : 'user'
		const title = kind === 'role' ? String(user) : `${user}@${host}`
		const name = kind === 'role' ? inQuotes(title) : `${inQuotes(String(user))}@${inQuotes(String(host))}`
		return { name: `${kind} ${name}`, kind, path: [accounts], title }
	})
}

/** Reads facts about an object, by its name in the list. @throws DriverError `not_found` */
export async function readObject(session: Session, name: string, signal: AbortSignal): Promise<readonly FactSection[]> {
	const [, kind = '', rest = ''] = /^(\w+) (.+)$/s.exec(name) ?? []
	if (kind === 'user' || kind === 'role') return readAccount(session, { kind, account: rest }, signal)
	const known = kinds[kind]
	const parts = partsOf(rest)
	const [database, title] = parts
	if (!known || database === undefined || title === undefined || parts.length !== 2) throw unknown(name)
	const { titles, overview, column } = known
	const about = await factsSection(
		session,
		{ title: 'Overview', titles, sql: overview, values: [database, title] },
		signal,
	)
	if (about.facts?.length === 0) throw unknown(name)
	const sql = `show create ${kind} ${inQuotes(database)}.${inQuotes(title)}`
	return [about, await codeSection(session, { title: 'Definition', sql, column }, signal)]
}

const unknown = (name: string) => new DriverError('not_found', `There is no ${name}.`)

const account = /^`(?:[^`]|``)*`(?:@`(?:[^`]|``)*`)?$/

async function readAccount(
	session: Session,
	{ kind, account: name }: { readonly kind: string; readonly account: string },
	signal: AbortSignal,
): Promise<readonly FactSection[]> {
	if (!account.test(name)) throw unknown(`${kind} ${name}`)
	const sql = `show grants for ${name}`
	try {
		const { rows } = await session.read({ sql }, signal)
		// The server writes the digest of a password too.
		const code = rows.map(([line]) => `${withoutPassword(String(line))};`).join('\n')
		return [{ title: 'Rights', code, statement: sql }]
	} catch (error) {
		return [failedSection('Rights', error)]
	}
}

const withoutPassword = (grant: string) => grant.replace(/ IDENTIFIED .*?(?= REQUIRE | WITH |$)/s, '')
