import { defineTool } from './core-tool.ts'

export const listConnections = defineTool({
	name: 'list_connections',
	title: 'List connections',
	description: 'The database connections you may use. Start here.',
	access: 'read',
	input: {},
	run: (_args, call, { gate, sessions }) => ({
		connections: gate.visible(call.caller).map(({ id, name, driverId, externalAccess, aiPolicy }) => ({
			id,
			name,
			driver: driverId,
			status: sessions.state(id).status,
			external_access: externalAccess,
			ai_policy: aiPolicy,
		})),
	}),
})
