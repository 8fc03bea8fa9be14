import type { Answer } from '../agent.ts'
import type { AgentTask } from './task.ts'

/** Changes, each after consent, and what the client ran. Their order matters. */
export const writing: readonly AgentTask[] = [
	{
		asked: 'Note this down as a new document.',
		wrongTurns: [
			{
				does: 'one row that is not in a list',
				call: ['insert_rows', { table: 'books', rows: { title: 'x' } }],
				says: /rows: .*expected array/,
			},
		],
		solve: async agent => {
			const rows = [{ _id: 'agent-note', title: 'Noted by an agent', pages: 3 }]
			return (await agent.call('insert_rows', { table: 'books', rows })).applied
		},
		expected: 1,
	},
	{
		asked: 'Fix the misspelt word in these five documents.',
		wrongTurns: [
			{
				does: '`values` for `set`',
				call: ['update_rows', { table: 'books', updates: [{ row_id: '1', values: { pages: 3 } }] }],
				says: /no argument "values".*set/,
			},
		],
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
		wrongTurns: [{ does: 'the version from before' }],
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
		wrongTurns: [
			{
				does: 'no connection',
				call: ['delete_rows', { table: 'books', rows: [{ row_id: '1' }] }],
				says: /connection_id: /,
			},
			{
				does: 'ids that are not in objects',
				call: ['delete_rows', { connection_id: 'Sample', table: 'books', rows: ['1'] }],
				says: /rows.0: .*expected object/,
			},
		],
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
		wrongTurns: [{ does: 'a drop by execute_query' }],
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
		asked: 'Set the price of two hundred notes, and correct the text of one.',
		solve: async agent => {
			const rows = Array.from({ length: 200 }, (_, at) => ({ _id: `n${at}`, text: `note ${at}`, price: 1 }))
			await agent.call('execute_query', { query: 'PUT /priced' })
			await agent.call('insert_rows', { table: 'priced', rows })
			const page = await agent.call('browse_table', { table: 'priced', columns: ['_id'], max_rows: 200 })
			const updates = page.row_ids.map((id: string, at: number) => ({
				row_id: id,
				set: { price: 2, ...(at === 117 && { text: 'corrected' }) },
			}))
			const { applied } = await agent.call('update_rows', { table: 'priced', updates })
			await agent.call('confirm_destructive_operation', { connection_id: 'Sample', query: 'DELETE /priced' })
			return applied
		},
		expected: 200,
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
