import { z } from 'zod'
import { connectionList } from '../connections/connection-list.ts'
import { defineTool } from '../framework/define-tool.ts'

export const listConnections = defineTool({
	name: 'list_connections',
	title: 'List connections',
	description: 'The database connections you may use. Start here.',
	access: 'read',
	group: 'core',
	effect: 'none',
	input: {},
	output: {
		connections: z.array(
			z.object({
				id: z.string(),
				name: z.string(),
				driver: z.string(),
				status: z.string(),
				external_access: z.string(),
				ai_policy: z.string(),
			}),
		),
	},
	run: (_args, { caller }, { gate, sessions }) => connectionList(caller, gate, sessions),
})
