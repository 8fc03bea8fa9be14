import { z } from 'zod'
import { driverText } from '../../protocol/outgoing-text.ts'
import { defineConnectionTool } from '../framework/define-tool.ts'

const state = { connection_id: z.string(), status: z.string() }

export const connect = defineConnectionTool({
	name: 'connect',
	title: 'Open connection',
	description: 'Opens a connection. Other tools do so by themselves.',
	access: 'read',
	group: 'diagnose',
	effect: 'none',
	input: {},
	output: { ...state, product: z.string(), version: z.string() },
	run: async (_args, { open, connection }) => {
		const { info } = await open()
		return {
			connection_id: connection.id,
			status: 'connected',
			product: driverText(info.product),
			version: driverText(info.version),
		}
	},
})

export const disconnect = defineConnectionTool({
	name: 'disconnect',
	title: 'Close connection',
	description: "Closes a connection, also the window's.",
	access: 'write',
	group: 'diagnose',
	effect: 'changes',
	input: {},
	output: state,
	run: async (_args, { connection, services }) => {
		await services.sessions.close(connection.id)
		return { connection_id: connection.id, status: 'closed' }
	},
})

export const getConnectionStatus = defineConnectionTool({
	name: 'get_connection_status',
	title: 'Connection status',
	description: 'Whether a connection is open, and why it failed.',
	access: 'read',
	group: 'diagnose',
	effect: 'none',
	input: {},
	output: { ...state, connected_since: z.string().optional(), error: z.string().optional() },
	run: async (_args, { connection, services }) => {
		const state = services.sessions.state(connection.id)
		return {
			connection_id: connection.id,
			status: state.status,
			...(state.status === 'connected' && {
				connected_since: state.since,
				...(state.trouble !== undefined && { error: driverText(state.trouble) }),
			}),
			...(state.status === 'failed' && { error: driverText(state.message) }),
		}
	},
})
