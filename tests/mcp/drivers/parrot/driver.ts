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
	tools: {
		ask: async ({ text }) => question(String(text)),
		question: async ({ method, params }) => ({
			ask: { question: { method: String(method), params: params as JsonObject } },
		}),
		content: async ({ blocks, ...more }) => ({
			content: blocks as (JsonObject & { readonly type: string })[],
			...more,
		}),
		fail: async ({ code, message, hint }) => {
			throw new DriverError(code as 'denied', String(message), { hint: String(hint), engineCode: String(code) })
		},
	},
	prompts: {
		repeat: async ({ text }) => ({
			description: `Says ${text}`,
			messages: [{ role: 'user', content: { type: 'text', text: `The engine said ${text}.` } }],
		}),
		ask: async ({ text }) => question(String(text)),
	},
	complete: async ({ argument }) => ({ values: [`${argument.value} and more`] }),
})
