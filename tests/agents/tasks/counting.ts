import type { Answer } from '../agent.ts'
import { type AgentTask, rowsOf } from './task.ts'

/** Counts and groups. */
export const counting: readonly AgentTask[] = [
	{
		asked: 'How many events are there?',
		wrongTurns: [
			{ does: '`index` for `table`', call: ['count_rows', { index: 'events' }], says: /no argument "index".*table/ },
		],
		solve: async agent => (await agent.call('count_rows', { table: 'events' })).count,
		expected: 24_000,
	},
	{
		asked: 'How many events were errors?',
		wrongTurns: [
			{
				does: 'filters as an object',
				call: ['count_rows', { table: 'events', filters: { level: 'error' } }],
				says: /filters: .*expected array/,
			},
			{
				does: '`field` for `column`',
				call: ['count_rows', { table: 'events', filters: [{ field: 'level', values: ['error'] }] }],
				says: /no argument "field".*column/,
			},
		],
		solve: async agent => {
			const filters = [{ column: 'level', values: ['error'] }]
			return (await agent.call('count_rows', { table: 'events', filters })).count
		},
		expected: 3_484,
	},
	{
		asked: 'Events by level?',
		wrongTurns: [
			{
				does: 'groups as a text',
				call: ['aggregate', { table: 'events', group_by: 'level' }],
				says: /group_by: .*expected array/,
			},
		],
		solve: async agent => {
			const answer = await agent.call('aggregate', { table: 'events', group_by: [{ column: 'level' }] })
			return answer.rows
		},
		expected: [
			['info', 13_605],
			['error', 3_484],
			['warn', 3_459],
			['debug', 3_452],
		],
	},
	{
		asked: 'Errors per day in the last week that we have?',
		wrongTurns: [
			{
				does: 'an interval `days`',
				call: ['aggregate', { table: 'events', group_by: [{ column: '@timestamp', interval: 'days' }] }],
				says: /minute, hour, day/,
			},
		],
		solve: async agent => {
			const newest = await agent.call('aggregate', {
				table: 'events',
				measures: [{ function: 'max', column: '@timestamp' }],
			})
			const until = new Date(newest.rows[0].at(-1))
			const from = new Date(until.getTime() - 7 * 24 * 3600 * 1000).toISOString()
			const answer = await agent.call('aggregate', {
				table: 'events',
				group_by: [{ column: '@timestamp', interval: 'day' }],
				filters: [
					{ column: 'level', values: ['error'] },
					{ column: '@timestamp', operator: 'greater_or_equal', values: [from] },
				],
			})
			return rowsOf(answer).length
		},
		expected: 8,
	},
	{
		asked: 'Which service is the slowest on average?',
		wrongTurns: [
			{
				does: 'a function `mean`',
				call: ['aggregate', { table: 'events', measures: [{ function: 'mean', column: 'duration_ns' }] }],
				says: /"avg"/,
			},
		],
		solve: async agent => {
			const answer = await agent.call('aggregate', {
				table: 'events',
				group_by: [{ column: 'service' }],
				measures: [{ function: 'avg', column: 'duration_ns' }],
				order_by: 'avg(duration_ns)',
				max_rows: 3,
			})
			return [answer.columns.map(({ name }: { name: string }) => name), answer.rows.length, answer.is_truncated]
		},
		expected: [['service', 'count', 'avg(duration_ns)'], 3, true],
	},
	{
		asked: 'How do the prices of books spread, in steps of ten?',
		solve: async agent => {
			const answer = await agent.call('aggregate', {
				table: 'books',
				group_by: [{ column: 'price', interval: '10' }],
				measures: [{ function: 'avg', column: 'rating' }],
			})
			return answer.rows.length
		},
		expected: 10,
	},
	{
		asked: 'Which hosts answered 500 or 503 most?',
		wrongTurns: [
			{
				does: 'an operator `IN`',
				call: ['count_rows', { table: 'events', filters: [{ column: 'status', operator: 'IN', values: [500] }] }],
				says: /"in"/,
			},
			{
				does: 'an operator `>=`',
				call: ['count_rows', { table: 'events', filters: [{ column: 'status', operator: '>=', values: [500] }] }],
				says: /"greater_or_equal"/,
			},
		],
		solve: async agent => {
			const answer = await agent.call('aggregate', {
				table: 'events',
				group_by: [{ column: 'host.name' }],
				filters: [{ column: 'status', operator: 'in', values: [500, 503] }],
				max_rows: 3,
			})
			return rowsOf(answer).length
		},
		expected: 3,
	},
	{
		asked: 'Books by country, with the mean price.',
		solve: async agent => {
			const answer = await agent.call('aggregate', {
				table: 'books',
				group_by: [{ column: 'author.country' }],
				measures: [{ function: 'avg', column: 'price' }],
			})
			return rowsOf(answer).length
		},
		expected: 15,
	},
	{
		asked: 'How many places have wheelchair access?',
		solve: async agent => {
			const filters = [{ column: 'wheelchair', values: [true] }]
			return (await agent.call('count_rows', { table: 'places', filters })).count > 0
		},
		expected: true,
	},
	{
		asked: 'Events in steps of twelve hours, the busiest first.',
		solve: async agent => {
			const group_by = [{ column: '@timestamp', interval: '12h' }]
			const { rows } = await agent.call('aggregate', { table: 'events', group_by, order_by: 'count', max_rows: 3 })
			const counts = rows.map(([, count]: Answer) => count)
			return [counts.length, counts.toSorted((a: number, b: number) => b - a).join() === counts.join()]
		},
		expected: [3, true],
	},
	{
		asked: 'Events per day. (As a model writes a day: 1d.)',
		solve: async agent => {
			const ask = (interval: string) =>
				agent.call('aggregate', { table: 'events', group_by: [{ column: '@timestamp', interval }], max_rows: 2 })
			return JSON.stringify((await ask('1d')).rows) === JSON.stringify((await ask('day')).rows)
		},
		expected: true,
	},
	{
		asked: 'Which services have the slowest requests, by the 95th percentile?',
		wrongTurns: [
			{
				does: 'a function `percentile`',
				call: ['aggregate', { table: 'events', measures: [{ function: 'percentile', column: 'duration_ns' }] }],
				says: /"p95"/,
			},
		],
		solve: async agent => {
			const measures = [{ function: 'p95', column: 'duration_ns' }]
			const group_by = [{ column: 'service' }]
			const answer = await agent.call('aggregate', {
				table: 'events',
				group_by,
				measures,
				order_by: 'p95(duration_ns)',
			})
			if (typeof answer === 'string') throw new Error(answer)
			const [first, second] = answer.rows as number[][]
			return Number(first?.at(-1)) >= Number(second?.at(-1))
		},
		expected: true,
	},
	{
		asked: 'How many books have no rating?',
		wrongTurns: [
			{
				does: 'an operator `is_null`',
				call: ['count_rows', { table: 'books', filters: [{ column: 'rating', operator: 'is_null' }] }],
				says: /"missing"/,
			},
		],
		solve: async agent => {
			const filters = [{ column: 'rating', operator: 'missing' }]
			return (await agent.call('count_rows', { table: 'books', filters })).count
		},
		expected: 303,
	},
	{
		asked: 'How many events came on 3 May 2024?',
		wrongTurns: [
			{
				does: 'a date in words',
				call: ['count_rows', { table: 'events', filters: [{ column: '@timestamp', values: ['3 May 2024'] }] }],
				says: /strict_date_optional_time/,
			},
		],
		solve: async agent => {
			const filters = [{ column: '@timestamp', values: ['2024-05-03'] }]
			const { count, notice } = await agent.call('count_rows', { table: 'events', filters })
			return [count > 0, notice]
		},
		expected: [true, '@timestamp: a date without a time is in UTC. This is the whole of 2024-05-03.'],
	},
]
