import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OlderStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as OlderHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { Called, ClientPackage, ForeignClient, ToolCall } from './client.ts'

/** The official packages of TypeScript, which run in this process. */

const about = { name: 'typescript', version: '1' }
const capabilities = { elicitation: {} }
const bearer = (token: string) => ({ requestInit: { headers: { Authorization: `Bearer ${token}` } } })

/** What both clients have in common. */
interface AnyClient {
	listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>
	close(): Promise<void>
}

/** The user, who answers or leaves the question open until the client gives up. */
class User {
	consents = true
	gaveUp = new AbortController().signal

	answer(): Promise<{ action: 'accept'; content: { approved: boolean } }> {
		if (this.consents) return Promise.resolve({ action: 'accept', content: { approved: true } })
		return new Promise((_, reject) => {
			this.gaveUp.addEventListener('abort', () => reject(this.gaveUp.reason), { once: true })
		})
	}
}

function foreign(client: AnyClient, user: User, call: (asked: ToolCall, signal: AbortSignal) => Promise<unknown>) {
	return {
		list: async () => (await client.listTools()).tools.map(({ name }) => name),
		call: async (asked: ToolCall): Promise<Called> => {
			user.consents = asked.consents ?? true
			user.gaveUp = AbortSignal.timeout((asked.seconds ?? 20) * 1000)
			// Both packages return this for a tool call.
			const result = (await call(asked, user.gaveUp)) as {
				readonly content: readonly { readonly text?: string }[]
				readonly isError?: boolean
			}
			return { isError: result.isError === true, text: result.content[0]?.text ?? '' }
		},
		[Symbol.asyncDispose]: () => client.close(),
	} satisfies ForeignClient
}

export const typescript: readonly ClientPackage[] = [
	{
		name: '@modelcontextprotocol/client',
		connect: async reach => {
			const user = new User()
			const client = new Client(about, { versionNegotiation: { mode: 'auto' }, capabilities })
			client.setRequestHandler('elicitation/create', () => user.answer())
			await client.connect(
				'url' in reach
					? new StreamableHTTPClientTransport(new URL(reach.url), bearer(reach.token))
					: new StdioClientTransport({ ...reach, args: [...reach.args] }),
			)
			return foreign(client, user, ({ name, args }, signal) => client.callTool({ name, arguments: args }, { signal }))
		},
	},
	{
		name: '@modelcontextprotocol/sdk',
		connect: async reach => {
			const user = new User()
			const client = new OlderClient(about, { capabilities })
			client.setRequestHandler(ElicitRequestSchema, () => user.answer())
			await client.connect(
				'url' in reach
					? new OlderHttp(new URL(reach.url), bearer(reach.token))
					: new OlderStdio({ ...reach, args: [...reach.args] }),
			)
			return foreign(client, user, ({ name, args }, signal) =>
				client.callTool({ name, arguments: args }, undefined, { signal }),
			)
		},
	},
]
