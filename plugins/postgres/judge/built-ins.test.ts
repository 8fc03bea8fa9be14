import { expect, test } from 'vitest'
import { startServer } from '../servers/server.ts'
import { isListed } from './judge.ts'

/** Functions that are not volatile, and are left to a question. */
const leftOut = new Set(
	'currtid currtid2 pg_current_xact_id txid_current pg_get_publication_tables pg_input_error_info pg_input_is_valid pg_node_tree_send'.split(
		' ',
	),
)
const runsText = /^(?:cursor|database|query|schema|table)_to_xml|^pg_event_trigger_|^binary_upgrade_/

/** What no statement can call, or what has no value. */
const uncallable =
	"array['cstring', 'internal', 'trigger', 'event_trigger', 'language_handler', 'fdw_handler', 'index_am_handler', 'table_am_handler', 'tsm_handler', 'pg_ddl_command', 'void']::regtype[]"

test('PostgreSQL has no built-in function without a decision', async () => {
	await using server = await startServer()
	const rows = await server.sql(`
		set search_path to pg_catalog;
		select p.proname as name, oidvectortypes(p.proargtypes) as args,
			p.oid in (select oprcode from pg_operator) as is_operator
		from pg_proc p where p.oid < 16384 and p.pronamespace = 'pg_catalog'::regnamespace and p.provolatile <> 'v'
			and not (p.prorettype::regtype || p.proargtypes::regtype[]) && ${uncallable}`)
	const undecided = rows.filter(
		({ name, args }) => !isListed(`${name}`, `${args}`) && !leftOut.has(`${name}`) && !runsText.test(`${name}`),
	)
	expect(undecided).toEqual([])
	// The judge looks up no built-in operator.
	expect(rows.filter(({ name, args, is_operator }) => is_operator === true && !isListed(`${name}`, `${args}`))).toEqual(
		[],
	)
	expect(rows.length).toBeGreaterThan(2_000)
})

test.each([
	'pg_terminate_backend integer',
	'pg_read_file text',
	'lo_export oid, text',
	'pg_advisory_lock bigint',
	'query_to_xml text, boolean, boolean, text',
	'table_to_xml regclass, boolean, boolean, text',
	'nextval regclass',
	'set_config text, text, boolean',
	'ts_stat text',
	'ts_rewrite tsquery, text',
	'domain_in cstring, oid, integer',
	'pg_input_is_valid text, text',
	'setseed double precision',
	'dblink text',
])('%s is left to a question', signature => {
	const [, name = '', args = ''] = /^(\S+) (.*)$/.exec(signature) ?? []
	expect(isListed(name, args)).toBe(false)
})
