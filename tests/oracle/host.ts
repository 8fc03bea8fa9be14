import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isJsonObject, type Json, type JsonObject, parseJson } from '@roundhouse/kit'
import { ExportFolder } from '../../host/exports/export-folder.ts'
import { startEndpoint } from '../mcp/endpoint.ts'
import { Refusal } from './answer.ts'
import { csvRecords } from './csv-records.ts'
import { Difference, requireBothRefuse, requireRows, requireSame } from './difference.ts'
import type { Oracle } from './oracle.ts'
import type { Random } from './random.ts'
import type { RandomTable } from './random-table.ts'

/** Asks one question through several tools of MCP, whose answers must agree with each other and with the model. */
export interface Host extends AsyncDisposable {
	/** @throws Difference */
	ask(table: RandomTable, random: Random): Promise<void>
}

/** Starts a host with the driver in a separate process, and a user who agrees to everything. */
export async function openHost({ driver }: Oracle): Promise<Host> {
	await using owned = new AsyncDisposableStack()
	const folder = await realpath(await mkdtemp(join(tmpdir(), 'roundhouse-oracle-')))
	owned.defer(() => rm(folder, { recursive: true, force: true }))
	const fixture = owned.use(
		await startEndpoint({
			drivers: [driver.folder],
			exports: new ExportFolder(() => ({ folder, asks: false })),
			desk: { ask: async () => ({ decision: 'approved' }) },
			hasRealClock: true,
		}),
	)
	const { id } = await fixture.addConnection({ driverId: driver.id, settings: driver.settings })
	const call = async (name: string, args: JsonObject): Promise<JsonObject | Refusal> => {
		const { result, error } = (await fixture.call('tools/call', { name, arguments: { connection_id: id, ...args } }))
			.json
		if (error !== undefined) throw new Error(`${name}: ${JSON.stringify(error)}`)
		if (result.isError !== true) return result.structuredContent
		const text = String(result.content[0].text)
		if (/^(invalid_argument|unsupported|query_failed)/.test(text)) return new Refusal(text)
		throw new Error(`${name}: ${text}`)
	}
	const moved = owned.move()
	return {
		async ask(table, random) {
			const asked = table.question()
			table.asked = asked
			const expected = await table.model(asked)
			// A question is JSON, which its type does not say.
			const query = asked as unknown as JsonObject
			const { sort: _, ...filter } = query
			const groups = { group_by: [{ column: table.numberColumn }], max_rows: 1000 }
			const rows = await browse(call, { ...query, max_rows: random.pick([3, 7, 50]) }, table.numberColumn)
			const file = await exported(
				call,
				{ browse: { ...query, max_rows: 1000 }, format: random.pick(['csv', 'ndjson']) },
				table.numberColumn,
			)
			const answers = [
				await call('count_rows', filter),
				await call('aggregate', filter),
				await call('aggregate', { ...filter, ...groups }),
			]
			if (expected instanceof Refusal) {
				for (const answer of [rows, file]) requireBothRefuse(answer, expected)
				// These have no order that could be refused.
				requireSame('refusals', new Set(answers.map(answer => answer instanceof Refusal)).size, 1)
				return
			}
			const [count, total, grouped] = answers
			if (rows instanceof Refusal) throw new Difference('browse_table', rows.message, expected)
			if (file instanceof Refusal) throw new Difference('export_data', file.message, expected)
			requireRows(rows.numbers, expected.rows)
			requireRows(file, expected.rows)
			const sumOf = (answer: unknown, at: number) =>
				answer instanceof Refusal
					? answer.message
					: rowsIn(answer as JsonObject).reduce((sum, row) => sum + Number(row[at]), 0)
			const counts = [
				rows.total,
				count instanceof Refusal ? count.message : count?.count,
				sumOf(total, 0),
				sumOf(grouped, 1),
			]
			requireSame(
				'counts of browse_table, count_rows and aggregate',
				counts.map(String),
				counts.map(() => String(expected.rows.length)),
			)
			if (rows.rows.length > 1 && random.chance(0.2)) await browseWhileOthersWrite(call, table, query)
			else if (rows.rows.length > 0 && random.chance(0.5)) await writeBack(call, table, { ...rows, random })
		},
		[Symbol.asyncDispose]: () => moved.disposeAsync(),
	}
}

type CallTool = (name: string, args: JsonObject) => Promise<JsonObject | Refusal>

const rowsIn = ({ rows }: JsonObject) => rows as readonly (readonly Json[])[]

async function browse(
	call: CallTool,
	args: JsonObject,
	numberColumn: string,
	between?: (numbers: readonly string[], cursor: string) => Promise<void>,
) {
	const rows: ReadonlyMap<string, Json>[] = []
	const ids: Json[] = []
	const versions: Json[] = []
	const cut = new Set<string>()
	/** Columns of JSON whose text a client in JavaScript does not write back: blanks, order of keys, long numbers. */
	const jsonText = new Set<string>()
	for (let cursor: Json | undefined; ; ) {
		const page = await call('browse_table', { ...args, ...(cursor !== undefined && { cursor }) })
		if (page instanceof Refusal) return page
		ids.push(...(page.row_ids as readonly Json[]))
		versions.push(...((page.row_versions ?? []) as readonly Json[]))
		cursor = page.next_cursor
		const described = page.columns as readonly { readonly name: string; readonly type: string }[]
		const isRounded = [page.hint, ...((page.notices ?? []) as readonly Json[])].some(hint =>
			String(hint).includes('JavaScript rounds'),
		)
		for (const { name, type } of described) if (type === 'json' || (type === 'jsonb' && isRounded)) jsonText.add(name)
		const columns = described.map(({ name }) => name)
		for (const { column } of (page.cut_cells ?? []) as readonly { readonly column: string }[]) cut.add(column)
		// Another page may have another order of columns.
		rows.push(...rowsIn(page).map(row => new Map(columns.map((name, at) => [name, row[at] ?? null]))))
		const numbers = rows.map(row => String(row.get(numberColumn)))
		if (cursor !== undefined) {
			await between?.(numbers, String(cursor))
			continue
		}
		return { total: Number(page.total), rows, ids, versions, cut, jsonText, numbers }
	}
}

/** A row that stays is read once, whatever others delete and insert before it. */
async function browseWhileOthersWrite(call: CallTool, table: RandomTable, query: JsonObject): Promise<void> {
	const expected = await table.model(table.asked as ReturnType<RandomTable['question']>)
	const gone = new Set<string>()
	let isByOffset = false
	const read = await browse(call, { ...query, max_rows: 3 }, table.numberColumn, async (numbers, cursor) => {
		isByOffset ||= /^\d+$/.test(cursor)
		const deleted = await table.deleteAndInsert?.(numbers)
		if (deleted !== undefined) gone.add(deleted)
	})
	if (expected instanceof Refusal || read instanceof Refusal || gone.size === 0) return
	if (isByOffset) {
		// A long text has no position.
		if (read.cut.size === 0) throw new Difference('cursor', 'an offset', 'the row before the page')
		return
	}
	const stayed = expected.rows.map(({ number }) => number).filter(number => !gone.has(number))
	const known = new Set(stayed)
	requireSame(
		`rows that stay, without ${[...gone]}`,
		read.numbers.filter(number => known.has(number)).toSorted(),
		stayed.toSorted(),
	)
}

async function exported(call: CallTool, args: JsonObject, numberColumn: string): Promise<readonly string[] | Refusal> {
	const answer = await call('export_data', args)
	if (answer instanceof Refusal) return answer
	const path = String(answer.path)
	const text = await readFile(path, 'utf8')
	await rm(path)
	const numbers = path.endsWith('.csv')
		? numbersInCsv(text, numberColumn)
		: text.split('\n').filter(Boolean).map(numberInLine)
	requireSame('exported', answer.exported, numbers.length)
	return numbers

	function numberInLine(line: string): string {
		const document = parseJson(line)
		// Documents of a search engine are below their id.
		const row = isJsonObject(document) && isJsonObject(document._source) ? document._source : document
		return isJsonObject(row) ? String(row[numberColumn]) : line
	}
}

function numbersInCsv(text: string, numberColumn: string): readonly string[] {
	const [header = [], ...records] = csvRecords(text)
	return records.map(record => String(record[header.indexOf(numberColumn)]))
}

/** Writes values back as they were read: nothing may change. */
async function writeBack(
	call: CallTool,
	table: RandomTable,
	{
		rows,
		ids,
		versions,
		cut,
		jsonText,
		random,
	}: Exclude<Awaited<ReturnType<typeof browse>>, Refusal> & { readonly random: Random },
): Promise<void> {
	const at = random.int(0, rows.length - 1)
	const writable = new Set(table.writableColumns)
	// A null of JSON and NULL, and null and no value, are the same for a client.
	// A client reads 1.10 as 1.1: the same number, which the engine stores with another scale.
	const hasScale = (value: unknown) => typeof value === 'number' && !Number.isInteger(value)
	const isReformatted = (name: string, value: unknown) =>
		jsonText.has(name) && (typeof value === 'object' || typeof value === 'number')
	const read = [...(rows[at] ?? [])].filter(
		([name, value]) =>
			writable.has(name) && !cut.has(name) && value !== null && !hasScale(value) && !isReformatted(name, value),
	)
	if (read.length === 0) return
	const before = await table.state()
	const version = versions[at] && { version: versions[at] }
	const update = { row_id: ids[at] ?? '', ...version, set: Object.fromEntries(read) }
	const answer = await call('update_rows', { table: table.name, updates: [update] })
	// The row breaks a constraint that was not validated.
	if (answer instanceof Refusal && answer.message.includes('violates not-null')) return
	const said = answer instanceof Refusal ? answer.message : answer
	const isApplied = !(answer instanceof Refusal) && answer.applied === 1
	const what = `what is stored after ${JSON.stringify([update, said])}`
	requireSame(what, [isApplied, await table.state()], [true, before])
}
