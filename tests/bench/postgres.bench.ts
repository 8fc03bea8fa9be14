import { spawn } from 'node:child_process'
import { type Call, decode, type GridQuery } from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'
import pg from 'pg'
import { connect } from '../../plugins/postgres/connect.ts'
import type { PostgresConnection } from '../../plugins/postgres/connection.ts'
import { startServer, type TestServer } from '../../plugins/postgres/servers/server.ts'

/**
 * Costs of the PostgreSQL driver beside the bare client of Node on the same server: pages of a table of 1,000,000 rows,
 * a page at depth, exports beside COPY TO STDOUT, and what a judged read and a rehearsal of AI clients add.
 */

const rows = Number(process.env.ROUNDHOUSE_BENCH_ROWS ?? 1_000_000)
/** As many go before, because the first ones measure the compiler of V8. */
const rounds = 100

const schema = `
create table wide as select n as id, 'Customer ' || n as name, md5(n::text) as code, n * 1.10 as total, n % 2 = 0 as flag,
	timestamptz '2024-01-01' + n * interval '1 second' as at, case when n % 3 = 0 then null else 'note ' || n end as note,
	jsonb_build_object('n', n) as data from generate_series(1, ${rows}) n;
alter table wide add primary key (id);`

const call: Call = { signal: new AbortController().signal, progress() {} }
const query: GridQuery = { table: 'public.wide', filters: [], match: 'all', sort: [] }
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

type Work = () => Promise<unknown>

/** Returns the median milliseconds of each candidate, in interleaved rounds after as many for the warm-up. */
async function measure(
	works: Readonly<Record<string, Work>>,
	times = rounds,
): Promise<Readonly<Record<string, number>>> {
	const taken = new Map(Object.keys(works).map(name => [name, [] as number[]]))
	for (let round = -times; round < times; round++) {
		for (const [name, work] of Object.entries(works)) {
			const startedAt = performance.now()
			await work()
			if (round >= 0) taken.get(name)?.push(performance.now() - startedAt)
		}
	}
	return Object.fromEntries([...taken].map(([name, values]) => [name, median(values)]))
}

function report(title: string, limit: string, results: Readonly<Record<string, number>>): void {
	console.log(`\n## ${title}\n\n| What | ms | of ${limit} |\n| - | - | - |`)
	for (const [name, ms] of Object.entries(results))
		console.log(`| ${name} | ${ms.toFixed(2)} | ${(ms / (results[limit] ?? 1)).toFixed(2)} |`)
}

/** Prints a ratio beside its limit, and whether the limit is kept. */
function judge(what: string, ratio: number, limit: { readonly atMost: number } | { readonly atLeast: number }): void {
	const isKept = 'atMost' in limit ? ratio <= limit.atMost : ratio >= limit.atLeast
	const words = 'atMost' in limit ? `at most ${limit.atMost}` : `at least ${limit.atLeast}`
	console.log(`\n${what}: ${ratio.toFixed(2)}, limit ${words}: ${isKept ? 'kept' : 'NOT KEPT'}`)
}

const ratio = (results: Readonly<Record<string, number>>, what: string, to: string) =>
	(results[what] ?? Number.NaN) / (results[to] ?? Number.NaN)

export async function bench(): Promise<void> {
	await using server = await startServer({ schema, settings: { shared_buffers: '256MB' } })
	await server.sql('vacuum analyze wide')
	const connection = await connect(server.settings, directContext(), call)
	const client = new pg.Client({ host: '127.0.0.1', port: server.port, user: 'postgres', password: server.password })
	await client.connect()
	try {
		await benchPages(connection, client)
		await benchDepth(connection)
		await benchTrust(server, client)
		await benchExports(connection, server)
	} finally {
		await client.end()
		await connection.close()
	}
}

async function benchPages(connection: PostgresConnection, client: pg.Client): Promise<void> {
	const bare = () => client.query('select * from wide order by id limit 200')
	const opened = async () => {
		const grid = await connection.openGrid(query, call)
		const page = await grid.page({ offset: 0, limit: 200 }, call)
		await grid.close()
		return page
	}
	const grid = await connection.openGrid(query, call)
	const results = await measure({
		'bare query': bare,
		'a page of an open grid': () => grid.page({ offset: 0, limit: 200 }, call),
		'open, page, close': opened,
		'the same, parsed by its reader': async () => decode(await opened()),
	})
	report(`The first page, 200 of ${rows.toLocaleString('en')} rows`, 'bare query', results)
	for (const what of ['open, page, close', 'the same, parsed by its reader'])
		judge(`The first page of the bare query (${what})`, ratio(results, what, 'bare query'), { atMost: 1.5 })
}

/** A statement of a console, as the host gives it to the driver. */
async function statementOf(connection: PostgresConnection, text: string) {
	const [verdict] = await connection.console.analyse(text, call)
	if (!verdict) throw new Error(`${text} is no statement.`)
	return { ...verdict, text }
}

async function benchTrust(server: TestServer, client: pg.Client): Promise<void> {
	const context = { ...directContext(), permitted: () => 'destructive' as const }
	const user = await connect(server.settings, context, call)
	const forClient = await connect(server.settings, { ...context, costLimitRows: () => rows * 2 }, call)
	try {
		const read = 'select id, name, total from wide where id between 1000 and 1200'
		const [bare, judged] = [await statementOf(user, read), await statementOf(forClient, read)]
		const reads = await measure({
			'a read of the user': () => user.console.run(bare, { maxRows: 500 }, call),
			'a judged read of an AI client': () => forClient.console.run(judged, { maxRows: 500 }, call),
		})
		report('A judged read', 'a read of the user', reads)
		const added = (reads['a judged read of an AI client'] ?? Number.NaN) - (reads['a read of the user'] ?? Number.NaN)
		judge('Milliseconds that the judge adds, after its first time', added, { atMost: 2 })

		const write = 'update wide set note = note where id between 1000 and 3000'
		const statement = await statementOf(forClient, write)
		const rolledBack = async () => {
			await client.query('begin')
			await client.query(write)
			await client.query('rollback')
		}
		const writes = await measure(
			{
				'the statement, rolled back': rolledBack,
				'its rehearsal': () => forClient.console.assess(statement, call, { rehearses: true }),
			},
			20,
		)
		report('A rehearsal of a change of 2,001 rows', 'the statement, rolled back', writes)
		const alone = writes['the statement, rolled back'] ?? Number.NaN
		judge(
			'Milliseconds of the rehearsal without twice the statement',
			(writes['its rehearsal'] ?? Number.NaN) - 2 * alone,
			{
				atMost: 20,
			},
		)
	} finally {
		await user.close()
		await forClient.close()
	}
}

async function benchDepth(connection: PostgresConnection): Promise<void> {
	const grid = await connection.openGrid(query, call)
	const at = async (depth: number) => {
		const offset = Math.floor(rows * depth)
		await grid.page({ offset, limit: 200 }, call)
		return () => grid.page({ offset: offset + 200, limit: 200 }, call)
	}
	const works = { first: await at(0), middle: await at(0.5), 'near the end': await at(0.99) }
	const results = await measure(works)
	report('The next page, by depth', 'first', results)
	judge('The next page near the end, of one at the start', ratio(results, 'near the end', 'first'), { atMost: 1.1 })
	const jump = async (depth: number) => {
		const fresh = await connection.openGrid(query, call)
		await fresh.page({ offset: Math.floor(rows * depth), limit: 200 }, call)
	}
	report('A jump, by depth', 'middle', await measure({ middle: () => jump(0.5), 'near the end': () => jump(0.99) }, 3))
}

async function benchExports(connection: PostgresConnection, server: TestServer): Promise<void> {
	let most = 0
	const exported = (format: string) => async () => {
		const before = process.memoryUsage().rss
		const file = await connection.openExport(query, { format }, call)
		for (let piece = await file.read(call); piece; piece = await file.read(call))
			most = Math.max(most, process.memoryUsage().rss - before)
		await file.close()
	}
	const works = {
		'COPY TO STDOUT': () => copyOut(server, 'copy wide to stdout'),
		'COPY TO STDOUT, CSV': () => copyOut(server, 'copy wide to stdout (format csv, header)'),
		'export as csv': exported('csv'),
		'export as ndjson': exported('ndjson'),
		'export as json': exported('json'),
		'export as sql': exported('sql'),
	}
	const results = await measure(works, 3)
	report(`Exports of ${rows.toLocaleString('en')} rows`, 'COPY TO STDOUT', results)
	judge('The rate of an export as CSV, of COPY TO STDOUT', ratio(results, 'COPY TO STDOUT', 'export as csv'), {
		atLeast: 0.8,
	})
	console.log(`\nThe driver's process grew by at most ${Math.round(most / 1024 / 1024)} MB during an export.`)
}

/** psql, whose output is only counted. */
async function copyOut(server: TestServer, sql: string): Promise<void> {
	const command = spawn('psql', ['-h', '127.0.0.1', '-p', String(server.port), '-U', 'postgres', '-c', sql], {
		env: { ...process.env, PGPASSWORD: server.password },
		stdio: ['ignore', 'pipe', 'ignore'],
	})
	let bytes = 0
	for await (const chunk of command.stdout) bytes += chunk.length
	if (bytes < rows) throw new Error('psql is missing, or printed too little')
}
