import type { RowExport } from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'
import { describe, expect, test } from 'vitest'
import { readSettings } from '../../plugins/postgres/settings.ts'
import { literal } from '../../plugins/postgres/sql/names.ts'
import { call, everything, openForFile } from '../../plugins/postgres/test/fixture.ts'
import { openSession } from '../../plugins/postgres/wire/open-session.ts'
import type { FileFormat } from './file-format.ts'
import { ImportJob, type RowSink } from './import-job.ts'
import { cellsOf } from './row-cells.ts'

/** Files of PostgreSQL and of its driver, imported again: each row must be the same, whatever its types. */

const schema = `
create type mood as enum ('good', 'so,so');
create type pair as (a text, b int);
create domain amount as numeric(9, 2);
create table kinds (id int primary key, small int2, big int8, exact numeric, real_ float4, double_ float8, flag bool, flags bool[], day date, at timestamptz,
	local timestamp, hour time, zoned timetz, wait interval, j json, b jsonb, bytes bytea, blobs bytea[], list text[], composite pair, span int4range, mood mood,
	amount amount, fixed char(5), short varchar(9), long text, name_ name, place inet, network cidr, mac macaddr, number_ oid, x xml, price money, bits bit(3),
	more_bits varbit, point_ point, words tsvector, id_ uuid, letter "char");
insert into kinds values
	(1, -32768, 9223372036854775807, 1.10, 'NaN', '1e-5', true, '{t,f,NULL}', '0044-03-15 BC', '2024-02-29 12:00:00.5+00', '2024-02-29 12:00', '24:00', '12:00+02', '1 year 2 mons',
		e'{"a": 1,\\n\\t"a": "\\\\n\\\\\\\\"}', '{"b": ["x", null, 1.0]}', '\\x00ff0a5c', array['\\x00'::bytea, ''], array['a,b', '"', null, '', '\\'], ('x "y"', 1), '[1,3)', 'so,so', 1.5, 'ab', 'x',
		e'a\\r\\nb\\t"c",\\\\.', 'n', '10.0.0.1', '10.0.0.0/8', '08:00:2b:01:02:03', 4294967295, '<a b="c">&amp;</a>', 1234.5, '101', '1', '(1,2)', 'a b', gen_random_uuid(), 'c'),
	(2, 0, -1, '1e-40', 'Infinity', '-Infinity', false, '{}', 'infinity', '-infinity', 'infinity', '00:00', '00:00-11', '-1 days', '"x"', '"x"', '', '{}', '{}', (null, null), 'empty', 'good', 0, '', '', '',
		'', '::1/64', '::1/128', '08:00:2b:01:02:04', 0, '', -1, '000', '', '(0,0)', '', gen_random_uuid(), ' '),
	(3, 1, 1, 'NaN', '-0', '-0', null, null, null, null, null, null, null, null, '[1.10, 1e400]', '[true]', 'abcd', null, '{null,NULL}', null, null, null, null, 'null', 'NULL', ' a ', null, null, null, null,
		null, null, null, null, null, null, null, null, null),
	(4, null, null, null, null, null, null, null, null, null, null, null, null, null, '1', 'true', null, null, null, null, null, null, null, null, null, '\\x41', null, null, null, null,
		null, null, null, null, null, null, null, null, null),
	(5, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, '''=1', null, null, null, null,
		null, null, null, null, null, null, null, null, null);
insert into kinds (id, long, wait, at, price, b) select -n, long, '-1 mons +2 days', '-infinity', -1, '-1' from unnest(array['+49 30 123', '-5 C', '@handle', '=1+1', e'\\t''']) with ordinality as texts (long, n);
create table copied (like kinds including all);`

const { server, connection } = await openForFile({ schema })

const csv: FileFormat = { format: 'csv', delimiter: ',', hasHeader: true }

/** Imports a file into a table as the window does. */
async function imported(file: string, table: string, format: FileFormat) {
	const { columns } = await connection.describeTable(`public.${table}`, call())
	const mapping = columns.map(column => ({ field: column.name, column }))
	const target = await connection.openImport(
		`public.${table}`,
		{ columns: columns.map(({ name }) => name), onConflict: 'fail' },
		call(),
	)
	const sink: RowSink = {
		isAtomic: true,
		send: async rows => {
			const outcomes = await target.write(
				rows.map(({ cells }) => cells),
				call(),
			)
			expect(outcomes.filter(({ status }) => status !== 'applied')).toEqual([])
			return outcomes
		},
		finish: async () => void (await target.finish(call())),
		abort: () => target.abort(),
	}
	const job = new ImportJob({
		sink,
		format,
		mapping,
		csvBytes: 'hex',
		onConflict: 'fail',
		sizeBytes: Buffer.byteLength(file),
		assertMayWrite: () => {},
		onEnd: async () => {},
	})
	await job.write(Buffer.from(file))
	return job.end()
}

async function exported(format: string, guardFormulas = false): Promise<string> {
	return textOf(await connection.openExport(everything('public.kinds'), { format, guardFormulas }, call()))
}

async function textOf(file: RowExport): Promise<string> {
	const pieces: Uint8Array[] = []
	for (let piece = await file.read(call()); piece; piece = await file.read(call())) pieces.push(piece)
	await file.close()
	return Buffer.concat(pieces).toString()
}

/** Returns what `\copy kinds to … (format csv, header)` writes. */
async function copied(): Promise<string> {
	const { signal } = new AbortController()
	const session = await openSession(readSettings(server.settings), directContext(), signal, { path: 'user' })
	const parts: Buffer[] = []
	const add = (bytes: Uint8Array, start: number, end: number) => parts.push(Buffer.from(bytes.subarray(start, end)))
	await session.copyOut('copy kinds to stdout (format csv, header)', add, signal)
	session.close()
	return Buffer.concat(parts).toString()
}

const rowsOf = async (table: string, row = 'k::text') =>
	(await server.sql(`select ${row} as row from ${table} k order by id`)).map(({ row }) => row)

describe('all types of PostgreSQL are imported as they were', () => {
	test.each([
		['a file of \\copy', copied, csv],
		['an export as CSV', () => exported('csv'), csv],
		['an export as CSV for spreadsheets', () => exported('csv', true), { ...csv, isGuarded: true }],
	])('%s', async (_, file, format) => {
		await server.sql('truncate copied')
		expect(await imported(await file(), 'copied', format)).toMatchObject({ state: 'done', imported: 10, faults: [] })
		expect(await rowsOf('copied')).toEqual(await rowsOf('kinds'))
	})

	test.each(['ndjson', 'json'] as const)('an export as %s, except for blanks in JSON', async format => {
		await server.sql('truncate copied')
		const account = await imported(await exported(format), 'copied', { format })
		expect(account).toMatchObject({ state: 'done', imported: 10, faults: [] })
		expect(await rowsOf('copied', 'to_jsonb(k)')).toEqual(await rowsOf('kinds', 'to_jsonb(k)'))
	})
})

test('an export as INSERT statements makes the same rows', async () => {
	await server.sql('truncate copied')
	await server.sql((await exported('sql')).replaceAll('insert into public.kinds ', 'insert into public.copied '))
	expect(await rowsOf('copied')).toEqual(await rowsOf('kinds'))
})

describe('a field of CSV', () => {
	const cellsOfText = (kind: 'boolean' | 'binary', text: string) => {
		const column = { name: 'a', type: kind, kind, isKey: false, isReadOnly: false, isSortable: true } as const
		const row = { line: 1, values: new Map([['a', text]]) }
		return cellsOf(row, [{ field: 'a', column }], { format: csv, csvBytes: 'hex' })
	}

	test('is a boolean exactly if PostgreSQL reads one', async () => {
		const words = ['true', 'false', 'yes', 'no', 'on', 'off', '1', '0', 'null', '2', '10', 'truth', 'x', '-1']
		const texts = [...new Set(words.flatMap(word => [...word].map((_, end) => word.slice(0, end + 1))))]
		for (const text of [...texts, ...texts.map(text => text.toUpperCase()), ' t ', '', ' ']) {
			const [row] = await server.sql(`select ${literal(text)}::bool as value`).catch(() => [])
			expect(cellsOfText('boolean', text), text).toEqual(
				row ? { cells: [row.value] } : { fault: `a is not true or false: ${JSON.stringify(text)}` },
			)
		}
	})

	test('has bytes as hexadecimal behind \\x alone, because base64 may be bytes in the older form of the server', () => {
		expect(cellsOfText('binary', '\\x00FF')).toEqual({ cells: [{ bytes: 'AP8=' }] })
		for (const text of ['abcd', 'AP8=', '\\000', '\\x0', '\\xgg', 'x'])
			expect(cellsOfText('binary', text), text).toEqual({ fault: expect.stringContaining('a is not hexadecimal') })
	})
})
