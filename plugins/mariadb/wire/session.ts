import { DriverError, isDriverError } from '@roundhouse/kit'
import { bound } from '../sql/binding.ts'
import { type Modes, modesOf } from '../sql/lexer.ts'
import { literal, type Value } from '../sql/literals.ts'
import { errorNumbers, isServerError, statementError } from './errors.ts'
import type { LoggedIn, ServerVersion } from './login.ts'
import { type Command, type Field, inTransaction, type OkPacket, type WireConnection } from './protocol.ts'
import { type RawValue, readerOf } from './values.ts'

/** One statement for the server, with `?` for each value. */
export interface Query {
	readonly sql: string
	readonly values?: readonly Value[]
	/** Upper limit of rows in the answer. */
	readonly most?: number
	/** What the server says beside the answer is not read. */
	readonly isWithoutNotices?: boolean
}

export type RawRow = readonly RawValue[]

/** Rows of a statement. Empty for a statement without rows. */
export interface Rows {
	readonly fields: readonly Field[]
	readonly rows: readonly RawRow[]
}

/** One result of a statement. A procedure has several. */
export interface Result extends Rows {
	/** Whether there are more rows than asked for. */
	readonly isCut: boolean
	/** Rows that a condition found or that were written. Absent for a result with rows. */
	readonly affected?: number
	/** The number that the server gave a new row, if it gave one. */
	readonly insertId?: string
	/** Such as `Rows matched: 3  Changed: 1  Warnings: 0`. */
	readonly info: string
}

/** The first result with rows, or else the last one, and all that there are. */
export interface Answer extends Result {
	readonly results: readonly Result[]
	readonly notices: readonly string[]
	/** Without the wait for statements before it. */
	readonly tookMs: number
}

/** A result while it arrives. */
interface Arriving {
	fields: readonly Field[]
	readonly rows: RawRow[]
	ok: OkPacket | undefined
	isCut: boolean
	/** Bytes of the rows so far. */
	length: number
}

/** How a statement is run. */
interface Running {
	readonly most?: number | undefined
	/** Whether the server may be stopped once there are more rows than asked for. A change would be undone by that. */
	readonly isRead: boolean
	/** Takes the rows, which are not kept then. The server waits until a promise resolves. */
	readonly onRow?: (row: RawRow, fields: readonly Field[]) => void | Promise<void>
}

/** What becomes of a statement's rows. */
interface Taking {
	readonly results: Arriving[]
	readonly running: Running
	readonly stopping: Stopping | undefined
	/** Why the rest of the rows is not taken. */
	refusal: Error | undefined
}

/** Where the number of rows is limited, no further row is kept after so many bytes. */
const mostBytes = 96 * 1024 * 1024

/** Time for the server to stop a statement, before its socket is closed. */
const cancelLimitMs = 900
/** The same when its rows are enough: with the socket, an open transaction of the user would be lost. */
const stopLimitMs = 10_000
const rollbackLimitMs = 5_000
/** Time for all that is left of a call that was cancelled. */
const turnLimitMs = cancelLimitMs
/** This many rows more than asked for arrive faster than a second connection stops the server. */
const drainedRows = 2_000
const mostWarnings = 50

/**
 * When the server takes writes of the session: never, in transactions of {@link Session.writing} alone, or as a user sets it
 * in a console.
 */
export type Writes = 'never' | 'in_transactions' | 'as_the_user_says'

/** Whose statements a session runs: the driver's, or those of a user's console, which keeps the defaults of the server. */
export type SessionUse = 'driver' | 'user'

/** A session of the server: one socket, and one statement at a time. */
export class Session {
	readonly #connection: WireConnection
	readonly #cancel: () => Promise<void>
	readonly #writes: Writes
	readonly #use: SessionUse
	/** Resolves when the session can run the next statement. */
	#turn: Promise<unknown> = Promise.resolve()
	#reject: ((error: Error) => void) | undefined
	#status = 0
	#warnings = 0
	#database: string | undefined
	#isClosed = false
	#closeReason: Error | undefined
	readonly isEncrypted: boolean
	/** Number of the session in the server, for KILL. */
	readonly id: number
	readonly server: ServerVersion

	/** @param writes what {@link openSession} has set */
	constructor(
		{ connection, cancel, isEncrypted, id, server }: LoggedIn,
		{ writes, use }: { readonly writes: Writes; readonly use: SessionUse },
	) {
		this.#writes = writes
		this.#use = use
		this.#connection = connection
		this.#cancel = cancel
		this.isEncrypted = isEncrypted
		this.id = id
		this.server = server
		connection.removeAllListeners('error')
		connection.on('error', (error: Error) => this.#end(error))
		connection.on('end', () => this.#end(new Error('The server closed the connection')))
	}

	get isUsable(): boolean {
		return !this.#isClosed
	}

	/** Whether a transaction is open, as the server reports. None fails here: what went wrong is undone alone. */
	get transaction(): 'open' | undefined {
		return (this.#status & inTransaction) === 0 ? undefined : 'open'
	}

	/** The database in which names are looked up, if a statement has chosen one since the session was opened. */
	get database(): string | undefined {
		return this.#database
	}

	/** Returns how the session reads texts. A statement can change that. @throws DriverError */
	async modes(signal: AbortSignal): Promise<Modes> {
		const { rows } = await this.query({ sql: 'select @@session.sql_mode, @@session.character_set_client' }, signal)
		const [mode, characterSet] = (rows[0] ?? []).map(String)
		return modesOf(mode ?? '', characterSet ?? '')
	}

	/** Runs one statement of a user as the session is, and reads its warnings. @throws DriverError */
	query(query: Query, signal: AbortSignal): Promise<Answer> {
		return this.#inTurn(signal, () => this.#run(query, { most: query.most, isRead: false }, signal))
	}

	/** Parses one statement without running it. @throws DriverError with what its grammar or its names lack */
	async parse(sql: string, signal: AbortSignal): Promise<void> {
		await this.#inTurn(signal, async () => {
			try {
				await this.#send(`prepare roundhouse_parsed from ${literal(sql)}`, { isRead: true })
			} catch (error) {
				throw isServerError(error) ? statementError(error, sql) : error
			}
			await this.#command('deallocate prepare roundhouse_parsed')
		})
	}

	/**
	 * Runs one statement where the server refuses writes. In an open transaction of a user it runs as it is, because nothing
	 * makes a part of a transaction read-only: run only what the judge takes for a read. @throws DriverError
	 */
	async read(query: Query, signal: AbortSignal): Promise<Answer> {
		return this.#reading(signal, { isOne: true }, () => this.#run(query, { most: query.most, isRead: true }, signal))
	}

	/** Runs statements that read the same state of InnoDB tables. @throws DriverError */
	readAll(queries: readonly Query[], signal: AbortSignal): Promise<readonly Answer[]> {
		return this.#reading(signal, { isOne: false }, async () => {
			const answers: Answer[] = []
			for (const query of queries) answers.push(await this.#run(query, { most: query.most, isRead: true }, signal))
			return answers
		})
	}

	/** As {@link read}, but gives each row to `onRow`, and waits for what it returns. @throws its error, or DriverError */
	async readEach(
		query: Query,
		onRow: (row: RawRow, fields: readonly Field[]) => void | Promise<void>,
		signal: AbortSignal,
	): Promise<void> {
		await this.#reading(signal, { isOne: true }, () => this.#run(query, { isRead: true, onRow }, signal))
	}

	/**
	 * Runs work whose statements fail instead of waiting for the lock of a table, or of its definition: another session could
	 * change one meanwhile. @throws the error of the work, or DriverError
	 */
	async withoutWaiting<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
		await this.query({ sql: 'set session lock_wait_timeout = 0' }, signal)
		try {
			return await work()
		} finally {
			if (this.isUsable) await this.#inTurn(undefined, () => this.#command('set session lock_wait_timeout = default'))
		}
	}

	/** Runs one statement of the driver that writes rows, in its own transaction. @throws DriverError */
	write(query: Query, signal: AbortSignal): Promise<Answer> {
		return this.writing(signal, run => run(query))
	}

	/** Runs work in one transaction, and rolls it back if the work throws. @throws the error of the work, or DriverError */
	writing<T>(signal: AbortSignal, work: (run: (query: Query) => Promise<Answer>) => Promise<T>): Promise<T> {
		return this.#inTurn(signal, async () => {
			if (this.#writes === 'never') throw new DriverError('denied', 'This connection only reads.')
			await this.#command('start transaction read write')
			try {
				const done = await work(query => this.#run(query, { most: query.most, isRead: false }, signal))
				await this.#command('commit')
				return done
			} catch (error) {
				await this.#rollBack()
				throw error
			}
		})
	}

	/**
	 * Runs work in one transaction, and always rolls it back. Statements that commit, and tables without transactions, keep
	 * what they did: run only what has neither. @throws the error of the work, or DriverError
	 */
	async trying<T>(signal: AbortSignal, work: (run: (query: Query) => Promise<Answer>) => Promise<T>): Promise<T> {
		let done: { readonly value: T } | undefined
		const undone = new Error('Rolled back')
		await this.writing(signal, async run => {
			done = { value: await work(run) }
			throw undone
		}).catch(error => {
			if (error !== undone) throw error
		})
		if (!done) throw undone
		return done.value
	}

	/** Begins a transaction that writes rows, for several statements of {@link query}. @throws DriverError */
	async begin(signal: AbortSignal): Promise<void> {
		if (this.#writes === 'never') throw new DriverError('denied', 'This connection only reads.')
		await this.query({ sql: 'start transaction read write' }, signal)
	}

	/** Closes the socket. The server rolls back an open transaction. */
	close(): void {
		this.#end(new Error('The session was closed'))
	}

	/**
	 * Runs work in a transaction that is read-only, in a session that is: a definition would commit the transaction first, and
	 * then run outside of it. One statement of a session of the driver is such a transaction by itself.
	 */
	#reading<T>(signal: AbortSignal, { isOne }: { readonly isOne: boolean }, work: () => Promise<T>): Promise<T> {
		return this.#inTurn(signal, async () => {
			if (this.transaction !== undefined || (isOne && this.#use === 'driver')) return work()
			const isWritable = this.#writes === 'as_the_user_says' && (await this.#isWritable())
			if (isWritable) await this.#command('set session transaction read only')
			try {
				await this.#command('start transaction read only')
				return await work()
			} finally {
				if (this.isUsable) await this.#command('rollback')
				if (this.isUsable && isWritable) await this.#command('set session transaction read write')
			}
		})
	}

	async #isWritable(): Promise<boolean> {
		const name = this.server.product === 'MariaDB' ? 'tx_read_only' : 'transaction_read_only'
		const [result] = await this.#send(`select @@session.${name}`, { isRead: true })
		return result?.rows[0]?.[0] === '0'
	}

	async #rollBack(): Promise<void> {
		if (!this.isUsable) return
		const timer = setTimeout(() => this.close(), rollbackLimitMs)
		// The socket is closed then, which rolls back too.
		await this.#command('rollback').catch(() => this.close())
		clearTimeout(timer)
	}

	/** Runs a statement of the driver itself, within the turn of another. */
	async #command(sql: string): Promise<void> {
		try {
			await this.#send(sql, { isRead: true })
		} catch (error) {
			throw isServerError(error) ? statementError(error, sql) : error
		}
	}

	async #inTurn<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
		const before = this.#turn
		const done = Promise.withResolvers<void>()
		this.#turn = done.promise
		let timer: NodeJS.Timeout | undefined
		// What is sent around a statement has nothing that could be stopped.
		const watch = () => {
			timer = setTimeout(() => this.close(), turnLimitMs)
		}
		try {
			await before
			signal?.throwIfAborted()
			this.#throwIfClosed()
			signal?.addEventListener('abort', watch, { once: true })
			return await work()
		} finally {
			signal?.removeEventListener('abort', watch)
			clearTimeout(timer)
			done.resolve()
		}
	}

	/** Runs a statement, and stops it if the signal is aborted. */
	async #run(query: Query, running: Running, signal: AbortSignal): Promise<Answer> {
		signal.throwIfAborted()
		const sql = bound(query.sql, query.values ?? [])
		const started = performance.now()
		const stopping = new Stopping(
			() => this.#stop(),
			() => this.close(),
		)
		const stop = () => stopping.start(cancelLimitMs)
		signal.addEventListener('abort', stop, { once: true })
		try {
			const arrived = await this.#send(sql, running, stopping)
			const tookMs = performance.now() - started
			const notices = query.isWithoutNotices ? [] : await this.#readWarnings(sql, running)
			return answerOf(arrived, { notices, tookMs })
		} catch (error) {
			signal.throwIfAborted()
			if (!isServerError(error)) throw error
			throw statementError(error, query.values === undefined ? query.sql : undefined)
		} finally {
			signal.removeEventListener('abort', stop)
			if (stopping.isStarted) await this.#afterStop(stopping)
		}
	}

	/** Rows wait meanwhile: to read them would delay the request. */
	async #stop(): Promise<void> {
		this.#connection.pause()
		try {
			await this.#cancel()
		} finally {
			this.#connection.resume()
		}
	}

	/** The server may take the request to stop only when the statement has ended, and would then stop the next one. */
	async #afterStop(stopping: Stopping): Promise<void> {
		// A server that does not answer takes no request either.
		if (!this.isUsable) return
		await stopping.finish()
		if (this.isUsable) await this.#send('do 0', { isRead: true }).catch(() => {})
	}

	/** Sends a statement, and waits for its end. @throws the error of the server as it is, or DriverError */
	async #send(sql: string, running: Running, stopping?: Stopping): Promise<readonly Arriving[]> {
		this.#throwIfClosed()
		const results: Arriving[] = []
		this.#warnings = 0
		const { promise, resolve, reject } = Promise.withResolvers<void>()
		this.#reject = reject
		const command = this.#connection.query({ sql, rowsAsArray: true, typeCast: false })
		this.#readStatus(command)
		const taking: Taking = { results, running, stopping, refusal: undefined }
		this.#collect(command, taking)
		let failure: Error | undefined
		command.on('error', (error: Error) => {
			failure = error
		})
		command.on('end', () => (failure === undefined ? resolve() : reject(failure)))
		try {
			await promise
		} catch (error) {
			// What the server stopped because enough rows are here, or because no more are taken.
			const isEnough = stopping?.isStarted === true && (results.at(-1)?.isCut === true || taking.refusal !== undefined)
			if (!(isEnough && isServerError(error) && error.errno === errorNumbers.interrupted)) {
				await this.#readStateAfter(error)
				throw error
			}
		} finally {
			this.#reject = undefined
		}
		if (taking.refusal) throw taking.refusal
		return results
	}

	/** An error does not say whether the transaction is still open: a deadlock rolls it back. */
	async #readStateAfter(error: unknown): Promise<void> {
		if (this.isUsable && isServerError(error) && this.transaction !== undefined)
			await this.#send('do 0', { isRead: true }).catch(() => {})
	}

	/** The state of the transaction is in the last packet of rows, which mysql2 reads and does not tell. */
	#readStatus(command: Command): void {
		const { row } = command
		command.row = (packet, connection) => {
			if (packet.isEOF()) {
				this.#status = packet.eofStatusFlags()
				this.#warnings = packet.eofWarningCount()
			}
			const next: unknown = row.call(command, packet, connection)
			return next === row ? command.row : next
		}
	}

	#collect(command: Command, taking: Taking): void {
		const { results, running, stopping } = taking
		const { most = Number.POSITIVE_INFINITY, isRead } = running
		let readers: readonly ((bytes: Buffer) => RawValue)[] = []
		let surplus = 0
		command.on('fields', (fields: readonly Field[] | undefined) => {
			results.push({ fields: fields ?? [], rows: [], ok: undefined, isCut: false, length: 0 })
			readers = (fields ?? []).map(readerOf)
		})
		command.on('result', (found: readonly (Buffer | null)[] | OkPacket) => {
			const result = results.at(-1)
			if (!result || taking.refusal) return
			if ('serverStatus' in found) {
				result.ok = found
				this.#status = found.serverStatus
				this.#warnings = found.warningStatus
				this.#database = found.stateChanges?.schema ?? this.#database
				return
			}
			const isFull = running.most !== undefined && result.length > mostBytes
			if (isFull || result.rows.length >= most) {
				result.isCut = true
				if (isRead && ++surplus === drainedRows) stopping?.start(stopLimitMs)
				return
			}
			const row = found.map((bytes, at) => (bytes === null ? null : (readers[at]?.(bytes) ?? null)))
			result.length += found.reduce((sum, bytes) => sum + (bytes?.length ?? 0), 0)
			if (!running.onRow) result.rows.push(row)
			else this.#give(row, result.fields, taking)
		})
	}

	/** Gives away a row. The socket pauses until it was taken. If it is refused, the server is stopped. */
	#give(row: RawRow, fields: readonly Field[], taking: Taking): void {
		const refuse = (error: unknown) => {
			taking.refusal = error instanceof Error ? error : new Error(String(error))
			// A request that was sent before reads on by itself.
			if (taking.stopping?.isStarted) this.#connection.resume()
			taking.stopping?.start(stopLimitMs)
		}
		try {
			const taken = taking.running.onRow?.(row, fields)
			if (!taken) return
			this.#connection.pause()
			taken.then(() => this.#connection.resume(), refuse)
		} catch (error) {
			refuse(error)
		}
	}

	async #readWarnings(sql: string, { isRead }: Running): Promise<readonly string[]> {
		// These tell of an earlier statement.
		if (this.#warnings === 0 || /^\s*(?:show|get)\b/i.test(sql)) return []
		const found = await this.#send('show warnings', { isRead, most: mostWarnings })
		return (found[0]?.rows ?? []).map(([level, number, text]) => `${level} ${number}: ${text}`)
	}

	#throwIfClosed(): void {
		if (!this.#isClosed) return
		const reason = this.#closeReason?.message.replace(/\.$/, '') ?? 'The connection was lost'
		throw new DriverError('not_connected', `${reason}.`, { cause: this.#closeReason })
	}

	#end(reason: Error): void {
		if (this.#isClosed) return
		this.#isClosed = true
		this.#closeReason = reason
		this.#status = 0
		this.#connection.destroy()
		const message = isDriverError(reason) ? reason.message : `The connection was lost: ${reason.message}.`
		this.#reject?.(new DriverError('not_connected', message.replace(/\.\.$/, '.'), { cause: reason }))
	}
}

/** A request to the server to stop a statement. If the statement does not end, the socket is closed. */
class Stopping {
	readonly #cancel: () => Promise<void>
	readonly #close: () => void
	#timer: NodeJS.Timeout | undefined
	#done: Promise<void> | undefined

	constructor(cancel: () => Promise<void>, close: () => void) {
		this.#cancel = cancel
		this.#close = close
	}

	get isStarted(): boolean {
		return this.#done !== undefined
	}

	/** @param limitMs time for the statement to end */
	start(limitMs: number): void {
		if (this.#done) return
		this.#timer = setTimeout(this.#close, limitMs)
		this.#done = this.#cancel().catch(this.#close)
	}

	/** Call it when the statement has ended. Resolves when the server has taken the request. */
	async finish(): Promise<void> {
		clearTimeout(this.#timer)
		await this.#done
	}
}

function answerOf(
	arrived: readonly Arriving[],
	{ notices, tookMs }: { readonly notices: readonly string[]; readonly tookMs: number },
): Answer {
	const results = arrived.map(({ fields, rows, ok, isCut }): Result => {
		const hasId = ok !== undefined && String(ok.insertId) !== '0'
		return {
			fields,
			rows,
			isCut,
			info: ok?.info ?? '',
			...(ok !== undefined && { affected: Number(ok.affectedRows) }),
			...(hasId && { insertId: String(ok.insertId) }),
		}
	})
	const first = results.find(({ fields }) => fields.length > 0) ?? results.at(-1)
	return { ...(first ?? { fields: [], rows: [], isCut: false, info: '' }), results, notices, tookMs }
}
