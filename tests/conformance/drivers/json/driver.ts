import { DriverError, defineDriver } from '@roundhouse/kit'

export default defineDriver({
	connect: async () => {
		throw new DriverError('unsupported', 'This driver has tools only.')
	},
	tools: { schema_2020_12_tool: async () => ({ content: [{ type: 'text', text: 'done' }] }) },
})
