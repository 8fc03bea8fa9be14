import { DriverError, defineDriver, type JsonObject } from '@roundhouse/kit'

/** Repeats its input at every place where a driver can send text to a client. */

const question = (message: string): { readonly ask: Record<string, { method: string; params: JsonObject }> } => ({
	ask: {
		question: {
			method: 'elicitation/create',
			params: { mode: 'form', message, requestedSchema: { type: 'object', properties: {} } },
		},
	},
})

export default defineDriver({
	connect: async () => {
		throw new DriverError('unsupported', 'The parrot has nothing to connect to.')
	},
	tools: { ask: async ({ text }) => question(String(text)) },
	prompts: {
		repeat: async ({ text }) => ({
			description: `Says ${text}`,
			messages: [{ role: 'user', content: { type: 'text', text: `The engine said ${text}.` } }],
		}),
		ask: async ({ text }) => question(String(text)),
	},
	complete: async ({ argument }) => ({ values: [`${argument.value} and more`] }),
})
