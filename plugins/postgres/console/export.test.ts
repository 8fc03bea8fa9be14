import type { ConsoleSession, RowExport, StatementExportOptions } from '@roundhouse/kit'
import { describe, expect, test } from 'vitest'
import { call, everything, openForFile, statement } from '../test/fixture.ts'

const schema = `
create table words as select word from (values (null), (''), ('"'), ('a,b'), (e'\\n\\r\\t\\v\\b\\f\\\\'), ('\\N'), ('\\.'), ('ä🚂'), ('=1+1'), (e'\\x01'), (repeat('long "text", ', 20000))) v(word);
create table kinds (big bigint, exact numeric, real_ float8, flag bool, at timestamptz, j json, b jsonb, bytes bytea, list text[], number_ oid);
insert into kinds values
	(9223372036854775807, 1.10, 'NaN', true, '2024-02-29 12:00+00', e'{"a": 1,\\n\\t"a": "\\\\n"}', '{"b": [1.0]}', '\\x00ff0a5c', '{"a,b",NULL}', 7),
	(-1, '1e-40', '-0', false, 'infinity', 'null', '"x"', '', '{}', 0), (null, 'NaN', 'Infinity', null, null, null, null, null, null, null);
create table logs (what text);
create function spend() returns int language sql volatile as 'insert into logs values (''hidden''); select 1';
create domain costly as int check (spend() > 0);`

const { server, connection } = await openForFile({ schema })

type Exporter = Pick<ConsoleSession, 'openExport'>

async function opened(
	text: string,
	{ from = connection.console, format = 'ndjson', values = {}, ...options }: Partial<Options> = {},
): Promise<RowExport> {
	const parameters = { ...(await statement(connection, text)), parameters: values }
	const file = await from.openExport?.(parameters, { format, ...options }, call())
	if (!file) throw new Error('no export')
	return file
}

interface Options extends StatementExportOptions {
	readonly from: Exporter
	readonly values: Readonly<Record<string, string | number | boolean | null>>
}

async function textOf(file: RowExport): Promise<string> {
	const pieces: Uint8Array[] = []
	try {
		for (let piece = await file.read(call()); piece; piece = await file.read(call())) pieces.push(piece)
	} finally {
		await file.close()
	}
	return Buffer.concat(pieces).toString()
}
const exported = async (text: string, options?: Partial<Options>) => textOf(await opened(text, options))

describe.each(['words', 'kinds'])('the table %s', table => {
	test.each(['csv', 'ndjson', 'json'])('is the same file by a statement, as %s', async format => {
		const file = await connection.openExport?.(everything(`public.${table}`), { format, guardFormulas: true }, call())
		if (!file) throw new Error('no export')
		expect(await exported(`select * from ${table} -- all`, { format, guardFormulas: true })).toBe(await textOf(file))
	})
})

test('takes values apart from the text', async () => {
	const text = 'select {{word}} as word, {{number}} as n, {{flag}} as f, {{none}} as z, {{word}}::text as again'
	const values = { word: "'); drop table words --", number: 5, flag: true, none: null }
	expect(JSON.parse(await exported(text, { values }))).toEqual({
		word: values.word,
		n: 5,
		f: true,
		z: null,
		again: values.word,
	})
})

test('names columns as the result does, and exports what has no table', async () => {
	// Servers name a constant without a name differently.
	expect(await exported('select 1 as a, 2 as a, 3 + 4, 5 + 6', { format: 'csv' })).toBe(
		'a,a (2),?column?,?column? (2)\n1,2,7,11\n',
	)
	expect(await exported('show server_version', { format: 'csv' })).toMatch(/^server_version\n\d/)
	expect(await exported('select 1 where false', { format: 'json' })).toBe('[]\n')
})

test('keeps memory flat: the server waits for a slow reader', async () => {
	const file = await opened("select n, repeat('x', 500) from generate_series(1, 200000) n")
	let [lines, largest] = [0, 0]
	for (let round = 0; ; round++) {
		// Slower than the server, so that pieces gather.
		if (round < 5) await new Promise(resolve => setTimeout(resolve, 50))
		const piece = await file.read(call())
		if (!piece) break
		largest = Math.max(largest, piece.length)
		for (const byte of piece) if (byte === 10) lines++
	}
	await file.close()
	expect(lines).toBe(200_000)
	expect(largest).toBeLessThan(2 * 1024 * 1024)
})

test.each([
	"insert into logs values ('x') returning *",
	'begin',
	'select pg_terminate_backend(0)',
])('refuses %s', async text => {
	await expect(opened(text)).rejects.toMatchObject({ code: 'denied' })
})

test('the server refuses a write that no verdict sees', async () => {
	await expect(exported('select 1::costly')).rejects.toMatchObject({ engineCode: '25006' })
	expect(await server.sql('select * from logs')).toEqual([])
})

test('says where a statement is wrong before the file begins', async () => {
	await expect(opened('select {{a}} as long_name, nowhere', { values: { a: 1 } })).rejects.toMatchObject({
		code: 'query_failed',
		at: 'select {{a}} as long_name, '.length,
	})
	await expect(opened('explain (format json) select 1')).resolves.toBeDefined()
})

describe('in a session', () => {
	async function inSession(work: (session: ConsoleSession, ask: (text: string) => Promise<unknown>) => Promise<void>) {
		const session = await connection.openSession?.(call())
		if (!session) throw new Error('no session')
		try {
			await work(session, async text =>
				session.run({ ...(await statement(connection, text)) }, { maxRows: 10 }, call()),
			)
		} finally {
			await session.close()
		}
	}

	test('sees its temporary tables and its open transaction, and keeps both', () =>
		inSession(async (from, ask) => {
			await ask('create temp table mine as select 1 as n')
			expect(await exported('select * from mine', { from })).toBe('{"n":1}\n')
			expect(from.transaction()).toBeUndefined()
			await ask('begin')
			await ask('insert into mine values (2)')
			expect(await exported('select * from mine order by n', { from })).toBe('{"n":1}\n{"n":2}\n')
			await expect(exported('select 1 / (3 - n) from generate_series(1, 9) n', { from })).rejects.toMatchObject({
				engineCode: '22012',
			})
			await expect(exported('select * from nowhere', { from })).rejects.toMatchObject({ engineCode: '42P01' })
			await expect(exported('select 1::costly', { from })).rejects.toMatchObject({ engineCode: '25006' })
			expect(from.transaction()).toBe('open')
			await ask("insert into logs values ('kept')")
			await ask('commit')
			expect(await server.sql('select * from logs')).toEqual([{ what: 'kept' }])
		}))

	test('a statement waits until a failed read before it is undone', () =>
		inSession(async (from, ask) => {
			await ask('begin')
			const [failed, next] = await Promise.allSettled([ask('select 1 / 0'), ask('select 1 as n')])
			expect([failed.status, next.status]).toEqual(['rejected', 'fulfilled'])
			expect(from.transaction()).toBe('open')
		}))

	test('a failed transaction is rolled back first', () =>
		inSession(async (from, ask) => {
			await ask('begin')
			await expect(ask('insert into logs values ((1 / 0)::text)')).rejects.toThrow()
			await expect(exported('select 1', { from })).rejects.toThrow('The transaction has failed. Roll it back')
			await ask('rollback')
			expect(await exported('select 1 as n', { from })).toBe('{"n":1}\n')
		}))

	test.each(['read', 'unread'])('an export that is closed while rows are %s leaves the transaction open', how =>
		inSession(async (from, ask) => {
			await ask('begin')
			const file = await opened("select n, repeat('x', 500) from generate_series(1, 10000000) n", { from })
			await file.read(call())
			if (how === 'read') {
				const abort = new AbortController()
				// Two pieces may be there already.
				const reading = (async () => {
					for (;;) await file.read(call(abort.signal))
				})()
				setTimeout(() => abort.abort(), 50)
				await expect(reading).rejects.toThrow()
			} else await new Promise(resolve => setTimeout(resolve, 100))
			await file.close()
			expect(await ask('select 1 as n')).toMatchObject({ body: { rows: [[1]] } })
			expect(from.transaction()).toBe('open')
		}))
})
