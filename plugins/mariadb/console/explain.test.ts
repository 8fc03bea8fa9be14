import { describe, expect, test } from 'vitest'
import { hasServer } from '../servers/server.ts'
import { openForFile, rowsOf, signal } from '../test/fixture.ts'
import { examinedRows, explain, explainedIn, stepsIn, stepsOf, stepsOfTree } from './explain.ts'

const { session } = await openForFile({
	schema: `
	create table a (id int primary key, b int, key (b));
	create table c (id int primary key, a int);
	insert into a select seq, seq % 10 from seq_1_to_1000;
	insert into c select seq, seq % 100 from seq_1_to_500;
	analyze table a, c;`,
})

const joined = 'select a.b, count(*) from a join c on c.a = a.id where a.b > 3 group by a.b order by 2 desc limit 5'
const asked = (sql: string) => ({ query: { sql }, isPlanOnly: false, isChange: false, limitRows: undefined })

test.each([
	['explain select 1', 'select 1', false],
	['EXPLAIN extended select 1', 'select 1', false],
	['desc format=json (select 1)', '(select 1)', false],
	['analyze select 1', 'select 1', true],
	['analyze format=json update a set b = 1', 'update a set b = 1', true],
	['explain analyze with x as (select 1) select * from x', 'with x as (select 1) select * from x', true],
])('%s explains %s', (sql, inside, isRun) => {
	expect(explainedIn(sql)).toEqual({ sql: inside, isRun })
})

test.each([
	'select 1',
	'(select 1)',
	'describe a',
	'analyze table a',
	'explain for connection 3',
])('%s explains no statement', sql => {
	expect(explainedIn(sql)).toBeUndefined()
})

describe.skipIf(!hasServer)('explain', () => {
	test('measures a query', async () => {
		const { wasRun, steps, tookMs } = await explain(session, asked(joined), signal)
		expect(wasRun).toBe(true)
		expect(tookMs).toBeGreaterThan(0)
		expect(steps.map(({ name, depth, detail }) => [depth, name, detail])).toEqual([
			[0, 'Query block 1', undefined],
			[1, 'Filesort', 'Sort key: count(0) desc'],
			[2, 'Temporary table', undefined],
			[3, 'Table scan', 'c · Condition: c.a is not null'],
			[3, 'Unique index lookup', 'a · index PRIMARY (id) · Condition: a.b > 3'],
		])
		expect(steps[3]).toMatchObject({ rows: 500, estimatedRows: 500, loops: 1 })
		expect(steps[4]).toMatchObject({ rows: 495, loops: 500 })
		expect(steps[0]?.share).toBe(1)
	})

	test('shows a plan without running it', async () => {
		const { wasRun, steps } = await explain(session, { ...asked(joined), isPlanOnly: true }, signal)
		expect(wasRun).toBe(false)
		expect(steps.every(({ tookMs, rows }) => tookMs === undefined && rows === undefined)).toBe(true)
	})

	test('shows the plan of a change, and changes nothing', async () => {
		const change = { ...asked('update a set b = 1 where id < 5'), isChange: true }
		const { wasRun, steps } = await explain(session, change, signal)
		expect([wasRun, steps.map(({ name }) => name)]).toEqual([false, ['Query block 1', 'Update: Index range scan']])
		expect(await rowsOf(session, 'select b from a where id < 5')).toEqual([['1'], ['2'], ['3'], ['4']])
	})

	test('does not run what reads more than an AI client may', async () => {
		const { wasRun, notices } = await explain(session, { ...asked(joined), limitRows: 100 }, signal)
		expect([wasRun, notices]).toEqual([false, [expect.stringContaining('more rows than AI clients may read')]])
	})

	test('counts the rows that a query looks at', async () => {
		expect(await examinedRows(session, { sql: joined }, signal)).toBe(1_000)
		expect(await examinedRows(session, { sql: 'select * from a, c' }, signal)).toBeGreaterThan(400_000)
		expect(await examinedRows(session, { sql: 'select * from a where id = 1' }, signal)).toBe(1)
		expect(await examinedRows(session, { sql: 'select 1' }, signal)).toBe(0)
		// The server runs the inner query for each row, and its JSON does not escape texts.
		const forged = `'x", "rows": 1, "table": {"rows": 0}, "y": "'`
		const inner = `select (select count(*) from c where c.a <> a.b and a.b <> ${forged}) from a`
		expect(await examinedRows(session, { sql: inner }, signal)).toBeGreaterThan(400_000)
	})

	test('reads plans of unions, derived tables and recursion', async () => {
		for (const sql of [
			'select * from a where id in (select a from c) union select * from c where id = (select max(id) from a)',
			'with recursive x as (select 1 as n union all select n + 1 from x where n < 5) select * from x, (select b, sum(id) from a group by b) y where y.b = x.n',
			'select (select count(*) from c where c.a = a.id) from a limit 3',
			'select row_number() over (order by b) from a',
		]) {
			const { steps } = await explain(session, asked(sql), signal)
			expect(steps.length).toBeGreaterThan(2)
			expect(steps.every(({ share = 0 }) => share <= 1)).toBe(true)
		}
	})

	test('leaves a plan in rows as it is', async () => {
		expect(stepsIn(await session.read({ sql: `explain ${joined}` }, signal))).toEqual([])
		expect(stepsIn(await session.read({ sql: `explain format=json ${joined}` }, signal))).toHaveLength(5)
	})
})

// As in the manual of MySQL 8.0, which no test has run yet.
test('reads a plan of MySQL', () => {
	const plan = {
		query_block: {
			select_id: 1,
			cost_info: { query_cost: '3.25' },
			nested_loop: [
				{
					table: {
						table_name: 't',
						access_type: 'ALL',
						rows_examined_per_scan: 5,
						filtered: '100.00',
						cost_info: { prefix_cost: '0.75' },
					},
				},
				{
					table: {
						table_name: 'u',
						access_type: 'eq_ref',
						key: 'PRIMARY',
						rows_examined_per_scan: 1,
						filtered: '100.00',
						cost_info: { prefix_cost: '3.25' },
					},
				},
			],
		},
	}
	expect(stepsOf(plan).map(({ name, estimatedCost }) => [name, estimatedCost])).toEqual([
		['Query block 1', 3.25],
		['Table scan', 0.75],
		['Unique index lookup', 3.25],
	])
})

test('reads a tree of MySQL', () => {
	const tree = `-> Inner hash join (t2.c2 = t1.c1)  (cost=4.70 rows=6) (actual time=0.032..0.035 rows=6 loops=1)
    -> Table scan on t2  (cost=0.06 rows=6) (actual time=0.003..0.005 rows=6 loops=1)
    -> Hash
        -> Filter: (t1.c1 > 17)  (cost=0.85 rows=6) (actual time=0.018..0.022 rows=6 loops=2)
`
	expect(stepsOfTree(tree)).toEqual([
		{ name: 'Inner hash join (t2.c2 = t1.c1)', depth: 0, rows: 6, loops: 1, estimatedRows: 6, tookMs: 0.035, share: 1 },
		{ name: 'Table scan on t2', depth: 1, rows: 6, loops: 1, estimatedRows: 6, tookMs: 0.005, share: 0.005 / 0.035 },
		{ name: 'Hash', depth: 1 },
		{
			name: 'Filter',
			detail: '(t1.c1 > 17)',
			depth: 2,
			rows: 12,
			loops: 2,
			estimatedRows: 12,
			tookMs: 0.044,
			share: 1,
		},
	])
})
