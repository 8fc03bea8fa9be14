import { connectionList } from '../connections/connection-list.ts'
import { defineTool } from '../framework/define-tool.ts'

export const listConnections = defineTool({
	name: 'list_connections',
	title: 'List connections',
	description: 'The database connections you may use. Start here.',
	access: 'read',
	input: {},
	run: (_args, { caller }, { gate, sessions }) => connectionList(caller, gate, sessions),
})
