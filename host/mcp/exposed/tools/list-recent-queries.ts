import { z } from 'zod'
import { defineConnectionTool } from '../framework/define-tool.ts'

export const listRecentQueries = defineConnectionTool({
	name: 'list_recent_queries',
	title: 'Recent queries',
	description: 'Statements that you ran on a connection since Roundhouse started, newest first.',
	access: 'read',
	input: { limit: z.int().min(1).max(500).default(50) },
	run: async ({ limit }, { call, connection, services }) => ({
		queries: services.recentQueries
			.of(call.caller, connection.id, limit)
			.map(({ statement, access, ranAt, tookMs, outcome }) => ({
				statement,
				access,
				ran_at: ranAt,
				took_ms: tookMs,
				outcome,
			})),
	}),
})
