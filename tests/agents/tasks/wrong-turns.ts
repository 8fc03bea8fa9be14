import type { Answer } from '../agent.ts'
import type { AgentTask } from './task.ts'

/** Tasks that a model begins wrongly. The answer leads it to the right call. */
export const wrongTurns: readonly AgentTask[] = [
	{
		asked: 'Read by SQL (it has another way).',
		wrongTurns: [{ does: 'SQL' }],
		solve: async agent => {
			const refused: string = await agent.call('query', { query: 'SELECT COUNT(*) FROM books' })
			const again = await agent.call('count_rows', { table: 'books' })
			return [refused.startsWith('invalid_argument: '), refused.includes('GET /books/_search'), again.count]
		},
		expected: [true, true, 3_003],
	},
	{
		asked: 'A field that is misspelt: say so, and get it right.',
		wrongTurns: [{ does: 'a column that does not exist' }],
		solve: async agent => {
			const refused: string = await agent.call('browse_table', { table: 'books', columns: ['prize'] })
			const { columns } = await agent.call('describe_table', { table: 'books' })
			return [refused.startsWith('invalid_argument: columns: '), columns.some(({ name }: Answer) => name === 'price')]
		},
		expected: [true, true],
	},
	{
		asked: 'Which errors come from a service that ends in s? (At first it costs too much.)',
		wrongTurns: [{ does: 'a filter that reads every row' }],
		solve: async agent => {
			const endsInS = { column: 'service', operator: 'ends_with', values: ['s'] }
			const refused: string = await agent.call('count_rows', { table: 'events', filters: [endsInS] })
			const filters = [endsInS, { column: 'level', values: ['error'] }]
			const { count } = await agent.call('count_rows', { table: 'events', filters })
			return [refused.includes('«Over 20,000'), refused.includes('First narrow the search'), count > 0]
		},
		expected: [true, true, true],
	},
	{
		asked: 'How many events were ERRORs? (The values are spelled in lower case.)',
		wrongTurns: [{ does: 'a value in another case' }],
		solve: async agent => {
			const wrong = await agent.call('count_rows', {
				table: 'events',
				filters: [{ column: 'level', values: ['ERROR'] }],
			})
			const [, value = ''] = /"(error)" 3,484/.exec(wrong.notice) ?? []
			const filters = [{ column: 'level', values: [value] }]
			return [wrong.count, (await agent.call('count_rows', { table: 'events', filters })).count]
		},
		expected: [0, 3_484],
	},
	{
		asked: 'What is in the index of boks? (A misspelt name.)',
		wrongTurns: [{ does: 'an index that does not exist' }],
		solve: async agent => {
			const refused: string = await agent.call('describe_table', { table: 'boks' })
			const [, table = ''] = /similar name: "([^"]+)"/.exec(refused) ?? []
			return [table, (await agent.call('describe_table', { table })).columns.length > 20]
		},
		expected: ['books', true],
	},
	{
		asked: 'Sort the events by time, newest first. (A misspelt column.)',
		wrongTurns: [{ does: 'a sort by a column that does not exist' }],
		solve: async agent => {
			const sort = (column: string) => ({ table: 'events', sort: [{ column, direction: 'desc' }], max_rows: 1 })
			const { notices } = await agent.call('browse_table', sort('timestamp'))
			const [, column = ''] = /similar name: "([^"]+)"/.exec(notices.join(' ')) ?? []
			return [column, (await agent.call('browse_table', sort(column))).row_count]
		},
		expected: ['@timestamp', 1],
	},
	{
		asked: 'Show five books. (With an argument of another server.)',
		wrongTurns: [{ does: 'an argument `max_row`' }],
		solve: async agent => {
			const refused: string = await agent.call('browse_table', { table: 'books', max_row: 5 })
			const [, name = ''] = /Did you mean (\w+)\?/.exec(refused) ?? []
			return [name, (await agent.call('browse_table', { table: 'books', [name]: 5 })).row_count]
		},
		expected: ['max_rows', 5],
	},
	{
		asked: 'Give me all events. (They do not fit; the answer says how to get them.)',
		wrongTurns: [{ does: 'more than an answer holds' }],
		solve: async agent => {
			const query = 'GET /events/_search\n{"size": 5000}'
			const answer = await agent.call('query', { query, max_rows: 5000 })
			return [answer.is_truncated, JSON.stringify(answer).length < 32_000, /export_data/.test(answer.hint)]
		},
		expected: [true, true, true],
	},
	{
		asked: 'Run this request on one line.',
		wrongTurns: [{ does: 'a body on the line of the request' }],
		solve: async agent => {
			const refused: string = await agent.call('query', { query: 'GET /books/_count {"query":{"match_all":{}}}' })
			const answer = await agent.call('query', { query: 'GET /books/_count\n{"query":{"match_all":{}}}' })
			return [/body begins on the line after/.test(refused), answer.status]
		},
		expected: [true, '200 OK'],
	},
	{
		asked: 'How many events came since 3 May 2024? (`greater` begins after that day.)',
		wrongTurns: [{ does: '`greater` with a day' }],
		solve: async agent => {
			const since = (operator: string) => ({
				table: 'events',
				filters: [{ column: '@timestamp', operator, values: ['2024-05-03'] }],
			})
			const { notice, count } = await agent.call('count_rows', since('greater'))
			const whole = await agent.call('count_rows', since('greater_or_equal'))
			return [/after the end of 2024-05-03/.test(notice), whole.count > count]
		},
		expected: [true, true],
	},
	{
		asked: 'Find a title although it is misspelt. (The sample does not know fuzziness.)',
		wrongTurns: [{ does: 'a word with `~`' }],
		solve: async agent => {
			const words = { index: 'books', query_string: 'title:miror~', size: 1 }
			const refused: string = await agent.call('search_engine_search', words)
			const filters = [{ column: 'title', operator: 'contains', values: ['irror'] }]
			const { count } = await agent.call('count_rows', { table: 'books', filters })
			return [/does not know \[~\]/.test(refused), count > 0]
		},
		expected: [true, true],
	},
	{
		asked: 'Read by ES|QL. (The sample has none.)',
		wrongTurns: [{ does: 'a language that the engine lacks' }],
		solve: async agent => {
			const query = 'POST /_query\n{"query": "FROM books | STATS COUNT(*)"}'
			const refused: string = await agent.call('query', { query })
			return [/has no ES\|QL.*\[_search\]/.test(refused), (await agent.call('count_rows', { table: 'books' })).count]
		},
		expected: [true, 3_003],
	},
]
