import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Json, JsonObject } from '@roundhouse/kit'
import { toolGroups } from '@roundhouse/kit/tool-groups'
import { stderrLog } from '../../base/log.ts'
import { rememberSecret } from '../../base/redaction.ts'
import { openSupportDirectory } from '../../base/support-directory.ts'
import type { ConnectionDraft } from '../../host/connections/connection-fields.ts'
import { SavedConnections } from '../../host/connections/saved-connections.ts'
import type { SecretStore } from '../../host/connections/secrets.ts'
import { Sessions } from '../../host/connections/sessions.ts'
import { type McpEndpointOptions, startMcpEndpoint, Tokens } from '../../host/mcp/index.ts'
import { systemClock } from '../../host/mcp/protocol/clock.ts'
import { encodeHeaderValue } from '../../host/mcp/wire/headers.ts'
import { KeptChanges } from '../../host/undo/kept-changes.ts'
import { SealedFiles } from '../../host/undo/sealed-files.ts'
import { unattended } from '../support/network-access.ts'
import { endOfLog, testedHosts } from '../support/tested-hosts.ts'
import { requireFitting } from './answers.ts'
import { buildDriver } from './drivers/build-driver.ts'
import { TestDrivers } from './drivers/test-drivers.ts'
import { ManualClock } from './manual-clock.ts'
import { type OpenStream, openStream, type Received, type Sent, send } from './wire.ts'

export const modernVersion = '2026-07-28'
export const ledgerFolder = join(import.meta.dirname, 'drivers', 'ledger')

export interface MessageOptions {
	readonly id?: Json
	/** `null` sends no token. */
	readonly token?: string | null
	readonly capabilities?: JsonObject
	readonly meta?: JsonObject
	/** Headers in addition to those of a client of that era; `undefined` removes one. */
	readonly headers?: Readonly<Record<string, string | undefined>>
}

export type FixtureOptions = Partial<
	Pick<
		McpEndpointOptions,
		'settings' | 'refusal' | 'limits' | 'desk' | 'showDesk' | 'exports' | 'log' | 'activity' | 'clients' | 'offers'
	>
> & {
	/** Folders of the drivers to install. */
	readonly drivers?: readonly string[]
	/** The setting. */
	readonly keepsReplaced?: boolean
	/** For tests that wait for sockets. All other tests use a manual clock. */
	readonly hasRealClock?: boolean
}

/** The core tools, as they are listed without a driver. */
async function listCore() {
	await using bare = await startEndpoint({ drivers: [] })
	return (await bare.call('tools/list')).json.result.tools
}

export type EndpointFixture = Awaited<ReturnType<typeof startEndpoint>>

/** An endpoint on a socket, with drivers in separate processes, and a token with all scopes. */
export async function startEndpoint(options: FixtureOptions = {}) {
	await using lifetime = new AsyncDisposableStack()
	const host = { log: '', running: [], isDisposed: false }
	testedHosts.add(host)
	lifetime.defer(() => {
		host.isDisposed = true
	})
	const log = stderrLog(line => {
		host.log = endOfLog(host.log + line)
	})
	const folder = await mkdtemp(join(tmpdir(), 'roundhouse-mcp-'))
	lifetime.defer(() => rm(folder, { recursive: true, force: true }))
	const support = await openSupportDirectory(folder)
	const clock = new ManualClock()
	const built = await Promise.all((options.drivers ?? [ledgerFolder]).map(buildDriver))
	for (const driver of built) lifetime.use(driver)
	const drivers = lifetime.use(new TestDrivers(built, log))
	const secrets = memorySecrets()
	const connections = await SavedConnections.open(support.file('connections.json'), secrets)
	const sessions = new Sessions({ saved: connections, drivers, ...unattended(connections) })
	lifetime.defer(() => sessions.releaseAll())
	const tokens = await Tokens.open(support.file('tokens.json'), options.hasRealClock ? systemClock : clock)
	lifetime.defer(() => tokens.flush())
	const keptChanges = new KeptChanges({
		files: new SealedFiles(support.file('replaced'), { secrets, now: Date.now }),
		isOn: () => options.keepsReplaced ?? true,
	})
	const endpoint = await startMcpEndpoint({
		support,
		keptChanges,
		connections,
		sessions,
		drivers,
		tokens,
		log: options.log ?? log,
		port: 0,
		server: { name: 'roundhouse', title: 'Roundhouse', version: '0.1.0' },
		settings: { ratePerMinute: 0, concurrentPerToken: 0, ...options.settings },
		...(options.refusal && { refusal: options.refusal }),
		...(options.limits && { limits: options.limits }),
		...(options.desk && { desk: options.desk }),
		...(options.showDesk && { showDesk: options.showDesk }),
		...(options.exports && { exports: options.exports }),
		...(options.activity && { activity: options.activity }),
		...(options.clients && { clients: options.clients }),
		...(options.offers && { offers: options.offers }),
		...(!options.hasRealClock && { clock }),
	})
	lifetime.defer(() => endpoint.close())
	const { token } = await tokens.create({ name: 'full', level: 'full', groups: toolGroups })
	const running = lifetime.move()
	const { port } = endpoint

	const addConnection = (draft: Partial<ConnectionDraft> = {}) => {
		const whole = { name: 'Books', driverId: 'ledger', settings: { password: 'hunter2-secret' }, ...draft }
		const manifest = drivers.installed().find(({ id }) => id === whole.driverId)
		if (!manifest) throw new Error(`The driver ${whole.driverId} is not installed.`)
		return connections.add({ externalAccess: 'read-write', aiPolicy: 'allow', ...whole }, manifest)
	}
	const modernRequest = (method: string, params: JsonObject = {}, message: MessageOptions = {}): Sent => {
		const meta = {
			'io.modelcontextprotocol/protocolVersion': modernVersion,
			'io.modelcontextprotocol/clientCapabilities': message.capabilities ?? {},
			...message.meta,
		}
		const name = method === 'resources/read' ? params.uri : params.name
		const isNamed = ['tools/call', 'prompts/get', 'resources/read'].includes(method)
		return withHeaders(
			{ jsonrpc: '2.0', id: message.id ?? 1, method, params: { ...params, _meta: meta } },
			{
				'MCP-Protocol-Version': modernVersion,
				'Mcp-Method': method,
				...(isNamed && typeof name === 'string' && { 'Mcp-Name': encodeHeaderValue(name) }),
			},
			message,
		)
	}
	const withHeaders = (body: JsonObject, headers: Record<string, string>, message: MessageOptions): Sent => ({
		headers: clean({
			'Content-Type': 'application/json',
			...(message.token !== null && { Authorization: `Bearer ${message.token ?? token}` }),
			...headers,
			...message.headers,
		}),
		body: JSON.stringify(body),
	})
	const legacyRequest = (method: string, params: JsonObject, message: MessageOptions = {}): Sent =>
		withHeaders({ jsonrpc: '2.0', id: message.id ?? 1, method, params }, {}, message)

	return {
		port,
		token,
		clock,
		support,
		keptChanges,
		tokens,
		connections,
		sessions,
		drivers,
		endpoint,
		addConnection,
		modernRequest,
		legacyRequest,
		/** Sends a modern request. */
		call: (method: string, params?: JsonObject, message?: MessageOptions): Promise<Received> =>
			send(port, modernRequest(method, params, message)),
		async callTool(name: string, args: JsonObject = {}, message?: MessageOptions): Promise<Received> {
			const received = await send(port, modernRequest('tools/call', { name, arguments: args }, message))
			const answer = received.json?.result?.structuredContent
			if (answer !== undefined) await requireFitting(listCore, name, answer)
			return received
		},
		/** Sends a modern request and reads the answer as a stream. */
		stream: (method: string, params?: JsonObject, message?: MessageOptions): Promise<OpenStream> =>
			openStream(port, modernRequest(method, params, message)),
		send: (sent: Sent): Promise<Received> => send(port, sent),
		notify: (method: string, params: JsonObject, message: MessageOptions = {}): Promise<Received> =>
			send(port, withHeaders({ jsonrpc: '2.0', method, params }, {}, message)),
		/** Opens a legacy session and returns its id. */
		initialize: async (protocolVersion = '2025-11-25', message?: MessageOptions): Promise<string> => {
			const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } }
			const { headers } = await send(port, legacyRequest('initialize', params, message))
			return String(headers['mcp-session-id'])
		},
		[Symbol.asyncDispose]: () => running.disposeAsync(),
	}
}

function clean(headers: Record<string, string | undefined>): Record<string, string> {
	const named = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined)
	return Object.fromEntries(named)
}

function memorySecrets(): SecretStore {
	const secrets = new Map<string, string>()
	return {
		description: 'memory',
		get: async key => secrets.get(key),
		set: async (key, secret) => {
			secrets.set(key, secret)
			rememberSecret(secret)
		},
		delete: async key => void secrets.delete(key),
	}
}
