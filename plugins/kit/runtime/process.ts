import { Socket } from 'node:net'
import { pathToFileURL } from 'node:url'
import type { Call, Progress } from '../api/call.ts'
import type { Connection } from '../api/connection.ts'
import type { Driver, DriverContext, Sample } from '../api/driver.ts'
import { encode } from '../api/encoded.ts'
import { DriverError, isDriverError } from '../api/errors.ts'
import type { RowExport } from '../api/export.ts'
import { type JsonObject, parseJson } from '../api/json.ts'
import type { ToolCall } from '../api/mcp.ts'
import type { Grid } from '../api/rows.ts'
import { kitVersion } from '../api/version.ts'
import { encodeFrame, FrameReader, frameLimits } from '../wire/frames.ts'
import { beatIntervalMs, channelFd, type DriverMessage, type HostMessage } from '../wire/messages.ts'
import type { DriverMethod, ParamsOf, ResultOf } from '../wire/methods.ts'
import { latestOnly } from './latest-only.ts'
import { giveUpPowers } from './powers.ts'
import { faultOfArguments } from './tool-arguments.ts'

/**
 * The program of a driver process: loads the driver named on its command line and answers the host over a pipe.
 * It runs with Node's permission flags and an empty environment (host/driver-runtime/driver-process.ts).
 */

/** Progress is for eyes: what one call reports beyond this many a second is replaced by what comes next. */
const progressPerSecond = 200

type Handler<M extends DriverMethod> = (params: ParamsOf<M>, call: Call) => Promise<ResultOf<M>> | ResultOf<M>
type Handlers = { readonly [M in DriverMethod]: Handler<M> }

/** Things with a number on the wire: connections and grids. */
class Handles<T> {
	readonly #items = new Map<number, T>()
	#last = 0

	add(item: T): number {
		this.#items.set(++this.#last, item)
		return this.#last
	}

	get(handle: number): T {
		const item = this.#items.get(handle)
		if (item === undefined) throw new DriverError('not_connected', 'This connection is closed. Open it again.')
		return item
	}

	take(handle: number): T | undefined {
		const item = this.#items.get(handle)
		this.#items.delete(handle)
		return item
	}

	takeAll(isWanted: (item: T) => boolean): T[] {
		const wanted = [...this.#items].filter(([, item]) => isWanted(item))
		for (const [handle] of wanted) this.#items.delete(handle)
		return wanted.map(([, item]) => item)
	}

	*drain(): Iterable<T> {
		yield* this.#items.values()
		this.#items.clear()
	}
}

class DriverRuntime {
	readonly #driver: Driver
	readonly #context: DriverContext
	readonly #send: (message: DriverMessage, attached?: Uint8Array) => void
	readonly #connections = new Handles<Connection>()
	readonly #grids = new Handles<{ readonly connection: number; readonly grid: Grid }>()
	readonly #exports = new Handles<{ readonly connection: number; readonly export: RowExport }>()
	readonly #running = new Map<number, AbortController>()
	readonly #samples: Sample[] = []

	constructor(driver: Driver, context: DriverContext, send: (message: DriverMessage, attached?: Uint8Array) => void) {
		this.#driver = driver
		this.#context = context
		this.#send = send
	}

	async receive(message: HostMessage): Promise<void> {
		if (message.kind === 'cancel') return this.#running.get(message.id)?.abort()
		if (message.kind === 'stop') return this.stop()
		const { id, method, params } = message
		const abort = new AbortController()
		this.#running.set(id, abort)
		const report = latestOnly<Progress>(progressPerSecond, 1000, progress =>
			this.#send({ kind: 'progress', id, progress: shortened(progress) }),
		)
		const call: Call = {
			signal: abort.signal,
			progress: progress => {
				if (this.#running.has(id)) report.take(progress)
			},
		}
		try {
			// The host is the other half of this build and types its calls by the table of methods.
			const handler = this.#handlers[method] as (params: unknown, call: Call) => unknown
			const value = await handler(params, call)
			report.end()
			this.#answer(id, value)
		} catch (error) {
			report.end()
			this.#send({ kind: 'error', id, ...describeError(error, abort.signal) })
		} finally {
			this.#running.delete(id)
		}
	}

	/** Bytes travel beside the message. What is beyond the host's limits is said, not sent: the host would end the process. */
	#answer(id: number, value: unknown): void {
		if (!(value instanceof Uint8Array)) return this.#send({ kind: 'result', id, value })
		if (value.length > frameLimits.attachedBytes) {
			const [size, most] = [value.length, frameLimits.attachedBytes].map(bytes => Math.round(bytes / 1024 / 1024))
			throw new DriverError('query_failed', `The answer has ${size} MB, and ${most} are the most. Ask for less.`)
		}
		this.#send({ kind: 'bytes', id }, value)
	}

	async stop(): Promise<void> {
		for (const abort of this.#running.values()) abort.abort()
		const open = [
			...[...this.#grids.drain()].map(entry => entry.grid.close()),
			...[...this.#exports.drain()].map(entry => entry.export.close()),
			...[...this.#connections.drain()].map(connection => connection.close()),
			...this.#samples.splice(0).map(sample => sample.close()),
		]
		await Promise.allSettled(open)
	}

	readonly #handlers: Handlers = {
		connect: async ({ settings }, call) => {
			const connection = await this.#driver.connect(settings, this.#context, call)
			return { connection: this.#connections.add(connection), info: connection.info() }
		},
		disconnect: async ({ connection }) => {
			// What the engine holds open for the connection goes before it.
			await Promise.allSettled([
				...this.#grids.takeAll(entry => entry.connection === connection).map(entry => entry.grid.close()),
				...this.#exports.takeAll(entry => entry.connection === connection).map(entry => entry.export.close()),
			])
			await this.#connections.take(connection)?.close()
			return null
		},
		listTables: ({ connection }, call) => this.#connections.get(connection).listTables(call),
		describeTable: async ({ connection, table }, call) =>
			encode(await this.#connections.get(connection).describeTable(table, call)),
		openGrid: async ({ connection, query }, call) =>
			this.#grids.add({ connection, grid: await this.#connections.get(connection).openGrid(query, call) }),
		gridPage: ({ grid, offset, limit }, call) => this.#grids.get(grid).grid.page({ offset, limit }, call),
		closeGrid: async ({ grid }) => {
			await this.#grids.take(grid)?.grid.close()
			return null
		},
		openExport: async ({ connection, query, options }, call) => {
			const open = this.#connections.get(connection)
			if (!open.openExport) throw new DriverError('unsupported', 'This driver cannot export.')
			return this.#exports.add({ connection, export: await open.openExport(query, options, call) })
		},
		readExport: async ({ export: handle }, call) => (await this.#exports.get(handle).export.read(call)) ?? null,
		closeExport: async ({ export: handle }) => {
			await this.#exports.take(handle)?.export.close()
			return null
		},
		countRows: ({ connection, query }, call) => this.#connections.get(connection).countRows(query, call),
		readRow: ({ connection, table, rowId }, call) => this.#connections.get(connection).readRow(table, rowId, call),
		previewChanges: ({ connection, table, changes }, call) =>
			this.#connections.get(connection).previewChanges(table, changes, call),
		applyChanges: ({ connection, table, changes }, call) =>
			this.#connections.get(connection).applyChanges(table, changes, call),
		analyse: ({ connection, text }) => this.#connections.get(connection).console.analyse(text),
		assess: async ({ connection, statement }, call) =>
			(await this.#connections.get(connection).console.assess?.(statement, call)) ?? {},
		completeConsole: async ({ connection, text, offset }, call) => {
			const { console } = this.#connections.get(connection)
			return (await console.complete?.(text, offset, call)) ?? { from: offset, options: [] }
		},
		runConsole: ({ connection, statement, maxRows }, call) =>
			this.#connections.get(connection).console.run(statement, { maxRows }, call),
		checkArguments: ({ schema, args }) => faultOfArguments(schema, args) ?? null,
		callTool: async (params, call) => {
			const handler = own(this.#driver.tools, params.name)
			return encode(await handler(parseJson(params.args) as JsonObject, this.#toolCall(params, call)))
		},
		getPrompt: async (params, call) => {
			const handler = own(this.#driver.prompts, params.name)
			// Prompt arguments are strings by the MCP schema; the host has checked them.
			const args = JSON.parse(params.args) as Record<string, string>
			return encode(await handler(args, this.#toolCall(params, call)))
		},
		readResource: async (params, call) => {
			if (!this.#driver.readResource) throw new DriverError('not_found', `No resource ${params.uri}.`)
			return encode(await this.#driver.readResource(params.uri, this.#toolCall(params, call)))
		},
		complete: async ({ request }, call) => (await this.#driver.complete?.(request, call)) ?? { values: [] },
		startSample: async options => {
			if (!this.#driver.startSample) throw new DriverError('unsupported', 'This driver brings no sample.')
			const sample = await this.#driver.startSample(this.#context, options)
			this.#samples.push(sample)
			return { settings: sample.settings, url: sample.url }
		},
	}

	#toolCall(params: ParamsOf<'callTool' | 'readResource'>, call: Call): ToolCall {
		const context = parseJson(params.context) as JsonObject & Pick<ToolCall, 'clientCapabilities' | 'inputResponses'>
		return {
			...call,
			...context,
			...(params.connection !== undefined && { connection: this.#connections.get(params.connection) }),
		}
	}
}

/** The host takes no longer messages. */
function shortened({ message, ...counted }: Progress): Progress {
	return { ...counted, ...(message !== undefined && { message: message.slice(0, 1000) }) }
}

function own<T>(handlers: Readonly<Record<string, T>> | undefined, name: string): T {
	const handler = handlers && Object.hasOwn(handlers, name) ? handlers[name] : undefined
	if (!handler) throw new DriverError('unsupported', `The driver declares "${name}" but has no handler for it.`)
	return handler
}

function describeError(
	error: unknown,
	signal: AbortSignal,
): Pick<DriverMessage & { kind: 'error' }, 'code' | 'message'> {
	if (isDriverError(error)) return { code: error.code, message: error.message.slice(0, 100_000) }
	if (signal.aborted) return { code: 'user_cancelled', message: 'The call was cancelled.' }
	// The text of an unexpected error may hold anything; it goes to the host's log, not to the caller.
	process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
	return { code: 'internal_failure', message: 'The driver failed unexpectedly. See the log for details.' }
}

const [entry, scratchFolder] = process.argv.slice(2)
if (!entry || !scratchFolder) throw new Error('This program is started by the Roundhouse host.')
giveUpPowers()

const channel = new Socket({ fd: channelFd, readable: true, writable: true })
function send(message: DriverMessage, attached?: Uint8Array): void {
	channel.cork()
	for (const piece of encodeFrame(message, attached)) channel.write(piece)
	channel.uncork()
}

const { default: driver } = (await import(pathToFileURL(entry).href)) as { readonly default: Driver }
const context: DriverContext = {
	scratchFolder,
	log: message => send({ kind: 'log', message: message.slice(0, 4000) }),
}
const runtime = new DriverRuntime(driver, context, send)

const reader = new FrameReader({ jsonBytes: Infinity, attachedBytes: 0 }, received => {
	// The host is the other half of this build.
	const message = received as HostMessage
	void runtime.receive(message).then(() => {
		if (message.kind === 'stop') process.exit(0)
	})
})
channel.on('data', (chunk: Buffer) => reader.push(chunk))
// The host is gone: nobody is left to serve.
channel.on('error', () => process.exit(0)).on('close', () => process.exit(0))
setInterval(() => send({ kind: 'beat' }), beatIntervalMs)
send({ kind: 'hello', kit: kitVersion, hasSample: driver.startSample !== undefined })
