import { decode } from '@roundhouse/kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { someOf } from '../../../tests/support/cases.ts'
import type { PostgresConnection } from '../connection.ts'
import { startServer, type TestServer } from '../servers/server.ts'
import { call, open } from '../test/fixture.ts'
import { attacksByChange, changeMarks, changeRows, changeSchema, harmlessChanges } from '../test/hidden-changes.ts'

/**
 * Changes on three databases that differ only in the values of hidden columns. Whatever a client can tell apart is a leak:
 * the rehearsal, whether the change succeeds, what it returns, and what it leaves in the other columns.
 */

const worlds = ['w0', 'w1', 'w2']
let server: TestServer
let clients: PostgresConnection[] = []

beforeAll(async () => {
	server = await startServer()
	await server.sql('create database template')
	await server.sql(changeSchema, 'template')
	for (const [at, database] of worlds.entries()) {
		await server.sql(`create database ${database} template template`)
		await server.sql(changeRows(at), database)
	}
	const limits = { costLimitRows: () => 1_000_000, permitted: () => 'destructive' as const }
	clients = await Promise.all(
		worlds.map(database => open({ ...server.settings, database }, { ...limits, hiddenColumns: () => changeMarks })),
	)
})
afterAll(async () => {
	for (const one of clients) await one.close()
	await server[Symbol.asyncDispose]()
})

/** What a client sees of a statement, with what is shown before it. */
async function seen(connection: PostgresConnection, sql: string, rehearses: boolean): Promise<object> {
	try {
		const [verdict] = await connection.console.analyse(sql, call())
		if (!verdict) return { fault: 'nothing' }
		if (verdict.fault) return { fault: verdict.fault }
		const statement = { ...verdict, text: sql.slice(verdict.start, verdict.end) }
		const assessed =
			verdict.access === 'read' ? {} : await connection.console.assess?.(statement, call(), { rehearses })
		if (assessed?.fault) return { assessed }
		const within = assessed?.effect && { within: assessed.effect }
		const run = connection.console.run(statement, { maxRows: 1000, ...within }, call())
		const { tookMs, sizeBytes, ...result } = decode(await run)
		return { assessed, result }
	} catch (error) {
		const { code, message, hint, engineCode, at } = error as { [key: string]: unknown }
		return { error: { code, message, hint, engineCode, at } }
	}
}

/** The server estimates numbers of rows when it has time. */
const inEach = (sql: string, rehearses: boolean) =>
	Promise.all(
		clients.map(async (one, at) =>
			JSON.stringify(await seen(one, sql, rehearses))
				.replaceAll(new RegExp(`\\bw${at}\\b`, 'g'), 'w')
				.replaceAll(/about [\d,]+ rows/g, 'some rows'),
		),
	)

async function leaksOf(statements: readonly string[], rehearses: boolean): Promise<readonly string[]> {
	const leaks: string[] = []
	for (const sql of statements) {
		const [first, ...others] = await inEach(sql, rehearses)
		if (others.some(one => one !== first)) leaks.push(`${sql}\n${[first, ...others].join('\n').slice(0, 900)}`)
	}
	return leaks
}

/** Columns that hold hidden values, and tables that hold copies. */
const hiddenNames = [...changeMarks.flatMap(({ columns }) => columns), 'boss', 'share']
const copies = ['rich', 'rich_named']

/** Returns all values of the other columns. */
async function freeValues(database: string): Promise<string> {
	const columns = await server.sql(
		"select table_name, column_name from information_schema.columns join information_schema.tables t using (table_schema, table_name) where table_schema = 'public' and table_type = 'BASE TABLE' order by 1, ordinal_position",
		database,
	)
	const all: string[] = []
	for (const [table, own] of Map.groupBy(columns, ({ table_name: name }) => `${name}`)) {
		const free = own.map(({ column_name: name }) => `${name}`).filter(name => !hiddenNames.includes(name))
		if (copies.includes(table) || free.length === 0) continue
		const rows = await server.sql(`select ${free.join(', ')} from ${table}`, database)
		all.push(
			`${table}: ${rows
				.map(row => JSON.stringify(row))
				.toSorted()
				.join('\n')}`,
		)
	}
	return all.join('\n')
}

test('no change tells the worlds apart, with its rehearsal and without', async () => {
	expect(attacksByChange.length).toBeGreaterThan(120)
	const some = someOf(attacksByChange, 3)
	expect(await leaksOf(some, true)).toEqual([])
	expect(await leaksOf(some, false)).toEqual([])
	const [first, ...others] = await Promise.all(worlds.map(freeValues))
	for (const other of others) expect(other).toBe(first)
})

test('changes that name no hidden column are made', async () => {
	const refused: string[] = []
	for (const sql of harmlessChanges) {
		const answers = await inEach(sql, true)
		expect(new Set(answers).size, `${sql}\n${answers.join('\n')}`).toBe(1)
		if (!/"affected":[1-9]/.test(answers[0] ?? '')) refused.push(`${sql}\n${answers[0]?.slice(0, 300)}`)
	}
	expect(refused).toEqual([])
	const [first, ...others] = await Promise.all(worlds.map(freeValues))
	for (const other of others) expect(other).toBe(first)
})
