import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { costOf } from '../../host/mcp/exposed/tools/cost.ts'

// biome-ignore lint/suspicious/noExplicitAny: a task reads answers of every shape
export type Answer = any

/** What a conversation costs a model: the number of calls, and all bytes sent and received. */
export interface Cost {
	readonly calls: number
	readonly bytes: number
}

/**
 * A simulated model that works for a user who agrees to everything. It sees only tools, instructions and errors. Each
 * answer is counted as text, once, without the parts that differ between runs.
 */
export class Agent implements AsyncDisposable {
	readonly #client: Client
	#calls = 0
	#bytes = 0

	private constructor(client: Client) {
		this.#client = client
	}

	static async connect(url: string, token: string): Promise<Agent> {
		const client = new Client(
			{ name: 'agent', version: '1' },
			{ versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: { form: {} } } },
		)
		client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { approved: true } }))
		await client.connect(
			new StreamableHTTPClientTransport(new URL(url), {
				requestInit: { headers: { Authorization: `Bearer ${token}` } },
			}),
		)
		return new Agent(client)
	}

	/** Returns the counted costs, and resets the counters. */
	cost(): Cost {
		const cost = { calls: this.#calls, bytes: this.#bytes }
		this.#calls = 0
		this.#bytes = 0
		return cost
	}

	/** Returns the answer of a tool. An error is returned as its text. */
	async call(name: string, args: Record<string, unknown> = {}): Promise<Answer> {
		const { content, structuredContent, isError } = await this.#client.callTool({ name, arguments: args })
		const text = (content as readonly { readonly text?: string }[]).map(block => block.text ?? '').join('')
		this.#calls++
		this.#bytes += Buffer.byteLength(JSON.stringify(args)) + Buffer.byteLength(steady(text))
		return isError ? text : (structuredContent ?? JSON.parse(text))
	}

	/** Returns a resource, which the instructions of a prompt or a template of the server name. */
	async read(uri: string): Promise<Answer> {
		const { contents } = await this.#client.readResource({ uri })
		const text = contents.map(content => ('text' in content ? content.text : '')).join('')
		this.#calls++
		this.#bytes += Buffer.byteLength(JSON.stringify({ uri })) + Buffer.byteLength(steady(text))
		return JSON.parse(text)
	}

	/** Returns the values that a client offers for an argument of a prompt. */
	async complete(prompt: string, argument: { readonly name: string; readonly value: string }): Promise<Answer> {
		const { completion } = await this.#client.complete({ ref: { type: 'ref/prompt', name: prompt }, argument })
		this.#calls++
		this.#bytes += Buffer.byteLength(JSON.stringify(argument)) + Buffer.byteLength(JSON.stringify(completion.values))
		return completion.values
	}

	/** Returns the cost of the tool list, which each conversation pays before the first question. */
	async toolTokens(): Promise<number> {
		const { tools } = await this.#client.listTools()
		// Both values are JSON of a tool.
		return tools.reduce((sum, tool) => sum + costOf(tool as Parameters<typeof costOf>[0]), 0)
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#client.close()
	}
}

/** Durations, shares of them, versions and generated ids differ between runs. */
function steady(text: string): string {
	return text
		.replace(/"(took_ms|took|tookMs)":\d+/g, '"$1":0')
		.replace(/\d+(?= % )/g, '0')
		.replace(/(?<=The statement was run, )\d+(?= ms)/g, '0')
		.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '00000000-0000-0000-0000-000000000000')
		.replace(/\/\S+\/(?=events\.ndjson)/g, '/exports/')
		.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-01-01T00:00:00.000Z')
}
