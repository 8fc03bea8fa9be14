import { connectionList } from '../catalog/connection-list.ts'
import { defineTool } from './core-tool.ts'

export const listConnections = defineTool({
	name: 'list_connections',
	title: 'List connections',
	description: 'The database connections you may use. Start here.',
	access: 'read',
	input: {},
	run: (_args, { caller }, { gate, sessions }) => connectionList(caller, gate, sessions),
})
