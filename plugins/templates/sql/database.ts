import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { DriverError } from '@roundhouse/kit'
import { type DialectSession, eachRow, type TakeRow, type TextRow } from '@roundhouse/sql'
import { Database, SQLite3Error } from 'node-sqlite3-wasm'

/** A database file: what is checked before it is read, its copy, and the one session on it. */

/** Of a file, because the scratch folder takes a copy. */
const mostBytes = 4 * 1024 ** 3

/** Reads what tells a file and its version apart. https://www.sqlite.org/fileformat.html */
async function stateOf(file: FileHandle) {
	const { size, mtimeMs } = await file.stat()
	const header = Buffer.alloc(100)
	await file.read(header, 0, 100, 0)
	return { size, header, mark: `${size} ${mtimeMs} ${header.toString('hex')}` }
}

/** Returns why a file cannot be read, as the rest of a sentence. */
function faultOf({ size, header }: Awaited<ReturnType<typeof stateOf>>): string | undefined {
	if (size === 0) return 'is empty. A database has a file as soon as it has a table.'
	if (header.toString('latin1', 0, 16) !== 'SQLite format 3\0') return 'is no SQLite database, or it is encrypted.'
	if (size > mostBytes) return 'is larger than 4 GiB, of which this driver makes no copy.'
	if (header[18] === 2 || header[19] === 2)
		return 'is in WAL mode, so its newest rows are in a second file, which this driver cannot read. Run "pragma journal_mode = delete" in the program that writes it, or open a copy made with VACUUM INTO.'
	if (header.readUInt32BE(56) > 1)
		return 'has texts in UTF-16, which this driver cannot read. Dump it into a database with "pragma encoding = \'UTF-8\'".'
	const pageBytes = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
	if (header.readUInt32BE(28) * pageBytes > size)
		return 'is not whole: a program may be writing it, or has stopped before the end. Open it in that program, then try again.'
	return undefined
}

/** Opens a copy of a file. @throws DriverError `not_connected` with what to do */
export async function openCopy(path: string, folder: string, signal: AbortSignal): Promise<Session> {
	const refuse = (reason: string) => new DriverError('not_connected', `${basename(path)} ${reason}`)
	const copy = join(folder, `${randomUUID()}.db`)
	const file = await open(path).catch((error: Error) => {
		throw refuse(`cannot be opened: ${error.message}.`)
	})
	try {
		const before = await stateOf(file)
		const fault = faultOf(before)
		if (fault !== undefined) throw refuse(fault)
		await pipeline(createReadStream(path), createWriteStream(copy), { signal })
		if ((await stateOf(file)).mark !== before.mark) throw refuse('was changed while it was copied. Connect again.')
		const session = new Session(copy)
		await session.read('select 1 from sqlite_schema', signal).catch(async error => {
			await session.end()
			throw refuse(`cannot be read: ${error.message}.`)
		})
		return session
	} catch (error) {
		await rm(copy, { force: true })
		throw error
	} finally {
		await file.close()
	}
}

/** The one session of a connection. SQLite runs in this thread, so one call waits for another by itself. */
export class Session implements DialectSession {
	readonly isUsable = true
	readonly transaction = undefined
	readonly #path: string
	readonly #database: Database

	constructor(path: string) {
		this.#path = path
		this.#database = new Database(path, { readOnly: true })
		const digest = (text: unknown) => createHash('sha256').update(String(text)).digest('base64url')
		this.#database.function('roundhouse_digest', digest, { deterministic: true })
	}

	/** A console shares the session, which ends with the connection. */
	close(): void {}

	async end(): Promise<void> {
		if (this.#database.isOpen) this.#database.close()
		await rm(this.#path, { force: true })
	}

	async read(sql: string, signal: AbortSignal): Promise<readonly TextRow[]> {
		const rows: TextRow[] = []
		await this.readEach(sql, row => void rows.push(row), signal)
		return rows
	}

	async readEach(sql: string, take: TakeRow, signal: AbortSignal): Promise<void> {
		try {
			const statement = this.#database.prepare(sql)
			const values = Iterator.from(statement.iterate()).map(row => Object.values(row))
			const texts = values.map(row => row.map(value => (value === null ? null : String(value))))
			await eachRow(texts, take, signal).finally(() => statement.finalize())
		} catch (error) {
			throw error instanceof SQLite3Error ? new DriverError('query_failed', error.message) : error
		}
	}

	/** Runs work with a view of a statement. No text becomes one but a query, whose columns a view names. It is in memory. */
	async asView<T>(statement: string, signal: AbortSignal, work: (view: string) => Promise<T>): Promise<T> {
		const view = `roundhouse ${randomUUID()}`
		await this.read(`create temp view "${view}" as ${statement}`, signal)
		return work(view).finally(() => this.#database.exec(`drop view temp."${view}"`))
	}
}
