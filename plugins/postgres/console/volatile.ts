import type { Session } from '../wire/session.ts'
import type { Contents } from './collect.ts'

/** Volatile functions of PostgreSQL that change nothing: time, chance and waiting. */
const harmless =
	'random random_normal clock_timestamp timeofday gen_random_uuid uuidv4 uuidv7 pg_sleep pg_sleep_for pg_sleep_until setseed txid_current_if_assigned pg_current_xact_id_if_assigned pg_backend_pid pg_stat_get_activity pg_lock_status pg_cursor pg_prepared_statement pg_show_all_settings pg_show_all_file_settings pg_stat_get_wal_receiver pg_stat_get_archiver pg_last_committed_xact pg_stat_get_progress_info pg_timezone_names pg_timezone_abbrevs pg_prepared_xact pg_available_extensions pg_available_extension_versions pg_extension_update_paths'.split(
		' ',
	)

/** A name may have several functions. One volatile one is enough. Functions of a row look like its columns. */
const sql = `
select distinct p.proname from pg_proc p where p.proname = any ($1) and p.provolatile = 'v'
	and not (p.pronamespace = 'pg_catalog'::regnamespace and p.proname = any ($4))
union
select p.proname from pg_proc p join pg_type t on t.oid = p.proargtypes[0]
	where p.proname = any ($2) and p.provolatile = 'v' and p.pronargs = 1 and t.typtype = 'c'
union
select o.oprname from pg_operator o join pg_proc p on p.oid = o.oprcode where o.oprname = any ($3) and p.provolatile = 'v'
union
select missing.name from unnest($1::text[]) missing(name) where not exists (select from pg_proc where proname = missing.name)`

/** Returns the names that stand for a volatile function, except a harmless one of PostgreSQL, or for none. */
export async function findVolatile(
	session: Session,
	{ functions, attributes, operators }: Pick<Contents, 'functions' | 'attributes' | 'operators'>,
	signal: AbortSignal,
): Promise<readonly string[]> {
	if (functions.size + attributes.size + operators.size === 0) return []
	const values = [functions, attributes, operators, harmless].map(names => arrayOf([...names]))
	const { rows } = await session.read({ sql, values }, signal)
	return rows.map(([name]) => name ?? '')
}

/** Returns an array of PostgreSQL in its text format. */
export const arrayOf = (texts: readonly string[]) =>
	`{${texts.map(text => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`
