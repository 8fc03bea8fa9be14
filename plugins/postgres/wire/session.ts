import { DriverError, isDriverError } from '@roundhouse/kit'
import { CopyTap, type OnCopyData } from './copy-tap.ts'
import { isServerError, noticeText, statementError } from './errors.ts'
import type { LoggedIn } from './login.ts'
import { type Field, type PgConnection, queryEvents } from './protocol.ts'

/** One statement for the server, with `$1` for each value. */
export interface Query {
	readonly sql: string
	/** In text format. `null` is NULL. */
	readonly values?: readonly (string | null)[]
	/** Oids of the types of the values. If absent, or 0, the server infers them. */
	readonly types?: readonly number[]
	/** Upper limit of rows in the answer. */
	readonly most?: number
	/** Whether long values are truncated as they arrive ({@link Answer.cut}). */
	readonly cutsLong?: boolean | undefined
	/** Of a text without an end of variants: the server keeps its plan under this name, with any values. */
	readonly preparedAs?: string
	/** The part of an EXPLAIN that reads tables: the text from there to its end. Default: all of it */
	readonly explained?: string | undefined
}

/**
 * Where the server looks for names without a schema: only among its own, or where the user set it. A function or an
 * operator of another role in the user's path could otherwise take the place of a built-in one.
 */
export type SearchPath = 'own' | 'user'

interface ReadOptions {
	/** How long a read may wait for each lock of another session. Default: as the server is set. */
	readonly lockWaitMs?: number
	/** Default: that of the session. */
	readonly path?: SearchPath | undefined
	/**
	 * Run first, in the same transaction, with the path of the session. Has no rows. If it fails, nothing else runs. The server
	 * has parsed the queries before, so that the guard sees the tables as they stay until the end.
	 */
	readonly guard?: Query | undefined
	/** Statements that set something for the transaction. */
	readonly settings?: readonly string[] | undefined
	/** Run before the guard. Its rows are the first of {@link Session.readAll}. */
	readonly first?: Query | undefined
}

const unknownStatement = '26000'

/**
 * Settings for the plan of a query on the catalogs that is kept: it is made for no particular values, and finds its few rows
 * by indexes, where the planner would read the catalogs whole because it takes each of its parts for large.
 */
const planSettings = {
	plan_cache_mode: 'force_generic_plan',
	enable_seqscan: 'off',
	enable_hashjoin: 'off',
	enable_mergejoin: 'off',
}
const forAnyValues = settingsFor(planSettings)
const forOthers = Object.keys(planSettings).map(name => ({ sql: `set local ${name} to default` }))
const anyValues = (query: Query): readonly Query[] =>
	query.preparedAs === undefined ? [query] : [{ sql: forAnyValues }, query, ...forOthers]

/** The temporary schema would otherwise be searched first. */
export const driverPath = 'pg_catalog, pg_temp'

/**
 * How texts are read and values are written, so that each is read as it is stored, whatever the defaults of database and
 * role. Of a date only the form of output is set: in which order `01/02/03` is read stays the choice of the server, the
 * database or the role.
 */
export const formats: Readonly<Record<string, string>> = {
	datestyle: 'iso',
	intervalstyle: 'postgres',
	bytea_output: 'hex',
	extra_float_digits: '1',
	client_encoding: 'UTF8',
	standard_conforming_strings: 'on',
	backslash_quote: 'safe_encoding',
	xmloption: 'content',
	quote_all_identifiers: 'off',
}
/**
 * A pooler in transaction mode runs each transaction in another session of the server, which may have other settings.
 * So no transaction of the driver relies on those of {@link openSession}. In a session of the user, the user may have set
 * how values are written, but never how a text is read that the driver has judged.
 */
const pinned: Readonly<Record<SearchPath, string>> = {
	own: settingsFor({ ...formats, search_path: driverPath }),
	user: settingsFor({ client_encoding: 'UTF8', standard_conforming_strings: 'on', backslash_quote: 'safe_encoding' }),
}

/** Returns a statement that sets settings for its transaction. It has no row, because nothing would take it. */
function settingsFor(settings: Readonly<Record<string, string>>): string {
	const set = ([name, value]: readonly string[]) => `pg_catalog.set_config('${name}', '${value}', true) is null`
	return `select where ${Object.entries(settings).map(set).join(' or ')}`
}

const pathSql: Readonly<Record<SearchPath, string>> = {
	own: `set local search_path to ${driverPath}`,
	user: 'set local search_path to default',
}

/** A statement whose columns are asked for, without its rows. */
export type Described = Pick<Query, 'sql' | 'types' | 'explained'>

export type TextRow = readonly (string | null)[]

/** Rows of a statement. Empty for a statement without rows. */
export interface Rows {
	readonly fields: readonly Field[]
	readonly rows: readonly TextRow[]
}

export interface Answer extends Rows {
	/** The server's status line, such as `UPDATE 3`. */
	readonly tag: string
	/** Whether there are more rows than asked for. */
	readonly isCut: boolean
	/** The full lengths of values that were truncated while they arrived, by row and column. */
	readonly cut: CutValues
	readonly notices: readonly string[]
	/** Without the wait for statements before it. */
	readonly tookMs: number
}

/** Lengths of texts in UTF-16 units, by row and column. */
type CutValues = ReadonlyMap<TextRow, ReadonlyMap<number, number>>

/**
 * A value that is longer is truncated at once, so that ten of a hundred megabytes never lie in memory together. Each that is
 * kept is far longer than what is shown. After the first `kept` units of an answer, the shorter limit applies, and after
 * `most` units no further row is kept.
 */
const lengths = { kept: 64 * 1024 * 1024, most: 96 * 1024 * 1024, longest: 4 * 1024 * 1024, short: 40_000 }

/** The answer while it arrives. */
interface Pending {
	/** Of each statement that has rows. */
	readonly results: { readonly fields: readonly Field[]; readonly rows: TextRow[] }[]
	readonly notices: string[]
	/** Of each statement that was sent. */
	readonly tags: string[]
	isCut: boolean
	readonly cut: Map<TextRow, ReadonlyMap<number, number>>
	readonly cutsLong?: boolean | undefined
	/** UTF-16 units of the values so far. */
	length: number
	error: Error | undefined
	readonly done: PromiseWithResolvers<void>
	readonly onCopyIn?: () => void
	/** Takes the rows, which are not kept then. */
	readonly onRow?: (row: TextRow) => void
}

/** How a statement is sent, and what takes parts of its answer. */
interface Sending extends Partial<Pick<Pending, 'onCopyIn' | 'onRow' | 'tags' | 'cutsLong'>> {
	readonly send: () => void
}

/** Time for the server to stop a statement, before its socket is closed. */
const cancelLimitMs = 900
/** The SQLSTATE of a statement that a request has stopped. */
export const queryCancelled = '57014'
const rollbackLimitMs = 5_000

/**
 * A statement that gives the rest of a transaction the path of the user, behind the catalog. What a change runs by
 * triggers was written for that path. Names of built-in functions and operators with exact types stay those of the catalog.
 */
export const pathForTriggers =
	"select set_config('search_path', concat_ws(', ', 'pg_catalog', nullif(reset_val, ''), 'pg_temp'), true) from pg_settings where name = 'search_path'"

/** The statements around a read, and the server's letter for the state of the transaction before and after it. */
const alone = {
	// Each statement sees what was committed before it, so that a guard sees it, whatever the default of the database is.
	before: ['begin transaction isolation level read committed read only'],
	after: ['rollback'],
	status: 'I',
}
// A savepoint that is only released would leave its settings in the transaction.
const within = {
	before: ['savepoint roundhouse_read', 'set transaction read only'],
	after: ['rollback to savepoint roundhouse_read', 'release savepoint roundhouse_read'],
	status: 'T',
}

/** A session of the server: one socket, and one statement at a time. */
export class Session {
	readonly #connection: PgConnection
	readonly #cancel: () => Promise<void>
	#pending: Pending | undefined
	/** Resolves when the session can run the next statement. */
	#turn = Promise.resolve()
	#status = 'I'
	#isClosed = false
	#encoding = 'UTF8'
	#closeReason: Error | undefined
	#isStopped = false
	readonly isEncrypted: boolean
	readonly pid: number
	readonly #path: SearchPath
	/** Names of {@link Query.preparedAs} that the server knows. */
	readonly #prepared = new Set<string>()

	/** @param path where {@link openSession} makes the server look for names */
	constructor({ connection, cancel, isEncrypted, pid }: LoggedIn, path: SearchPath) {
		this.#path = path
		this.pid = pid
		this.#connection = connection
		this.#cancel = cancel
		this.isEncrypted = isEncrypted
		// The listeners of pg's client would take later messages for answers to its queries.
		for (const event of queryEvents) connection.removeAllListeners(event)
		this.#listen(connection)
	}

	get isUsable(): boolean {
		return !this.#isClosed
	}

	/** Whether the server says that it has stopped the last statement, whose call was cancelled: nothing of it is left. */
	get isStopped(): boolean {
		return this.#isStopped
	}

	/** The state of the transaction, as the server reports it. */
	get transaction(): 'open' | 'failed' | undefined {
		if (this.#status === 'T') return 'open'
		return this.#status === 'E' ? 'failed' : undefined
	}

	/** Whether the server writes texts as this session reads them. A statement can change that. */
	get isUtf8(): boolean {
		return this.#encoding === 'UTF8'
	}

	/** Runs one statement. @throws DriverError */
	query(query: Query, signal: AbortSignal): Promise<Answer> {
		const { sql, cutsLong } = query
		return this.#run(sql, { send: () => this.#sendAll(() => this.#send(query)), cutsLong }, signal)
	}

	/**
	 * Lets the server parse one statement, without running it. In a transaction, that locks its tables.
	 * @throws DriverError with the server's fault
	 */
	async parse({ sql, types = [] }: Described, signal: AbortSignal): Promise<void> {
		const send = () => this.#sendAll(() => this.#connection.parse({ text: sql, types }))
		await this.#run(sql, { send }, signal)
	}

	/** Returns the columns of a query, without planning or running it. @throws DriverError */
	async describe(sql: string, signal: AbortSignal): Promise<readonly Field[]> {
		const send = () => this.#sendAll(() => this.#sendDescribe({ sql }))
		return (await this.#run(sql, { send }, signal)).fields
	}

	/**
	 * Runs one statement where the server refuses every write, in one round trip: in a separate transaction, or behind a
	 * savepoint of the open one, which stays open and usable if the statement fails. @throws DriverError
	 */
	async read(query: Query, signal: AbortSignal, options: ReadOptions = {}): Promise<Answer> {
		// The server refuses every statement of a failed transaction, and says why.
		if (this.transaction === 'failed') return this.query(query, signal)
		return this.#read([query], signal, options)
	}

	/**
	 * Runs statements that have rows, like {@link read}, in one transaction and one round trip.
	 * @param options `described` is a query whose columns come last, without its rows
	 * @throws DriverError
	 */
	async readAll(
		queries: readonly Query[],
		signal: AbortSignal,
		options: ReadOptions & { readonly described?: Described | undefined } = {},
	): Promise<readonly Rows[]> {
		return (await this.#read(queries, signal, options)).results
	}

	/** Runs one statement like {@link read}, and passes each row on as it arrives. @throws DriverError */
	async readEach(
		query: Query,
		onRow: (row: TextRow) => void,
		signal: AbortSignal,
		options: ReadOptions = {},
	): Promise<void> {
		await this.#read([query], signal, { ...options, onRow })
	}

	async #read(
		queries: readonly Query[],
		signal: AbortSignal,
		{
			described,
			lockWaitMs,
			path = this.#path,
			guard,
			first,
			settings = [],
			...receiving
		}: { readonly described?: Described | undefined } & ReadOptions & Pick<Pending, 'onRow'> = {},
	): Promise<Answer & Pick<Pending, 'results'>> {
		return this.#inTurn(async () => {
			const { after, status, ...around } = this.transaction === undefined ? alone : within
			const limits = lockWaitMs === undefined ? [] : [`set local lock_timeout to ${lockWaitMs}`]
			const paths = path === this.#path ? [] : [pathSql[path]]
			const guards = guard ? anyValues(guard) : []
			const kept = queries.some(({ preparedAs }) => preparedAs !== undefined) ? [forAnyValues] : []
			const pins = this.#path === 'own' ? [pinned.own] : []
			const begin = [...around.before, ...pins]
			const locked = guard ? [...queries, ...(described && queries.length === 0 ? [described] : [])] : []
			const back = paths.length > 0 ? [pathSql.own] : []
			const before = [
				...(locked.length > 0 ? back : begin).map(sql => ({ sql })),
				...(first ? [first] : []),
				...guards,
				...[...kept, ...paths, ...limits, ...settings].map(sql => ({ sql })),
			]
			const sent = [...before, ...queries, ...(described ? [described] : [])].map(({ sql }) => sql)
			const cutsLong = queries.some(query => query.cutsLong)
			const plans = [...(guard ? [guard] : []), ...queries].flatMap(({ preparedAs }) => preparedAs ?? [])
			const send = () =>
				this.#sendAll(() => {
					for (const query of before) this.#send(query, { isSilent: query !== first })
					for (const query of queries) this.#send(query)
					if (described !== undefined) this.#sendDescribe(described)
					for (const sql of after) this.#send({ sql }, { isSilent: true })
				})
			const run = async () => {
				for (const query of locked) await this.#lock(query, query === locked[0] ? [...begin, ...paths] : [], signal)
				return this.#runNow(sent, { send, cutsLong, ...receiving }, signal)
			}
			try {
				const answer = await run().catch(async error => {
					// A pooler, or an engine that is shared, has dropped the plans.
					if (!isDriverError(error) || error.engineCode !== unknownStatement || this.#prepared.size === 0) throw error
					this.#prepared.clear()
					await this.#undo(after.join('; '))
					return run()
				})
				for (const name of plans) this.#prepared.add(name)
				return { ...answer, tag: answer.tags[before.length] ?? '' }
			} finally {
				// After an error the server skips the rest.
				if (this.#status !== status && this.isUsable) await this.#undo(after.join('; '))
			}
		})
	}

	/**
	 * Runs statements, and lets the server parse a query, which locks its tables and those of its views to the end of the
	 * transaction. Another session could else hold such a lock, and change a definition while the query waits behind its guard.
	 */
	async #lock(
		{ sql, explained = sql, types = [] }: Query,
		before: readonly string[],
		signal: AbortSignal,
	): Promise<void> {
		const send = () =>
			this.#sendAll(() => {
				for (const one of before) this.#send({ sql: one }, { isSilent: true })
				this.#connection.parse({ text: explained, types })
			})
		await this.#runNow([...before, explained], { send }, signal).catch(error => {
			if (!isDriverError(error) || error.at === undefined) throw error
			const { code, message, cause, at, ...details } = error
			throw new DriverError(code, message, { ...details, cause, at: at + sql.length - explained.length })
		})
	}

	/** A server that does not even answer this has lost the session. */
	async #undo(sql: string): Promise<void> {
		const send = () => this.#connection.query(sql)
		await this.#runNow(sql, { send }, AbortSignal.timeout(rollbackLimitMs)).catch(() => this.close())
	}

	/** One at a time, also what follows a failed read: a statement that comes meanwhile must not get between them. */
	async #inTurn<T>(work: () => Promise<T>): Promise<T> {
		const before = this.#turn
		const { promise, resolve } = Promise.withResolvers<void>()
		this.#turn = promise
		await before
		try {
			return await work()
		} finally {
			resolve()
		}
	}

	/**
	 * Runs statements without values and rows, separated by `;`. @param tags gets the status line of each, also if a later
	 * one fails
	 */
	async command(sql: string, signal: AbortSignal, tags: string[] = []): Promise<Answer> {
		return this.#run(sql, { send: () => this.#connection.query(sql), tags }, signal)
	}

	/**
	 * Begins a transaction whose settings are those of the driver, in whichever session of the server a pooler runs it.
	 * @param options `mode` follows BEGIN; `sql` is run in the same round trip, and its rows are the answer's
	 */
	begin(signal: AbortSignal, { mode = '', sql = '' }: { readonly mode?: string; readonly sql?: string } = {}) {
		return this.command([`begin ${mode}`, pinned[this.#path], sql].join('; '), signal)
	}

	/** Runs COPY … TO STDOUT, and passes on what arrives. @throws DriverError */
	async copyOut(sql: string, onData: OnCopyData, signal: AbortSignal): Promise<Answer> {
		const tap = new CopyTap(this.#connection.stream, onData)
		try {
			return await this.#run(sql, { send: () => this.#connection.query(sql) }, signal)
		} finally {
			tap.close()
		}
	}

	/** Pauses the socket until {@link resume}, for a reader that is slower than the server. */
	pause(): void {
		this.#connection.stream.pause()
	}

	resume(): void {
		this.#connection.stream.resume()
	}

	/** Runs COPY … FROM STDIN with all of the data. @throws DriverError */
	copyIn(sql: string, data: Buffer, signal: AbortSignal): Promise<Answer> {
		const onCopyIn = () => {
			this.#connection.sendCopyFromChunk(data)
			this.#connection.endCopyFrom()
		}
		return this.#run(sql, { send: () => this.#connection.query(sql), onCopyIn }, signal)
	}

	/** Closes the socket. The server rolls back what is open. */
	close(): void {
		this.#isClosed = true
		this.#connection.removeAllListeners('end')
		this.#connection.end()
		this.#connection.stream.destroy()
		this.#fail(new DriverError('not_connected', 'The session was closed.'))
	}

	/** Sends the messages of a round trip at once, so that the server is woken once. */
	#sendAll(send: () => void): void {
		const { stream } = this.#connection
		stream.cork()
		send()
		this.#connection.sync()
		stream.uncork()
	}

	#sendDescribe({ sql, types = [] }: Described): void {
		this.#connection.parse({ text: sql, types })
		this.#connection.describe({ type: 'S', name: '' })
	}

	/** Silent statements (`begin`, `rollback`) surround a query. They have no Describe, because their rows are not needed. */
	#send({ sql, values = [], types = [], most = 0, preparedAs = '' }: Query, { isSilent = false } = {}): void {
		if (!this.#prepared.has(preparedAs)) {
			if (preparedAs !== '') this.#connection.close({ type: 'S', name: preparedAs })
			this.#connection.parse({ name: preparedAs, text: sql, types })
		}
		this.#connection.bind({ statement: preparedAs, values, valueMapper: value => value })
		if (!isSilent) this.#connection.describe({ type: 'P', name: '' })
		// Requests one extra row to detect whether there are more.
		this.#connection.execute({ portal: '', rows: most === 0 ? 0 : most + 1 })
		if (most > 0) this.#connection.close({ type: 'P', name: '' })
	}

	#run(sql: string, sending: Sending, signal: AbortSignal): Promise<Answer> {
		return this.#inTurn(() => this.#runNow(sql, sending, signal))
	}

	/** @param sql what is sent. Of several statements, the server says at which it failed by the number of tags before. */
	async #runNow(
		sql: string | readonly string[],
		{ send, ...parts }: Sending,
		signal: AbortSignal,
	): Promise<Answer & Pick<Pending, 'tags' | 'results'>> {
		signal.throwIfAborted()
		if (this.#isClosed) throw this.#closeReason ?? new DriverError('not_connected', 'The session was closed.')
		const done = Promise.withResolvers<void>()
		const startedAt = performance.now()
		const pending: Pending = {
			results: [],
			notices: [],
			tags: [],
			isCut: false,
			cut: new Map(),
			length: 0,
			error: undefined,
			done,
			...parts,
		}
		this.#pending = pending
		this.#isStopped = false
		let stopping: Promise<void> | undefined
		const stop = () => {
			stopping = this.#stop(pending)
		}
		signal.addEventListener('abort', stop, { once: true })
		try {
			send()
			await done.promise
		} finally {
			signal.removeEventListener('abort', stop)
			// A late request to cancel would meet the next statement.
			if (!this.#isClosed) await stopping
			if (this.#pending === pending) this.#pending = undefined
		}
		const { error, tags, results } = pending
		this.#isStopped = signal.aborted && isServerError(error) && error.code === queryCancelled
		signal.throwIfAborted()
		const failed = typeof sql === 'string' ? sql : sql[tags.length]
		if (error) throw isServerError(error) ? statementError(error, failed) : error
		const tookMs = performance.now() - startedAt
		return { fields: [], rows: [], ...results.at(-1), ...pending, tag: tags.at(-1) ?? '', tookMs }
	}

	/** Asks the server to stop, and closes the socket if it does not. */
	async #stop(pending: Pending): Promise<void> {
		const timer = setTimeout(() => this.#pending === pending && this.close(), cancelLimitMs)
		pending.done.promise.catch(() => {}).finally(() => clearTimeout(timer))
		await this.#cancel().catch(() => {})
	}

	#fail(error: Error): void {
		this.#closeReason ??= error
		this.#pending?.done.reject(error)
	}

	#listen(connection: PgConnection): void {
		const pending = () => this.#pending
		connection
			.on('rowDescription', ({ fields }) => pending()?.results.push({ fields, rows: [] }))
			.on('dataRow', ({ fields }) => this.#receive(fields))
			.on('commandComplete', ({ text }) => pending()?.tags.push(text))
			.on('portalSuspended', () => this.#cut())
			.on('parameterStatus', ({ parameterName, parameterValue }) => {
				if (parameterName === 'client_encoding') this.#encoding = parameterValue
			})
			.on('copyInResponse', () => pending()?.onCopyIn?.())
			.on('notice', notice => pending()?.notices.push(noticeText(notice)))
			.on('errorMessage', error => this.#failStatement(error))
			.on('readyForQuery', ({ status }) => {
				this.#status = status
				this.#pending?.done.resolve()
			})
			.on('error', error => this.#lost(error))
			.on('end', () => this.#lost(undefined))
	}

	#receive(row: TextRow): void {
		const pending = this.#pending
		if (pending?.onRow) pending.onRow(row)
		else if (pending?.cutsLong && pending.length > lengths.most) pending.isCut = true
		else if (pending) pending.results.at(-1)?.rows.push(pending.cutsLong ? cutRow(row, pending) : row)
	}

	#cut(): void {
		const pending = this.#pending
		if (!pending) return
		// The row beyond those that were asked for. Rows that are too large together were not kept.
		if (!pending.isCut) pending.results.at(-1)?.rows.pop()
		pending.isCut = true
		pending.tags.push('SELECT')
	}

	#failStatement(error: Error): void {
		if (this.#pending) this.#pending.error ??= error
		// The server can also report an error between two statements, for example when it shuts down.
		else this.#closeReason = isServerError(error) ? statementError(error) : error
	}

	#lost(error: Error | undefined): void {
		if (this.#isClosed) return
		this.#isClosed = true
		const said = this.#pending?.error
		const reason = said && isServerError(said) ? statementError(said) : undefined
		const why = reason?.message ?? this.#closeReason?.message ?? error?.message ?? 'the server closed it'
		this.#closeReason = undefined
		this.#fail(new DriverError('not_connected', `The connection was lost: ${why}.`, { cause: error }))
		this.#connection.stream.destroy()
	}
}

/** Returns a row whose values have at most the length that its answer has room for. */
function cutRow(row: TextRow, pending: Pending): TextRow {
	const most = pending.length > lengths.kept ? lengths.short : lengths.longest
	const long = row.flatMap((text, at) => (text !== null && text.length > most ? [[at, text.length] as const] : []))
	// A slice of a string keeps the whole string in memory; a copy does not.
	const cut = (text: string) => Buffer.from(text.slice(0, lengths.short)).toString()
	const kept = long.length === 0 ? row : row.map(text => (text !== null && text.length > most ? cut(text) : text))
	if (long.length > 0) pending.cut.set(kept, new Map(long))
	pending.length += kept.reduce((sum, text) => sum + (text?.length ?? 0), 0)
	return kept
}
