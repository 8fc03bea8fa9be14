import type { Call } from '../api/call.ts'
import type { Connection } from '../api/connection.ts'
import type { Console, ConsoleResult, ConsoleSession, Namespace, Statement } from '../api/console.ts'
import type { Driver, Sample, Surroundings } from '../api/driver.ts'
import { encode, encodeWithRaw } from '../api/encoded.ts'
import { DriverError, type Fault, faultOf, isDriverError } from '../api/errors.ts'
import type { RowExport } from '../api/export.ts'
import type { RowImport } from '../api/import.ts'
import { type JsonObject, parseJson } from '../api/json.ts'
import type { ToolCall } from '../api/mcp.ts'
import type { ParameterValue } from '../api/parameters.ts'
import type { Grid } from '../api/rows.ts'
import type { DriverMethod, ParamsOf, ResultOf } from '../wire/methods.ts'
import { Handles } from './handles.ts'
import type { PassedSockets } from './passed-sockets.ts'
import type { Permission } from './permission.ts'
import { faultOfArguments } from './tool-arguments.ts'

type Handler<M extends DriverMethod> = (params: ParamsOf<M>, call: Call) => Promise<ResultOf<M>> | ResultOf<M>
type Handlers = { readonly [M in DriverMethod]: Handler<M> }

/** The console of a statement. */
interface OfConsole extends Namespace {
	readonly session?: number | undefined
	readonly inTransaction?: boolean | undefined
}

interface DriverMethodsParts {
	readonly surroundings: Surroundings
	readonly sockets: PassedSockets
	readonly permission: Permission
}

/** Implements each method of the table with the driver, and owns what the driver holds open for the host. */
export class DriverMethods {
	readonly #driver: Driver
	readonly #surroundings: Surroundings
	readonly #sockets: PassedSockets
	readonly #permission: Permission
	readonly #connections = new Handles<Connection>()
	readonly #grids = new Handles<{ readonly connection: number; readonly grid: Grid }>()
	readonly #exports = new Handles<{ readonly connection: number; readonly export: RowExport }>()
	readonly #imports = new Handles<{ readonly connection: number; readonly import: RowImport }>()
	readonly #sessions = new Handles<
		{ readonly connection: number; readonly session: Promise<ConsoleSession> } & Namespace
	>()
	readonly #samples: Sample[] = []

	constructor(driver: Driver, { surroundings, sockets, permission }: DriverMethodsParts) {
		this.#driver = driver
		this.#surroundings = surroundings
		this.#sockets = sockets
		this.#permission = permission
	}

	/** @throws DriverError, or any error of the driver */
	async run(method: DriverMethod, params: unknown, call: Call): Promise<unknown> {
		// The host is from the same build and types its calls by the table of methods.
		const handler = this.#handlers[method] as (params: unknown, call: Call) => unknown
		return handler(params, call)
	}

	/** Closes everything open. What cannot be closed ends with the process. */
	async closeAll(): Promise<void> {
		const open = [
			...[...this.#grids.drain()].map(entry => entry.grid.close()),
			...[...this.#exports.drain()].map(entry => entry.export.close()),
			...[...this.#imports.drain()].map(entry => entry.import.abort()),
			...[...this.#sessions.drain()].map(async ({ session }) => (await session).close()),
			...[...this.#connections.drain()].map(connection => connection.close()),
			...this.#samples.splice(0).map(sample => sample.close()),
		]
		await Promise.allSettled(open)
	}

	readonly #handlers: Handlers = {
		connect: async ({ settings, reach, isReadOnly }, call) => {
			const { current: permitted, costLimitRows, hiddenColumns } = this.#permission
			const connect = this.#sockets.connectFor(reach)
			const context = { ...this.#surroundings, connect, permitted, costLimitRows, hiddenColumns, isReadOnly }
			const connection = await this.#driver.connect(settings, context, call)
			return { connection: this.#connections.add(connection), info: connection.info() }
		},
		disconnect: async ({ connection }) => {
			// Close what belongs to the connection before it.
			await Promise.allSettled([
				...this.#sessions
					.takeAll(entry => entry.connection === connection)
					.map(async ({ session }) => (await session).close()),
				...this.#grids.takeAll(entry => entry.connection === connection).map(entry => entry.grid.close()),
				...this.#exports.takeAll(entry => entry.connection === connection).map(entry => entry.export.close()),
				...this.#imports.takeAll(entry => entry.connection === connection).map(entry => entry.import.abort()),
			])
			await this.#connections.take(connection)?.close()
			return null
		},
		listTables: ({ connection }, call) => this.#connections.get(connection).listTables(call),
		tableActions: async ({ connection, tables }, call) =>
			(await this.#connections.get(connection).tableActions?.(tables, call)) ?? [],
		fillAction: async ({ connection, filled }, call) => {
			const text = await this.#connections.get(connection).fillAction?.(filled, call)
			if (text === undefined) throw new DriverError('unsupported', 'The driver has no action with a form.')
			return text
		},
		readTableForm: ({ connection, place }, call) => {
			const open = this.#connections.get(connection)
			if (!open.readTableForm) throw new DriverError('unsupported', 'This driver has no form of tables.')
			return open.readTableForm(place, call)
		},
		tableStatements: ({ connection, change }, call) => {
			const open = this.#connections.get(connection)
			if (!open.tableStatements) throw new DriverError('unsupported', 'This driver has no form of tables.')
			return open.tableStatements(change, call)
		},
		tryTableChange: async ({ connection, change }, call) =>
			(await this.#connections.get(connection).tryTableChange?.(change, call)) ?? {
				facts: [],
				untried: 'This driver tries no change of a table.',
			},
		findTables: async ({ connection, text }, call) =>
			(await this.#connections.get(connection).findTables?.(text, call)) ?? [],
		findColumns: async ({ connection, text }, call) =>
			(await this.#connections.get(connection).findColumns?.(text, call)) ?? null,
		hiddenPart: async ({ connection, table, hidden }, call) =>
			(await this.#connections.get(connection).hiddenPart?.(table, hidden, call)) ?? null,
		restrictedLogin: async ({ connection, hidden }, call) =>
			(await this.#connections.get(connection).restrictedLogin?.(hidden, call)) ?? null,
		describeTable: async ({ connection, table }, call) =>
			encode(await this.#connections.get(connection).describeTable(table, call)),
		openGrid: async ({ connection, grid: handle, query, offset, limit, ...opening }, call) => {
			const range = { offset, limit }
			const first = offset === 0 && { firstPage: limit }
			const grid = await this.#connections.get(connection).openGrid({ ...query, ...opening, ...first }, call)
			try {
				const page = await grid.page(range, call)
				// The host has given up on the call, or has closed the connection meanwhile, and will close no grid.
				call.signal.throwIfAborted()
				this.#connections.get(connection)
				this.#grids.put(handle, { connection, grid })
				return page
			} catch (error) {
				void grid.close().catch(() => {})
				throw error
			}
		},
		gridPage: ({ grid, offset, limit }, call) => this.#grids.get(grid).grid.page({ offset, limit }, call),
		closeGrid: async ({ grid }) => {
			await this.#grids.take(grid)?.grid.close()
			return null
		},
		openExport: async ({ connection, query, options }, call) => {
			const open = this.#connections.get(connection)
			if (!open.openExport) throw new DriverError('unsupported', 'This driver cannot export.')
			return this.#keepExport(connection, await open.openExport(query, options, call), call)
		},
		openStatementExport: async ({ connection, statement, options, ...ofConsole }, call) => {
			const console = this.#console(connection, ofConsole)
			const session = await this.#sessionOf({ connection, ...ofConsole }, call)
			requireTransaction(session, ofConsole)
			// Apart from its session, the statement would see other rows.
			const exporter = session ?? console
			if (!exporter.openExport) throw new DriverError('unsupported', 'This driver cannot export statements.')
			try {
				return await this.#keepExport(connection, await exporter.openExport(statement, options, call), call)
			} catch (error) {
				await this.#forgetLost(ofConsole.session, error)
				throw error
			}
		},
		readExport: async ({ export: handle }, call) => (await this.#exports.get(handle).export.read(call)) ?? null,
		closeExport: async ({ export: handle }) => {
			await this.#exports.take(handle)?.export.close()
			return null
		},
		countRows: ({ connection, query }, call) => this.#connections.get(connection).countRows(query, call),
		aggregate: ({ connection, query }, call) => {
			const open = this.#connections.get(connection)
			if (!open.aggregate)
				throw new DriverError('unsupported', 'This driver cannot aggregate rows. Use a statement instead.')
			return open.aggregate(query, call)
		},
		groupSimilar: async ({ connection, query }, call) =>
			(await this.#connections.get(connection).groupSimilar?.(query, call)) ?? null,
		readRawQuery: async ({ connection, table, ...typed }, call) =>
			(await this.#connections.get(connection).readRawQuery?.(table, typed, call)) ?? null,
		filterText: async ({ connection, query }, call) =>
			(await this.#connections.get(connection).filterText?.(query, call)) ?? null,
		explain: async ({ connection, what, session: number }, call) => {
			const open = this.#connections.get(connection)
			const session = number === undefined ? undefined : await this.#sessions.find(number)?.session
			if (session && !isOpen(session)) throw new DriverError('not_connected', endedSession)
			if (session?.explain && 'statement' in what) return session.explain(what, call)
			if (!open.explain) throw new DriverError('unsupported', 'This driver cannot explain queries.')
			return open.explain(what, call)
		},
		readRow: ({ connection, table, rowId }, call) => this.#connections.get(connection).readRow(table, rowId, call),
		readFacts: ({ connection, table }, call) => {
			const open = this.#connections.get(connection)
			if (!open.readFacts) throw new DriverError('unsupported', 'This driver does not report cluster facts.')
			return open.readFacts(table, call)
		},
		listObjects: async ({ connection }, call) => (await this.#connections.get(connection).listObjects?.(call)) ?? [],
		readObject: ({ connection, name }, call) => {
			const open = this.#connections.get(connection)
			if (!open.readObject) throw new DriverError('unsupported', 'This driver has no objects beside tables.')
			return open.readObject(name, call)
		},
		previewChanges: ({ connection, table, changes, ...options }, call) =>
			this.#connections.get(connection).previewChanges(table, changes, call, options),
		assessChanges: async ({ connection, table, changes }, call) =>
			(await this.#connections.get(connection).assessChanges?.(table, changes, call)) ?? {},
		applyChanges: ({ connection, table, changes }, call) =>
			this.#connections.get(connection).applyChanges(table, changes, call),
		openImport: async ({ connection, table, options }, call) => {
			const opened = await this.#connections.get(connection).openImport?.(table, options, call)
			return opened ? this.#imports.add({ connection, import: opened }) : null
		},
		writeImport: ({ import: handle, rows }, call) => this.#imports.get(handle).import.write(rows, call),
		finishImport: async ({ import: handle }, call) => {
			await this.#imports.get(handle).import.finish(call)
			this.#imports.take(handle)
			return null
		},
		abortImport: async ({ import: handle }) => {
			await this.#imports.take(handle)?.import.abort()
			return null
		},
		listDatabases: async ({ connection }, call) =>
			(await this.#connections.get(connection).listDatabases?.(call)) ?? [],
		analyse: ({ connection, text, ...namespace }, call) => this.#console(connection, namespace).analyse(text, call),
		assess: async ({ connection, statement, rehearses, ...ofConsole }, call) => {
			const session = await this.#sessionOf({ connection, ...ofConsole }, call)
			requireTransaction(session, ofConsole)
			const assessor = session ?? this.#console(connection, ofConsole)
			return (await assessor.assess?.(statement, call, { rehearses })) ?? {}
		},
		completeConsole: async ({ connection, text, offset, ...namespace }, call) => {
			const console = this.#console(connection, namespace)
			return (await console.complete?.(text, offset, call)) ?? { from: offset, options: [] }
		},
		formatConsole: async ({ connection, text }) =>
			(await this.#connections.get(connection).console.format?.(text)) ?? text,
		copyStatement: ({ connection, statement }) => {
			const { console } = this.#connections.get(connection)
			if (!console.copyAs) throw new DriverError('unsupported', 'This driver cannot copy statements in another format.')
			return console.copyAs(statement)
		},
		readPasted: ({ connection, text }) => this.#connections.get(connection).console.readPasted?.(text) ?? null,
		bindParameters: ({ connection, text, values }) => {
			const { console } = this.#connections.get(connection)
			if (!console.bindParameters)
				throw new DriverError('unsupported', 'This driver does not support parameters in statements.')
			// The host has checked that these are scalars.
			return console.bindParameters(text, parseJson(values) as Readonly<Record<string, ParameterValue>>)
		},
		runConsole: async (
			{ connection, statement, session: number, inTransaction, database, schema, ...options },
			call,
		) => {
			const startedAt = performance.now()
			const ofConsole = { session: number, inTransaction, database, schema }
			const session = await this.#sessionOf({ connection, ...ofConsole }, call)
			const wasOpen = session === undefined || isOpen(session)
			const state = () => {
				const transaction = session?.transaction()
				return transaction === undefined ? {} : { transaction }
			}
			try {
				requireTransaction(session, ofConsole)
				if (!session) return await this.#console(connection, ofConsole).run(statement, options, call)
				return encodeWithRaw<ConsoleResult>({ ...(await session.run(statement, options, call)), ...state() })
			} catch (error) {
				if (!isDriverError(error)) throw error
				await this.#forgetLost(number, error)
				const isLost = inTransaction === true && error.code === 'not_connected'
				if (!options.showsRefusals || (error.code !== 'query_failed' && !isLost)) throw error
				return encode<ConsoleResult>({
					status: error.engineCode ?? 'Failed',
					tookMs: Math.round(performance.now() - startedAt),
					notices: [],
					fault: isLost ? lostTransaction(error, wasOpen ? statement.transaction : undefined) : faultOf(error),
					body: { view: 'text', text: '' },
					...(!isLost && state()),
				})
			}
		},
		closeSession: async ({ session }) => {
			await this.#closeSession(session)
			return null
		},
		sessionTransaction: async ({ session: number }) => {
			const session = await this.#sessions.find(number)?.session
			return session && isOpen(session) ? (session.transaction() ?? null) : null
		},
		checkArguments: ({ schema, args }) => faultOfArguments(schema, args) ?? null,
		callTool: async (params, call) => {
			const handler = own(this.#driver.tools, params.name)
			return encode(await handler(parseJson(params.args) as JsonObject, this.#toolCall(params, call)))
		},
		getPrompt: async (params, call) => {
			const handler = own(this.#driver.prompts, params.name)
			// Prompt arguments are strings by the MCP schema. The host has checked them.
			const args = JSON.parse(params.args) as Record<string, string>
			return encode(await handler(args, this.#toolCall(params, call)))
		},
		readResource: async (params, call) => {
			if (!this.#driver.readResource) throw new DriverError('not_found', `There is no resource ${params.uri}.`)
			return encode(await this.#driver.readResource(params.uri, this.#toolCall(params, call)))
		},
		complete: async ({ request }, call) => (await this.#driver.complete?.(request, call)) ?? { values: [] },
		readAddress: ({ text }) => {
			try {
				const settings = this.#driver.readAddress?.(text)
				return settings === undefined ? null : JSON.stringify(settings)
			} catch (error) {
				// Its message may quote the text, which may contain a password, so it must not reach the log.
				const kind = error instanceof Error ? error.constructor.name : typeof error
				throw new DriverError('internal_failure', `The driver failed to read the pasted address (${kind}).`)
			}
		},
		startSample: async options => {
			if (!this.#driver.startSample) throw new DriverError('unsupported', 'This driver has no sample.')
			const context = { ...this.#surroundings, listen: this.#sockets.listen }
			const sample = await this.#driver.startSample(context, options)
			this.#samples.push(sample)
			return { settings: sample.settings, url: sample.url }
		},
	}

	/** @throws DriverError `unsupported` if the driver has no consoles of other databases and schemas */
	#console(connection: number, { database, schema }: Namespace): Console {
		const open = this.#connections.get(connection)
		if (database === undefined && schema === undefined) return open.console
		if (open.consoleOf) return open.consoleOf({ database, schema })
		throw new DriverError('unsupported', 'This driver has no consoles of other databases or schemas.')
	}

	/** Keeps an export open for the host. */
	async #keepExport(connection: number, opened: RowExport, call: Call): Promise<number> {
		try {
			// As in `openGrid`: no reader is left that would close it.
			call.signal.throwIfAborted()
			this.#connections.get(connection)
		} catch (error) {
			void opened.close().catch(() => {})
			throw error
		}
		return this.#exports.add({ connection, export: opened })
	}

	/** Returns the session that a statement runs in, or `undefined`. A lost one is not opened again for a transaction. */
	async #sessionOf(
		{ connection, session: number, inTransaction, ...namespace }: OfConsole & { readonly connection: number },
		call: Call,
	): Promise<ConsoleSession | undefined> {
		if (number === undefined) return undefined
		if (inTransaction) return this.#sessions.find(number)?.session
		return this.#session(connection, { number, ...namespace }, call)
	}

	/**
	 * Returns a session, which its first statement opens; `undefined` if the driver has none.
	 * @throws DriverError `not_connected` once if the engine has ended it: without its settings the statement could mean
	 * another schema, and one that follows it in a script too
	 */
	async #session(
		handle: number,
		{ number, database, schema }: { readonly number: number } & Namespace,
		call: Call,
	): Promise<ConsoleSession | undefined> {
		const connection = this.#connections.get(handle)
		if (!connection.openSession) return undefined
		const known = this.#sessions.find(number)
		if (known && known.database === database && known.schema === schema) {
			const session = await known.session
			if (isOpen(session)) return session
			await this.#closeSession(number)
			throw new DriverError('not_connected', endedSession)
		}
		// A session of the engine cannot change its database, and one with another schema has no settings of the last one.
		if (known) await this.#closeSession(number)
		const session = connection.openSession(call, { database, schema })
		this.#sessions.put(number, { connection: handle, session, database, schema })
		try {
			return await session
		} catch (error) {
			this.#sessions.take(number)
			throw error
		}
	}

	/** Closes a session that was lost, so that the next statement opens another. */
	async #forgetLost(session: number | undefined, error: unknown): Promise<void> {
		if (session === undefined || !isDriverError(error) || error.code !== 'not_connected') return
		await this.#closeSession(session).catch(() => {})
	}

	async #closeSession(session: number): Promise<void> {
		const open = await this.#sessions.take(session)?.session.catch(() => undefined)
		await open?.close()
	}

	#toolCall(params: Pick<ParamsOf<'readResource'>, 'connection' | 'context'>, call: Call): ToolCall {
		const context = parseJson(params.context) as JsonObject & Pick<ToolCall, 'clientCapabilities' | 'inputResponses'>
		return {
			...call,
			...context,
			...(params.connection !== undefined && { connection: this.#connections.get(params.connection) }),
		}
	}
}

const endedSession =
	'The session of this console had ended, and its settings with it. So this was not sent. Run it again in a new one.'

const isOpen = (session: ConsoleSession) => session.isOpen?.() !== false

/**
 * The session has ended with its transaction. Whether a commit reached the engine is not known.
 * @param transaction what the statement does to its transaction, if it was sent
 */
function lostTransaction({ code, message }: DriverError, transaction: Statement['transaction'] | undefined): Fault {
	const outcome = transaction === 'commits' ? 'Check whether its transaction was committed.' : rolledBack
	return { code, message: `${message} ${outcome}` }
}
const rolledBack = 'Its transaction was rolled back, so nothing of it was saved.'

/** @throws DriverError if the transaction that the user sees was lost: alone, the statement would be committed at once */
function requireTransaction(session: ConsoleSession | undefined, { inTransaction }: OfConsole): void {
	if (!inTransaction) return
	if (session && !isOpen(session)) throw new DriverError('not_connected', 'The session has ended.')
	if (session?.transaction() === undefined)
		throw new DriverError('query_failed', 'The transaction was lost, so this was not sent. Check what was saved.')
}

function own<T>(handlers: Readonly<Record<string, T>> | undefined, name: string): T {
	const handler = handlers && Object.hasOwn(handlers, name) ? handlers[name] : undefined
	if (!handler) throw new DriverError('unsupported', `The driver declares "${name}" but has no handler for it.`)
	return handler
}
