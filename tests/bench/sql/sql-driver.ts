import { type Call, type Connection, type DriverContext, decode, type GridQuery } from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'

/**
 * Costs of a driver of an SQL engine beside the bare client of Node on the same server: pages of a table of 1,000,000
 * rows, a page at depth, exports beside the program of the engine, and what a judged read and a rehearsal of AI clients
 * add.
 */

export const rows = Number(process.env.ROUNDHOUSE_BENCH_ROWS ?? 1_000_000)
/** As many go before, because the first ones measure the compiler of V8. */
const rounds = 100

const call: Call = { signal: new AbortController().signal, progress() {} }
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

type Work = () => Promise<unknown>
type Medians = Readonly<Record<string, number>>

/** A driver, and what it is compared with on the same server. */
export interface Measured {
	/** The table of the driver with {@link rows} rows, whose key is `id`. Others see it as `wide`. */
	readonly table: string
	connect(context: DriverContext, call: Call): Promise<Connection>
	/** Runs a statement with the bare client. */
	bare(sql: string): Promise<unknown>
	/** What the engine's own program writes of all rows. The first one is what exports are compared with. */
	readonly dumps: Readonly<Record<string, Work>>
	/** The least rate of an export as CSV, of the first dump. */
	readonly leastRate: number
	/** Formats of exports. */
	readonly formats: readonly string[]
}

/** Returns the median milliseconds of each candidate, in interleaved rounds after as many for the warm-up. */
async function measure(works: Readonly<Record<string, Work>>, times = rounds): Promise<Medians> {
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

function report(title: string, limit: string, results: Medians): void {
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

const ratio = (results: Medians, what: string, to: string) =>
	(results[what] ?? Number.NaN) / (results[to] ?? Number.NaN)

/** Measures a driver, and prints the results with their limits. */
export async function benchSqlDriver(measured: Measured): Promise<void> {
	const connection = await measured.connect(directContext(), call)
	try {
		await benchPages(connection, measured)
		await benchDepth(connection, measured)
		await benchTrust(measured)
		await benchExports(connection, measured)
	} finally {
		await connection.close()
	}
}

const queryOf = ({ table }: Measured): GridQuery => ({ table, filters: [], match: 'all', sort: [] })

async function benchPages(connection: Connection, measured: Measured): Promise<void> {
	const query = queryOf(measured)
	const opened = async () => {
		const grid = await connection.openGrid(query, call)
		const page = await grid.page({ offset: 0, limit: 200 }, call)
		await grid.close()
		return page
	}
	const grid = await connection.openGrid(query, call)
	const results = await measure({
		'bare query': () => measured.bare('select * from wide order by id limit 200'),
		'a page of an open grid': () => grid.page({ offset: 0, limit: 200 }, call),
		'open, page, close': opened,
		'the same, parsed by its reader': async () => decode(await opened()),
	})
	report(`The first page, 200 of ${rows.toLocaleString('en')} rows`, 'bare query', results)
	for (const what of ['open, page, close', 'the same, parsed by its reader'])
		judge(`The first page of the bare query (${what})`, ratio(results, what, 'bare query'), { atMost: 1.5 })
}

async function benchDepth(connection: Connection, measured: Measured): Promise<void> {
	const query = queryOf(measured)
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
		await fresh.close()
	}
	report('A jump, by depth', 'middle', await measure({ middle: () => jump(0.5), 'near the end': () => jump(0.99) }, 3))
}

/** A statement of a console, as the host gives it to the driver. */
async function statementOf(connection: Connection, text: string) {
	const [verdict] = await connection.console.analyse(text, call)
	if (!verdict) throw new Error(`${text} is no statement.`)
	return { ...verdict, text }
}

async function benchTrust(measured: Measured): Promise<void> {
	const context = { ...directContext(), permitted: () => 'destructive' as const }
	const user = await measured.connect(context, call)
	const forClient = await measured.connect({ ...context, costLimitRows: () => rows * 2 }, call)
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
		await benchRehearsal(forClient, measured)
	} finally {
		await user.close()
		await forClient.close()
	}
}

async function benchRehearsal({ console: tried }: Connection, { bare }: Measured): Promise<void> {
	const write = 'update wide set note = note where id between 1000 and 3000'
	const [verdict] = await tried.analyse(write, call)
	if (!verdict) throw new Error(`${write} is no statement.`)
	const rolledBack = async () => {
		await bare('begin')
		await bare(write)
		await bare('rollback')
	}
	const writes = await measure(
		{
			'the statement, rolled back': rolledBack,
			'its rehearsal': async () => tried.assess?.({ ...verdict, text: write }, call, { rehearses: true }),
		},
		20,
	)
	report('A rehearsal of a change of 2,001 rows', 'the statement, rolled back', writes)
	const alone = writes['the statement, rolled back'] ?? Number.NaN
	const added = (writes['its rehearsal'] ?? Number.NaN) - 2 * alone
	judge('Milliseconds of the rehearsal without twice the statement', added, { atMost: 20 })
}

async function benchExports(connection: Connection, measured: Measured): Promise<void> {
	let most = 0
	const exported = (format: string) => async () => {
		const before = process.memoryUsage().rss
		const file = await connection.openExport?.(queryOf(measured), { format }, call)
		if (!file) throw new Error('The driver exports nothing.')
		for (let piece = await file.read(call); piece; piece = await file.read(call))
			most = Math.max(most, process.memoryUsage().rss - before)
		await file.close()
	}
	const { dumps, formats, leastRate } = measured
	const [limit = ''] = Object.keys(dumps)
	const works = Object.fromEntries(formats.map(format => [`export as ${format}`, exported(format)]))
	const results = await measure({ ...dumps, ...works }, 3)
	report(`Exports of ${rows.toLocaleString('en')} rows`, limit, results)
	judge(`The rate of an export as CSV, of ${limit}`, ratio(results, limit, 'export as csv'), { atLeast: leastRate })
	console.log(`\nThe driver's process grew by at most ${Math.round(most / 1024 / 1024)} MB during an export.`)
}
