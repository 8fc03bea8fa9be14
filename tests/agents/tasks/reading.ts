import type { AgentTask } from './task.ts'

/** Rows, documents and requests. */
export const reading: readonly AgentTask[] = [
	{
		asked: 'Show me the newest three errors of payments.',
		wrongTurns: [
			{
				does: 'a sort as a text',
				call: ['browse_table', { table: 'events', sort: '-@timestamp' }],
				says: /sort: .*expected array/,
			},
			{ does: 'an argument `limit`', call: ['browse_table', { table: 'events', limit: 3 }], says: /max_rows/ },
		],
		solve: async agent => {
			const page = await agent.call('browse_table', {
				table: 'events',
				columns: ['@timestamp', 'message'],
				filters: [
					{ column: 'level', values: ['error'] },
					{ column: 'service', values: ['payments'] },
				],
				sort: [{ column: '@timestamp', direction: 'desc' }],
				max_rows: 3,
			})
			return page.row_count
		},
		expected: 3,
	},
	{
		asked: 'Read the next page of events too.',
		wrongTurns: [{ does: 'an argument `page`', call: ['browse_table', { table: 'events', page: 2 }], says: /cursor/ }],
		solve: async agent => {
			const query = { table: 'events', columns: ['_id'], max_rows: 50 }
			const first = await agent.call('browse_table', query)
			const second = await agent.call('browse_table', { ...query, cursor: first.next_cursor })
			return [first.rows[0][0], second.rows[0][0]]
		},
		expected: ['ev-1', 'ev-51'],
	},
	{
		asked: 'Give me all you can of a thousand books.',
		solve: async agent => {
			const page = await agent.call('browse_table', { table: 'books', max_rows: 1000 })
			return [
				page.is_truncated,
				/^Truncated: \d+ of 1000 requested rows/.test(page.hint),
				Number.parseInt(page.next_cursor, 10) > 10,
			]
		},
		expected: [true, true, true],
	},
	{
		asked: 'Find the event with this exact id, 7205759403792796477.',
		solve: async agent => {
			const filters = [{ column: 'event_id', values: ['7205759403792796477'] }]
			return (await agent.call('browse_table', { table: 'events', columns: ['_id'], filters })).rows
		},
		expected: [['ev-2']],
	},
	{
		asked: 'Show document 1 of books, whole.',
		wrongTurns: [
			{
				does: '`_id` for `id`',
				call: ['search_engine_get_document', { index: 'books', _id: '1' }],
				says: /required property "id"/,
			},
		],
		solve: async agent => {
			const answer = await agent.call('search_engine_get_document', { index: 'books', id: '1' })
			return JSON.stringify(answer).includes('"title":"Mirror of Zadar"')
		},
		expected: true,
	},
	{
		asked: 'Search the titles for a word.',
		solve: async agent => {
			const answer = await agent.call('search_engine_search', {
				index: 'books',
				query_string: 'title:mirror',
				fields: ['title'],
				size: 2,
			})
			return answer.hits.length
		},
		expected: 2,
	},
	{
		asked: 'Run this request for me.',
		wrongTurns: [{ does: 'a write', call: ['query', { query: 'PUT /elsewhere' }], says: /use execute_query/ }],
		solve: async agent => (await agent.call('query', { query: 'GET /events/_count' })).result.count,
		expected: 24_000,
	},
	{
		asked: 'Export a thousand events as NDJSON.',
		wrongTurns: [
			{
				does: 'a format `jsonl`',
				call: ['export_data', { browse: { table: 'events' }, format: 'jsonl', file_name: 'x' }],
				says: /"ndjson"/,
			},
		],
		solve: async agent => {
			const browse = {
				table: 'events',
				sort: [{ column: '@timestamp' }],
				columns: ['@timestamp', 'level'],
				max_rows: 1000,
			}
			const answer = await agent.call('export_data', { browse, format: 'ndjson', file_name: 'events' })
			return [answer.exported, answer.path.endsWith('/events.ndjson'), answer.first_rows.length]
		},
		expected: [1000, true, 3],
	},
	{
		asked: 'Show it to me.',
		solve: async agent => {
			const browse = { table: 'events', filters: [{ column: 'level', values: ['error'] }] }
			return (await agent.call('open_in_window', { browse })).startsWith('denied: No Roundhouse window is open')
		},
		expected: true,
	},
	{
		asked: 'Why is this query slow?',
		needsDiagnose: true,
		solve: async agent => {
			const query = 'GET /books/_search\n{"query": {"wildcard": {"title.keyword": "*mirror*"}}}'
			const { was_run: wasRun, steps } = await agent.call('explain_query', { query })
			return [wasRun, steps[0].share, steps[0].depth]
		},
		expected: [true, 1, 0],
	},
	{
		asked: 'Where do these rows spend their time?',
		needsDiagnose: true,
		solve: async agent => {
			const browse = { table: 'events', filters: [{ column: 'level', values: ['error'] }] }
			return (await agent.call('explain_query', { browse })).steps.length
		},
		expected: 2,
	},
	{
		asked: 'Show one event. (By a strict client, which sends every argument.)',
		solve: async agent => {
			const empty = { connection_id: '', columns: [], match: null, raw: '', cursor: null }
			const filters = [{ column: 'level', operator: null, values: ['error'] }]
			const sort = [{ column: '@timestamp', direction: '' }]
			return (await agent.call('browse_table', { table: 'events', filters, sort, ...empty, max_rows: 1 })).row_count
		},
		expected: 1,
	},
	{
		asked: 'Show one book with a word. (By a strict client.)',
		solve: async agent => {
			const empty = { connection_id: null, query: null, sort: null, fields: null, from: null }
			const words = { index: 'books', query_string: 'lighthouse', size: 1 }
			return (await agent.call('search_engine_search', { ...words, ...empty })).hits.length
		},
		expected: 1,
	},
	{
		asked: 'Which book is the cheapest?',
		wrongTurns: [
			{
				does: 'a direction `ascending`',
				call: ['browse_table', { table: 'books', sort: [{ column: 'price', direction: 'ascending' }] }],
				says: /"asc"/,
			},
		],
		solve: async agent => {
			const sort = [{ column: 'price' }]
			return (await agent.call('browse_table', { table: 'books', columns: ['title'], sort, max_rows: 1 })).rows
		},
		expected: [['An Awkward Identifier']],
	},
	{
		asked: 'Read two pages of the events until May 2024. (The notice is said once.)',
		solve: async agent => {
			const filters = [{ column: '@timestamp', operator: 'between', values: ['2024-01-01', '2024-05-01'] }]
			const query = { table: 'events', columns: ['_id'], filters, max_rows: 2 }
			const first = await agent.call('browse_table', query)
			const second = await agent.call('browse_table', { ...query, cursor: first.next_cursor })
			return [first.notices, second.notices]
		},
		expected: [
			[
				'@timestamp: a date without a time is in UTC. This is from the start of 2024-01-01 until the end of 2024-05-01.',
			],
			['@timestamp: a date without a time is in … (in full in an answer before)'],
		],
	},
]
