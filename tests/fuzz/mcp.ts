import { connect } from 'node:net'
import { join } from 'node:path'
import fc from 'fast-check'
import { modernVersion } from '../mcp/endpoint.ts'
import { anyCharacter } from '../support/any-character.ts'
import type { EndpointUnderFuzz } from './endpoint-under-fuzz.ts'
import { grown, longHeader, oversize, oversizeNames } from './oversize.ts'
import { type VitalLimits, Watch, type WatchReport } from './watch.ts'

/**
 * Sends mutated requests to the endpoint and looks for forbidden outcomes: a 500, no answer, an answer that reveals
 * internals, a valid request that is not answered afterwards, or a message that blocks the endpoint.
 */

const methods = [
	'server/discover',
	'tools/list',
	'tools/call',
	'resources/list',
	'resources/read',
	'resources/templates/list',
	'prompts/list',
	'prompts/get',
	'completion/complete',
	'initialize',
	'ping',
	'logging/setLevel',
	'notifications/cancelled',
	'notifications/initialized',
]
const versionKey = 'io.modelcontextprotocol/protocolVersion'
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities'

const oddText = fc.oneof(
	fc.constantFrom(
		'',
		'__proto__',
		'constructor',
		'toString',
		'null',
		'../..',
		'roundhouse://connections',
		'\ud800',
		'=?base64?',
	),
	fc.string({ maxLength: 20 }),
	fc.string({ unit: anyCharacter, maxLength: 10 }),
)
const anyJson = fc.oneof(
	{ weight: 12, arbitrary: oddText },
	{ weight: 12, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
	{ weight: 2, arbitrary: oversize },
)
/** Mostly valid values, sometimes any value. */
const mostly = <T>(right: T) =>
	fc.oneof({ weight: 24, arbitrary: fc.constant<unknown>(right) }, { weight: 1, arbitrary: anyJson })

const meta = fc.record(
	{
		[versionKey]: mostly(modernVersion),
		[capabilitiesKey]: mostly({}),
		'io.modelcontextprotocol/clientInfo': anyJson,
		progressToken: mostly(1),
	},
	{ requiredKeys: [versionKey, capabilitiesKey] },
)

/** Members that belong into some params, and not into others. */
const oddParams = fc.record(
	{
		name: anyJson,
		uri: anyJson,
		cursor: anyJson,
		ref: anyJson,
		argument: anyJson,
		requestId: anyJson,
		requestState: anyJson,
		inputResponses: anyJson,
	},
	{ requiredKeys: [] },
)

/** A placeholder for values that only the running endpoint knows. */
const connectionHere = 'the connection'

const reachingArguments = fc.record(
	{
		connection_id: mostly(connectionHere),
		query: fc.oneof(fc.constantFrom('read all', 'put paid', 'drop all', 'echo [a-'), anyJson),
		table: fc.oneof(fc.constant('accounts'), anyJson),
		text: anyJson,
	},
	{ requiredKeys: [] },
)

const params = fc
	.record({
		name: fc.constantFrom(
			'list_connections',
			'list_tables',
			'describe_table',
			'execute_query',
			'insert_rows',
			'ledger_echo',
			'ledger_leak',
			'explain_table',
		),
		arguments: fc.oneof(
			fc.constant({}),
			fc.dictionary(oddText, anyJson, { maxKeys: 3 }),
			mostly({}),
			reachingArguments,
		),
		uri: fc.constantFrom('roundhouse://connections', 'roundhouse://connections/x/tables'),
		protocolVersion: mostly('2025-11-25'),
		_meta: fc.oneof({ weight: 24, arbitrary: meta }, { weight: 1, arbitrary: anyJson }),
		odd: fc.option(oddParams, { freq: 3, nil: {} }),
	})
	.map(({ odd, ...right }) => ({ ...right, ...odd }))

const message = fc.record(
	{
		jsonrpc: mostly('2.0'),
		id: mostly(1),
		method: fc.oneof(
			{ weight: 24, arbitrary: fc.constantFrom<unknown>(...methods) },
			{ weight: 1, arbitrary: anyJson },
		),
		params,
	},
	{ requiredKeys: ['jsonrpc', 'method', 'params'] },
)

const headerText = fc
	.oneof(oddText, fc.constantFrom('=?base64?YQ==?=', '=?base64?!?=', 'true', '1', modernVersion), longHeader)
	.map(text => text.replace(/[\r\n\0]/g, ' '))
const oddHeaders = fc.dictionary(
	fc.constantFrom(
		'Mcp-Name',
		'Mcp-Method',
		'MCP-Protocol-Version',
		'Mcp-Session-Id',
		'Mcp-Param-Text',
		'Mcp-Param-__proto__',
		'Origin',
		'Host',
		'Content-Type',
		'Authorization',
		'Roundhouse-Bridge',
		'Roundhouse-Challenge',
	),
	headerText,
	{ maxKeys: 1 },
)

const requests = fc.record({
	verb: fc.oneof(
		{ weight: 12, arbitrary: fc.constant('POST') },
		{ weight: 1, arbitrary: fc.constantFrom('GET', 'OPTIONS', 'DELETE', 'PUT') },
	),
	path: fc.oneof(
		{ weight: 12, arbitrary: fc.constant('/mcp') },
		{ weight: 1, arbitrary: fc.constantFrom('/', '/mcp/', '/mcp?x=1', '/%2e%2e/mcp', '*') },
	),
	message,
	isLegacy: fc.integer({ min: 0, max: 6 }).map(number => number === 0),
	/** Many headers that name arguments, each of which is searched for in the body. */
	paramHeaders: fc.oneof(
		{ weight: 40, arbitrary: fc.constant(0) },
		{ weight: 1, arbitrary: fc.constantFrom(10, 100, 600) },
	),
	oddHeaders: fc.option(oddHeaders, { freq: 3, nil: {} }),
	/** Cuts the body, or changes one byte. */
	damage: fc.option(fc.record({ at: fc.nat(2000), byte: fc.option(fc.integer({ min: 0, max: 255 })) }), { freq: 8 }),
})
type FuzzRequest = typeof requests extends fc.Arbitrary<infer T> ? T : never

function encode(request: FuzzRequest, { token, connectionId, sessionId }: EndpointUnderFuzz): Buffer {
	const { verb, path, message, isLegacy, paramHeaders, oddHeaders, damage } = request
	const params = isLegacy ? { ...message.params, _meta: undefined } : message.params
	const shape = JSON.stringify({ ...message, params }).replaceAll(connectionHere, connectionId)
	let body = Buffer.from(grown(shape))
	if (damage && damage.at < body.length) {
		if (damage.byte === null) body = body.subarray(0, damage.at)
		else body[damage.at] = damage.byte
	}
	const named = params as { name?: unknown; uri?: unknown }
	const name = message.method === 'resources/read' ? named.uri : named.name
	const ofEra = isLegacy
		? { 'Mcp-Session-Id': sessionId }
		: {
				'MCP-Protocol-Version': modernVersion,
				'Mcp-Method': message.method,
				...(typeof name === 'string' && { 'Mcp-Name': name }),
			}
	const headers: Record<string, unknown> = {
		Host: 'localhost',
		'Content-Type': 'application/json',
		Authorization: `Bearer ${token}`,
		...ofEra,
		...Object.fromEntries(Array.from({ length: paramHeaders }, (_, index) => [`Mcp-Param-${index}`, '1'])),
		...oddHeaders,
		'Content-Length': body.length,
		Connection: 'keep-alive',
	}
	const lines = Object.entries(headers).map(([key, value]) => `${key}: ${text(value).replace(/[\r\n\0]/g, ' ')}\r\n`)
	return Buffer.concat([Buffer.from(`${verb} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'utf8'), body])
}

/** Any JSON value, as text of a header. */
const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** Sends raw bytes on a connection that is reused while the endpoint keeps it open. */
class Wire implements Disposable {
	readonly #port: number
	#socket: ReturnType<typeof connect> | undefined

	constructor(port: number) {
		this.#port = port
	}

	/**
	 * The endpoint may close a reused connection at any time, so a request without an answer is repeated on a new
	 * connection.
	 */
	async send(bytes: Buffer): Promise<string> {
		const isKept = this.#socket !== undefined
		const text = await this.#exchange(bytes)
		return text === '' && isKept ? this.#exchange(bytes) : text
	}

	#exchange(bytes: Buffer): Promise<string> {
		const socket = this.#socket ?? connect(this.#port, '127.0.0.1').on('error', () => {})
		this.#socket = socket
		return new Promise((resolve, reject) => {
			let text = ''
			const timer = setTimeout(
				() => finish(() => reject(new Error(`No answer to ${bytes.toString('latin1')}`))),
				10_000,
			)
			const finish = (settle: () => void) => {
				clearTimeout(timer)
				socket.off('data', onData).off('close', onClose)
				settle()
			}
			const onData = (chunk: Buffer) => {
				text += chunk.toString('latin1')
				if (!isComplete(text)) return
				if (/^connection: close/im.test(text)) this.#socket = undefined
				finish(() => resolve(text))
			}
			const onClose = () => {
				if (this.#socket === socket) this.#socket = undefined
				finish(() => resolve(text))
			}
			socket.on('data', onData).on('close', onClose)
			socket.write(bytes)
		})
	}

	[Symbol.dispose](): void {
		this.#socket?.destroy()
	}
}

function isComplete(text: string): boolean {
	const end = text.indexOf('\r\n\r\n')
	if (end < 0) return false
	const body = text.length - end - 4
	const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1]
	if (length !== undefined) return body >= Number(length)
	return /^HTTP\/1\.1 204/.test(text) || text.endsWith('0\r\n\r\n')
}

/** Text that no answer may contain: a stack, a path of this machine, a token. */
const leak = /node:internal|\.ts:\d+|\n\s+at |\/home\/\w|\/root\/\w|rh_[0-9A-Za-z]{20}/

export interface FuzzReport extends WatchReport {
	readonly statuses: ReadonlyMap<string, number>
}

/** @throws Error with the seed and the shrunk request after a forbidden outcome */
export async function fuzzMcp(requestCount: number, seed: number, limits?: VitalLimits): Promise<FuzzReport> {
	const program = join(import.meta.dirname, 'endpoint-under-fuzz.ts')
	await using watch = await Watch.start<EndpointUnderFuzz>(program, limits)
	if (limits) await warmUp(watch.ready)
	const statuses = await fuzz(watch, requestCount, seed)
	return { ...(await watch.report()), statuses }
}

/** The first long messages include the compilation of their parsers. */
async function warmUp({ port, token }: EndpointUnderFuzz): Promise<void> {
	using wire = new Wire(port)
	for (const what of Array.from({ length: 20 }, () => oversizeNames).flat()) {
		await wire.send(discover(token, `{"grow into":"${what} of 50000"}`))
	}
}

async function fuzz(
	watch: Watch<EndpointUnderFuzz>,
	requestCount: number,
	seed: number,
): Promise<ReadonlyMap<string, number>> {
	const statuses = new Map<string, number>()
	using wire = new Wire(watch.ready.port)
	await fc.assert(
		fc.asyncProperty(requests, async request => {
			const bytes = encode(request, watch.ready)
			const text = await watch.feed(() => wire.send(bytes))
			const status = /^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 'closed'
			statuses.set(status, (statuses.get(status) ?? 0) + 1)
			if (status === 'closed' && isBrokenOff(bytes)) return
			if (status === '500' || status === 'closed') throw new Error(`${status}: ${text.slice(0, 2000)}`)
			if (leak.test(text)) throw new Error(`A leak: ${leak.exec(text)?.[0]} in ${text.slice(0, 2000)}`)
		}),
		{ numRuns: requestCount, seed, endOnFailure: false },
	)
	if (!(await wire.send(discover(watch.ready.token))).startsWith('HTTP/1.1 200'))
		throw new Error('A good request is not answered any more.')
	return statuses
}

/**
 * A head that is not HTTP ends its connection. If a long body is still being sent, the system's reset may arrive before
 * the answer.
 */
function isBrokenOff(bytes: Buffer): boolean {
	const end = bytes.indexOf('\r\n\r\n')
	const head = bytes.subarray(0, end)
	const isMalformed = head.some(byte => byte === 0x7f || (byte < 0x20 && ![0x09, 0x0d, 0x0a].includes(byte)))
	return bytes.length - end > 64 * 1024 && (isMalformed || head.length > 16 * 1024)
}

/** A valid request except for its padding. */
function discover(token: string, padding = '0'): Buffer {
	const meta = JSON.stringify({ [versionKey]: modernVersion, [capabilitiesKey]: {} })
	const params = `{"padding":${padding},"_meta":${meta}}`
	const body = grown(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":${params}}`)
	const head = [
		'POST /mcp HTTP/1.1',
		'Host: localhost',
		'Content-Type: application/json',
		`Authorization: Bearer ${token}`,
		`MCP-Protocol-Version: ${modernVersion}`,
		'Mcp-Method: server/discover',
		`Content-Length: ${Buffer.byteLength(body)}`,
	]
	return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/** No message of any client may block the endpoint for longer, or make it use more memory. */
const limits: VitalLimits = { delayMs: 50, residentMb: 1024 }

if (import.meta.main) {
	const requestCount = Number(process.argv[2] ?? 200_000)
	const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
	console.log(`seed ${seed}`)
	const { statuses, ...report } = await fuzzMcp(requestCount, seed, limits)
	console.log({ ...report, statuses: Object.fromEntries(statuses) })
}
