import { afterAll, beforeAll, expect, test } from 'vitest'
import { testedBinaries } from '../servers/binaries.ts'
import { startServer, type TestServer } from '../servers/server.ts'
import { open, statement } from '../test/fixture.ts'
import { ofExtensions } from './extensions.ts'

/** The list of functions of extensions, held against the extensions that the server of the tests can create. */

const binaries = await testedBinaries()
const available = binaries ? await availableOn() : []
const missing = Object.keys(ofExtensions).filter(name => !available.includes(name))
if (missing.length > 0) console.log(`SKIPPED: extensions that the server of the tests lacks: ${missing.join(', ')}`)

/** Versions of an extension have different functions. These are of others than the newest. */
const ofOtherVersions = new Set('uuid_generate_v6'.split(' '))

function start(extensions: readonly string[]) {
	const schema = extensions.map(name => `create extension if not exists "${name}" cascade;`).join('\n')
	return startServer({ schema, ...(binaries && { binaries }) })
}

/** With all of them: what a read may call must not depend on which others a database has. */
let server: TestServer
beforeAll(async () => {
	if (available.length > 0) server = await start(available)
})
afterAll(() => server?.[Symbol.asyncDispose]())

async function availableOn(): Promise<readonly string[]> {
	await using server = await start([])
	const names = Object.keys(ofExtensions)
	const rows = await server.sql(
		`select name from pg_available_extensions where name in (${names.map(name => `'${name}'`).join(', ')}) order by name`,
	)
	return rows.map(({ name }) => String(name))
}

async function isNewest(): Promise<boolean> {
	const [row] = await server.sql("select current_setting('server_version_num')::int >= 180000 as is_newest")
	return row?.is_newest === true
}

test.each(available)('the functions of %s are there, and its operators and casts call listed ones', async extension => {
	const functions = await server.sql(`
		select distinct p.proname as name, o.oid is not null or exists (select from pg_cast c where c.castfunc = p.oid) as is_implied,
			p.prokind = 'a' and exists (select from pg_aggregate a join pg_proc s on s.oid in (a.aggtransfn, a.aggfinalfn, a.aggcombinefn, a.aggmtransfn, a.aggminvtransfn, a.aggmfinalfn)
				join pg_language l on l.oid = s.prolang where a.aggfnoid = p.oid and l.lanname not in ('c', 'internal')) as is_interpreted
		from pg_proc p join pg_depend d on d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
		join pg_extension e on e.oid = d.refobjid left join pg_operator o on o.oprcode = p.oid where e.extname = '${extension}'`)
	const there = new Set(functions.map(({ name }) => String(name)))
	const listed = new Set(ofExtensions[extension]?.split(' '))
	// The extensions of an older server have fewer functions.
	if (await isNewest()) expect([...listed].filter(name => !there.has(name) && !ofOtherVersions.has(name))).toEqual([])
	expect(functions.filter(({ name, is_implied }) => is_implied && !listed.has(String(name)))).toEqual([])
	// An aggregate has no text, so what it is made of must not look up names.
	expect(functions.filter(({ name, is_interpreted }) => is_interpreted && listed.has(String(name)))).toEqual([])
})

const reads: Readonly<Record<string, readonly string[]>> = {
	citext: ["select 'A'::citext = 'a', replace('A'::citext, 'a', 'b'), max(v) from (values ('a'::citext)) t(v)"],
	earthdistance: ['select earth_distance(ll_to_earth(1, 2), ll_to_earth(3, 4))'],
	postgis: [
		"select st_distance(st_makepoint(1, 2), st_geomfromtext('POINT(3 4)')) from pg_class where relname ~ 'x'",
		'select st_asgeojson(st_transform(st_setsrid(st_makepoint(1, 2), 4326), 3857)), st_makepoint(1, 2) && st_makepoint(1, 2)',
		"select st_buffer('POINT(1 2)'::geography, 10), st_dwithin('POINT(1 2)'::geography, 'POINT(1 2)'::geography, 5)",
	],
	vector: ["select '[1,2]'::vector <-> '[3,4]'::vector"],
}

test.each(available.filter(name => name in reads))('reads with functions of %s are known', async extension => {
	await using client = await open(server.settings, { costLimitRows: () => 100_000 })
	for (const sql of reads[extension] ?? []) expect(await statement(client, sql)).toMatchObject({ access: 'read' })
})

test.runIf(available.includes('earthdistance'))(
	'a function of an extension in SQL is judged by the names in its text',
	async () => {
		await using client = await open(server.settings, { costLimitRows: () => 100_000 })
		const sql = 'select sec_to_gc(1)'
		expect(await statement(client, sql)).toMatchObject({ access: 'read' })
		// The text has the name `earth` without a schema, which stands for another function in another path.
		await server.sql(
			'create schema trap; create function trap.earth() returns float8 language plpgsql immutable as $$ begin perform pg_advisory_lock(9); return 1; end $$',
		)
		expect(await statement(client, sql)).toMatchObject({
			access: expect.not.stringMatching('read'),
			reason: expect.stringContaining('trap.earth'),
		})
	},
)
