import { z } from 'zod'
import { defineConnectionTool } from '../framework/define-tool.ts'
import { thatFit } from '../framework/fitted.ts'

export const listRecentQueries = defineConnectionTool({
	name: 'list_recent_queries',
	title: 'Recent queries',
	description: 'Statements and row changes that you ran on a connection since Roundhouse started, newest first.',
	access: 'read',
	group: 'diagnose',
	effect: 'none',
	input: { limit: z.int().min(1).max(500).default(50).describe('Statements at most') },
	output: {
		queries: z.array(
			z.object({
				statement: z.string(),
				access: z.string(),
				ran_at: z.string(),
				took_ms: z.number(),
				outcome: z.string(),
			}),
		),
	},
	run: async ({ limit }, { call, connection, services }) => {
		const { gate, recentQueries } = services
		const all = recentQueries.of(call.caller, connection.id, gate.hiddenMarks(connection.id))
		const queries = all.slice(0, limit).map(({ statement, access, ranAt, tookMs, outcome }) => ({
			statement,
			access,
			ran_at: ranAt,
			took_ms: tookMs,
			outcome,
		}))
		const shown = thatFit(queries)
		const hint = recentQueries.restWords(call.caller, shown.length, all.length)
		// Not in the schema, which costs tokens in each conversation.
		return { ...(hint !== undefined && { hint }), queries: shown }
	},
})
