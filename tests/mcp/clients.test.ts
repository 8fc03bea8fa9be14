import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as LegacyStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type EndpointFixture, startEndpoint } from './endpoint.ts'

/** Real clients, each in a typical session: connect, list, call, progress, cancel, consent, and more. */

const folder = import.meta.dirname
let fixture: EndpointFixture
let connectionId: string
beforeAll(async () => {
	const drivers = [join(folder, 'drivers', 'ledger'), join(folder, '..', 'conformance', 'drivers', 'test')]
	fixture = await startEndpoint({ hasRealClock: true, drivers })
	connectionId = (await fixture.addConnection()).id
})
afterAll(() => fixture[Symbol.asyncDispose]())

const url = () => new URL(fixture.endpoint.url)
const requestInit = () => ({ headers: { Authorization: `Bearer ${fixture.token}` } })
const bridgeProgram = () => ({
	command: process.execPath,
	args: [join(folder, 'bridge-program.ts'), fixture.support.path],
})
async function waitingInDriver(): Promise<number> {
	const { result } = (await fixture.callTool('ledger_wait', { finish: true })).json
	return JSON.parse(result.content[0].text).waiting
}

/** The operations of a client of either package. */
interface AnyClient {
	listTools(): Promise<{ tools: readonly { readonly name: string }[] }>
	callTool(
		params: { name: string; arguments?: Record<string, unknown> },
		options?: { onprogress?: (progress: { progress: number }) => void; signal?: AbortSignal },
	): Promise<{ content: readonly unknown[]; isError?: boolean }>
	listResources(): Promise<{ resources: readonly { readonly uri: string }[] }>
	readResource(params: { uri: string }): Promise<{ contents: readonly unknown[] }>
	getPrompt(params: { name: string; arguments?: Record<string, string> }): Promise<{ messages: readonly unknown[] }>
	complete(params: object): Promise<{ completion: { values: readonly string[] } }>
	close(): Promise<void>
}

async function workingDay(client: AnyClient): Promise<void> {
	expect((await client.listTools()).tools[0]?.name).toBe('list_connections')
	const called = await client.callTool({ name: 'list_tables', arguments: { connection_id: connectionId } })
	expect(called.content).toMatchObject([{ type: 'text', text: expect.stringContaining('accounts') }])

	// A client that reads progress and response in one chunk drops the progress, so this call waits to be cancelled.
	const seen: number[] = []
	const abort = new AbortController()
	const waiting = client.callTool(
		{ name: 'ledger_wait', arguments: { progress: [1, 2, 3] } },
		{ onprogress: ({ progress }) => void seen.push(progress), signal: abort.signal },
	)
	const failed = expect(waiting).rejects.toThrow()
	await vi.waitFor(() => expect(seen).toEqual([1, 2, 3]))
	expect(await waitingInDriver()).toBe(1)
	abort.abort()
	await failed
	await vi.waitFor(async () => expect(await waitingInDriver()).toBe(0))

	const { resources } = await client.listResources()
	expect(resources[0]?.uri).toBe('roundhouse://connections')
	expect((await client.readResource({ uri: 'roundhouse://connections' })).contents).toHaveLength(1)
	const prompt = await client.getPrompt({
		name: 'explain_table',
		arguments: { connection: 'Books', table: 'accounts' },
	})
	expect(prompt.messages).toHaveLength(1)
	const completion = await client.complete({
		ref: { type: 'ref/prompt', name: 'explain_table' },
		argument: { name: 'connection', value: 'B' },
	})
	expect(completion.completion.values).toEqual(['Books'])
}

const modes = [
	['modern', { pin: '2026-07-28' }, 'modern'],
	['automatic', 'auto', 'modern'],
	['legacy', 'legacy', 'legacy'],
] as const
const transports = [
	['HTTP', () => new StreamableHTTPClientTransport(url(), { requestInit: requestInit() })],
	['stdio', () => new StdioClientTransport(bridgeProgram())],
] as const
const combinations = modes.flatMap(mode => transports.map(transport => [...mode, ...transport] as const))

describe('@modelcontextprotocol/client', () => {
	test.each(combinations)('in %s mode (%j) works in the %s era over %s', async (_name, mode, era, _kind, transport) => {
		const client = new Client({ name: 'c', version: '1' }, { versionNegotiation: { mode } })
		await client.connect(transport())
		expect(client.getProtocolEra()).toBe(era)
		// Both packages declare wider result types than this test reads.
		await workingDay(client as unknown as AnyClient)
		await client.close()
	})

	const asking = [
		['modern', 'auto', ...transports[0]],
		['modern', 'auto', ...transports[1]],
		// Over HTTP the legacy era has no way to ask.
		['legacy', 'legacy', ...transports[1]],
	] as const
	test.each(
		asking,
	)('in %s mode (%j) collects consent by elicitation, over %s', async (_era, mode, _kind, transport) => {
		const client = new Client(
			{ name: 'c', version: '1' },
			{ versionNegotiation: { mode }, capabilities: { elicitation: { form: {} } } },
		)
		const questions: string[] = []
		client.setRequestHandler('elicitation/create', async ({ params }) => {
			questions.push(params.message)
			return { action: 'accept', content: { approved: true } }
		})
		await client.connect(transport())
		const args = { connection_id: connectionId, query: 'put by elicitation' }
		const result = await client.callTool({ name: 'execute_query', arguments: args })
		expect(result.isError).toBeUndefined()
		expect(questions).toEqual([expect.stringContaining('put by elicitation')])
		await client.close()
	})

	test.each(transports)('listens, over %s', async (_kind, transport) => {
		const client = new Client({ name: 'c', version: '1' }, { versionNegotiation: { mode: 'auto' } })
		const changed = Promise.withResolvers<void>()
		client.setNotificationHandler('notifications/resources/list_changed', () => changed.resolve())
		await client.connect(transport())
		const subscription = await client.listen({ resourcesListChanged: true })
		await fixture.sessions.close(connectionId)
		await fixture.sessions.open(connectionId)
		await changed.promise
		await subscription.close()
		await client.close()
	})
})

describe('@modelcontextprotocol/sdk 1.x', () => {
	test.each([
		['HTTP', () => new LegacyHttp(url(), { requestInit: requestInit() })],
		['stdio', () => new LegacyStdio(bridgeProgram())],
	] as const)('works over %s', async (_kind, transport) => {
		const client = new LegacyClient({ name: 'c', version: '1' })
		// Its transport type requires `sessionId` without `undefined`, but assigns `undefined`.
		await client.connect(transport() as Parameters<LegacyClient['connect']>[0])
		const callTool: AnyClient['callTool'] = (params, options) =>
			client.callTool(params, undefined, options) as ReturnType<AnyClient['callTool']>
		// The other operations have the same signature in both packages; `callTool` has a schema in the middle.
		await workingDay(Object.assign(Object.create(client), { callTool }))
		await client.close()
	})

	test('collects consent by elicitation, over stdio', async () => {
		const client = new LegacyClient({ name: 'c', version: '1' }, { capabilities: { elicitation: {} } })
		const questions: string[] = []
		client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
			questions.push(params.message)
			return { action: 'accept', content: { approved: true } }
		})
		await client.connect(new LegacyStdio(bridgeProgram()))
		const args = { connection_id: connectionId, query: 'put by the old way' }
		const result = await client.callTool({ name: 'execute_query', arguments: args })
		expect(result.isError).toBeUndefined()
		expect(questions).toEqual([expect.stringContaining('put by the old way')])
		await client.close()
	})
})

describe("the inspector's command line", () => {
	const launcher = join(
		folder,
		'..',
		'..',
		'node_modules',
		'@modelcontextprotocol',
		'inspector',
		'clients',
		'launcher',
		'build',
		'index.js',
	)
	const run = async (...options: string[]) => {
		const home = await mkdtemp(join(tmpdir(), 'roundhouse-inspector-'))
		try {
			const environment = { ...process.env, HOME: home, MCP_INSPECTOR_SECRET_STORE: 'memory' }
			const authorization = ['--header', `Authorization: Bearer ${fixture.token}`]
			const args = [launcher, '--cli', fixture.endpoint.url, '-q', '--format', 'json', ...authorization, ...options]
			const { stdout } = await promisify(execFile)(process.execPath, args, { env: environment })
			return stdout
		} finally {
			await rm(home, { recursive: true, force: true })
		}
	}

	test.each(['modern', 'legacy'])('lists and calls in the %s era', async era => {
		expect(await run('--protocol-era', era, '--method', 'tools/list')).toContain('list_connections')
		const called = await run(
			'--protocol-era',
			era,
			'--method',
			'tools/call',
			'--tool-name',
			'ledger_echo',
			'--tool-arg',
			'text=hello',
		)
		expect(called).toContain('hello')
	})

	// All methods of the command line. It cannot complete, cancel, listen or answer a question.
	test.each(['modern', 'legacy'])('reads resources and prompts in the %s era', async era => {
		const method = (name: string, ...options: string[]) => run('--protocol-era', era, '--method', name, ...options)
		expect(await method('resources/list')).toContain('roundhouse://connections')
		expect(await method('resources/read', '--uri', 'roundhouse://connections')).toContain('Books')
		expect(await method('prompts/list')).toContain('explain_table')
		const prompt = ['--prompt-name', 'explain_table', '--prompt-args', 'connection=Books', 'table=accounts']
		expect(await method('prompts/get', ...prompt)).toContain('accounts')
	})
})
