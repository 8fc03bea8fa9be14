import type { Answer } from '../agent.ts'
import type { AgentTask } from './task.ts'

/** What is there: connections, tables, columns and the state of the engine. */
export const exploring: readonly AgentTask[] = [
	{
		asked: 'Which databases can you reach?',
		wrongTurns: [
			{
				does: 'a connection that does not exist',
				call: ['list_tables', { connection_id: 'Sampel' }],
				says: /`list_connections` shows them/,
			},
		],
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
		asked: 'Which type is the field price of books, and how is it indexed?',
		wrongTurns: [
			{ does: 'a misspelt index', call: ['describe_table', { table: 'book' }], says: /similar name: "books"/ },
		],
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
		wrongTurns: [
			{ does: 'a misspelt path', call: ['query', { query: 'GET /_cluster/helth' }], says: /no handler found for uri/ },
		],
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
		asked: 'Which columns of books are about the author?',
		wrongTurns: [
			{
				does: 'an argument `filter`',
				call: ['describe_table', { table: 'books', filter: 'author' }],
				says: /Valid arguments: connection_id, table, match/,
			},
		],
		solve: async agent => {
			const { columns } = await agent.call('describe_table', { table: 'books', match: 'author' })
			return columns.every(({ name }: Answer) => name.startsWith('author'))
		},
		expected: true,
	},
	{
		asked: 'Which columns has the index of places? (By a resource.)',
		solve: async agent => {
			const { connections } = await agent.call('list_connections')
			const { columns } = await agent.read(`roundhouse://connections/${connections[0].id}/tables/places`)
			return columns.some(({ name }: Answer) => name === 'wheelchair')
		},
		expected: true,
	},
	{
		asked: 'Which indices have an e in their name? (By completion, without a connection.)',
		solve: agent => agent.complete('explain_table', { name: 'table', value: 'e' }),
		expected: ['events', 'places'],
	},
]
