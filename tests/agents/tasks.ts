import type { Agent, Answer } from './agent.ts'

/** Requests of a user to a model, the calls that a model needs, and what it must have found or changed. */
export interface AgentTask {
	readonly asked: string
	/** The task needs tools that the user has to switch on. */
	readonly needsDiagnose?: boolean
	solve(agent: Agent): Promise<Answer>
	readonly expected: unknown
}

const rowsOf = (answer: Answer) => answer.rows as readonly Answer[]

export const tasks: readonly AgentTask[] = [
	{
		asked: 'Which databases can you reach?',
		solve: async agent => (await agent.call('list_connections')).connections.map(({ name }: Answer) => name),
		expected: ['Sample'],
	},
	{
		asked: 'Explore what you do not know.',
		solve: async agent => (await agent.call('overview')).tables.map(({ table }: Answer) => table),
		expected: ['events', 'books', 'places'],
	},
	{
		asked: 'What is in the index of books?',
		solve: async agent => (await agent.call('overview', { match: 'books' })).tables[0].columns.length,
		expected: 27,
	},
	{
		asked: 'Where do we keep postcodes?',
		solve: async agent => (await agent.call('overview', { match: 'postcode' })).tables[0].table,
		expected: 'places',
	},
	{
		asked: 'How many events are there?',
		solve: async agent => (await agent.call('count_rows', { table: 'events' })).count,
		expected: 24_000,
	},
	{
		asked: 'How many events were errors?',
		solve: async agent => {
			const filters = [{ column: 'level', values: ['error'] }]
			return (await agent.call('count_rows', { table: 'events', filters })).count
		},
		expected: 3_484,
	},
	{
		asked: 'Events by level?',
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
		asked: 'Show me the newest three errors of payments.',
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
				Number(page.next_cursor) > 10,
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
		solve: async agent => {
			const answer = await agent.call('search_engine_get_document', { index: 'books', id: '1' })
			return JSON.stringify(answer).includes('"title":"Mirror of Zadar"')
		},
		expected: true,
	},
	{
		asked: 'Which type is the field price of books, and how is it indexed?',
		solve: async agent => {
			const answer = await agent.call('query', { query: 'GET /books/_mapping' })
			return JSON.stringify(answer).includes('"price":{"type":"double"')
		},
		expected: true,
	},
	{
		asked: 'How are texts taken apart in titles?',
		solve: async agent => {
			const answer = await agent.call('query', { query: 'GET /books/_analyze\n{"field": "title", "text": "The Sea"}' })
			return JSON.stringify(answer).includes('"sea"')
		},
		expected: true,
	},
	{
		asked: 'Is the cluster healthy?',
		solve: async agent =>
			JSON.stringify(await agent.call('query', { query: 'GET /_cluster/health' })).includes('green'),
		expected: true,
	},
	{
		asked: 'Which index is the largest?',
		solve: async agent => {
			const { tables } = await agent.call('list_tables')
			return tables.toSorted((a: Answer, b: Answer) => b.size_bytes - a.size_bytes)[0].name
		},
		expected: 'events',
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
		solve: async agent => (await agent.call('query', { query: 'GET /events/_count' })).result.count,
		expected: 24_000,
	},
	{
		asked: 'Read by SQL (it has another way).',
		solve: async agent => {
			const refused: string = await agent.call('query', { query: 'SELECT COUNT(*) FROM books' })
			const again = await agent.call('count_rows', { table: 'books' })
			return [refused.startsWith('invalid_argument: '), refused.includes('GET /books/_search'), again.count]
		},
		expected: [true, true, 3_003],
	},
	{
		asked: 'Note this down as a new document.',
		solve: async agent => {
			const rows = [{ _id: 'agent-note', title: 'Noted by an agent', pages: 3 }]
			return (await agent.call('insert_rows', { table: 'books', rows })).applied
		},
		expected: 1,
	},
	{
		asked: 'Fix the misspelt word in these five documents.',
		solve: async agent => {
			const page = await agent.call('browse_table', { table: 'books', columns: ['title'], max_rows: 5 })
			const updates = page.row_ids.map((id: string, at: number) => ({
				row_id: id,
				version: page.row_versions[at],
				set: { title: `${page.rows[at][0]} (corrected)` },
			}))
			return (await agent.call('update_rows', { table: 'books', updates })).applied
		},
		expected: 5,
	},
	{
		asked: 'Change a document that another client has changed meanwhile.',
		solve: async agent => {
			const page = await agent.call('browse_table', { table: 'books', columns: ['pages'], max_rows: 1 })
			const update = (version: string) => ({
				table: 'books',
				updates: [{ row_id: page.row_ids[0], version, set: { pages: 7 } }],
			})
			const first = await agent.call('update_rows', update(page.row_versions[0]))
			const refused: string = await agent.call('update_rows', update(page.row_versions[0]))
			const done = await agent.call('update_rows', update(first.outcomes[0].version))
			return [refused.slice(0, 33), done.applied]
		},
		expected: ['query_failed: No row was changed.', 1],
	},
	{
		asked: 'Delete what you noted down.',
		solve: async agent => {
			const filters = [{ column: '_id', values: ['agent-note'] }]
			const { row_ids: ids } = await agent.call('browse_table', { table: 'books', columns: ['title'], filters })
			return (
				await agent.call('delete_rows', {
					connection_id: 'Sample',
					table: 'books',
					rows: ids.map((id: string) => ({ row_id: id })),
				})
			).applied
		},
		expected: 1,
	},
	{
		asked: 'Make an index for me, put a document in, and drop it again.',
		solve: async agent => {
			await agent.call('execute_query', { query: 'PUT /scratch' })
			await agent.call('execute_query', { query: 'PUT /scratch/_doc/1?refresh=true\n{"a": 1}' })
			const refused: string = await agent.call('execute_query', { query: 'DELETE /scratch' })
			const done = await agent.call('confirm_destructive_operation', {
				connection_id: 'Sample',
				query: 'DELETE /scratch',
			})
			return [refused.includes('confirm_destructive_operation'), done.status]
		},
		expected: [true, '200 OK'],
	},
	{
		asked: 'A field that is misspelt: say so, and get it right.',
		solve: async agent => {
			const refused: string = await agent.call('browse_table', { table: 'books', columns: ['prize'] })
			const { columns } = await agent.call('describe_table', { table: 'books' })
			return [refused.startsWith('invalid_argument: columns: '), columns.some(({ name }: Answer) => name === 'price')]
		},
		expected: [true, true],
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
		expected: 1,
	},
	{
		asked: 'Which errors come from a service that ends in s? (At first it costs too much.)',
		solve: async agent => {
			const endsInS = { column: 'service', operator: 'ends_with', values: ['s'] }
			const refused: string = await agent.call('count_rows', { table: 'events', filters: [endsInS] })
			const filters = [endsInS, { column: 'level', values: ['error'] }]
			const { count } = await agent.call('count_rows', { table: 'events', filters })
			return [refused.startsWith('denied: Over 20,000'), refused.includes('First narrow the search'), count > 0]
		},
		expected: [true, true, true],
	},
	{
		asked: 'Export a thousand events as NDJSON.',
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
		asked: 'How many events were ERRORs? (The values are spelled in lower case.)',
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
		solve: async agent => {
			const refused: string = await agent.call('describe_table', { table: 'boks' })
			const [, table = ''] = /similar name: "([^"]+)"/.exec(refused) ?? []
			return [table, (await agent.call('describe_table', { table })).columns.length > 20]
		},
		expected: ['books', true],
	},
	{
		asked: 'Sort the events by time, newest first. (A misspelt column.)',
		solve: async agent => {
			const sort = (column: string) => ({ table: 'events', sort: [{ column, direction: 'desc' }], max_rows: 1 })
			const { notices } = await agent.call('browse_table', sort('timestamp'))
			const [, column = ''] = /similar name: "([^"]+)"/.exec(notices.join(' ')) ?? []
			return [column, (await agent.call('browse_table', sort(column))).row_count]
		},
		expected: ['@timestamp', 1],
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
		asked: 'Show five books. (With an argument of another server.)',
		solve: async agent => {
			const refused: string = await agent.call('browse_table', { table: 'books', max_row: 5 })
			const [, name = ''] = /Did you mean (\w+)\?/.exec(refused) ?? []
			return [name, (await agent.call('browse_table', { table: 'books', [name]: 5 })).row_count]
		},
		expected: ['max_rows', 5],
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
		asked: 'Give me all events. (They do not fit; the answer says how to get them.)',
		solve: async agent => {
			const query = 'GET /events/_search\n{"size": 5000}'
			const answer = await agent.call('query', { query, max_rows: 5000 })
			return [answer.is_truncated, JSON.stringify(answer).length < 32_000, /export_data/.test(answer.hint)]
		},
		expected: [true, true, true],
	},
	{
		asked: 'Run this request on one line.',
		solve: async agent => {
			const refused: string = await agent.call('query', { query: 'GET /books/_count {"query":{"match_all":{}}}' })
			const answer = await agent.call('query', { query: 'GET /books/_count\n{"query":{"match_all":{}}}' })
			return [/body begins on the line after/.test(refused), answer.status]
		},
		expected: [true, '200 OK'],
	},
	{
		asked: 'Which columns of books are about the author?',
		solve: async agent => {
			const { columns } = await agent.call('describe_table', { table: 'books', match: 'author' })
			return columns.every(({ name }: Answer) => name.startsWith('author'))
		},
		expected: true,
	},
	{
		asked: 'Put thirty notes into a new index, and drop it again.',
		solve: async agent => {
			const rows = Array.from({ length: 30 }, (_, at) => ({ text: `note ${at}` }))
			await agent.call('execute_query', { query: 'PUT /many-notes' })
			const { applied, outcomes } = await agent.call('insert_rows', { table: 'many-notes', rows })
			const dropping = { connection_id: 'Sample', query: 'DELETE /many-notes' }
			await agent.call('confirm_destructive_operation', dropping)
			return [applied, outcomes.length]
		},
		expected: [30, 0],
	},
	{
		asked: 'What did you change so far?',
		needsDiagnose: true,
		solve: async agent => {
			await agent.call('execute_query', { query: 'PUT /one-note' })
			await agent.call('insert_rows', { table: 'one-note', rows: [{ text: 'remember' }] })
			const { queries } = await agent.call('list_recent_queries', { connection_id: 'sample', limit: 2 })
			await agent.call('confirm_destructive_operation', { connection_id: 'Sample', query: 'DELETE /one-note' })
			return queries.map(({ access, outcome, statement }: Answer) => [access, outcome, statement.includes('one-note')])
		},
		expected: [
			['write', 'done', true],
			['write', 'done', true],
		],
	},
	{
		asked: 'What did you run so far?',
		solve: async agent => {
			const { connections } = await agent.call('list_connections')
			const history = await agent.read(`roundhouse://connections/${connections[0].id}/history`)
			return history.queries.length > 3
		},
		expected: true,
	},
]
