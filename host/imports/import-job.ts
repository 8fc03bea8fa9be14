import { type Cell, type ChangeOutcome, cutText, type ImportConflict, stringifyJson } from '@roundhouse/kit'
import { messageOf } from '../../base/errors.ts'
import { importErrors } from './errors.ts'
import { type FileFormat, rowsIn } from './file-format.ts'
import type { FileRow, FileRows } from './file-row.ts'
import { cellsOf, type MappedColumn, type ValueForm } from './row-cells.ts'
import { Utf8Text } from './utf8-text.ts'

/** A row that is sent, with its line in the file. */
export interface SentRow {
	readonly line: number
	readonly cells: readonly Cell[]
	/** The values as the file has them, shortened. */
	readonly values: string
}

/** Rows, and one outcome for each. */
export interface Settled {
	readonly rows: readonly SentRow[]
	readonly outcomes: readonly ChangeOutcome[]
}

/** Where rows go. */
export interface RowSink {
	/** Whether all rows are stored by `finish`, or none. */
	readonly isAtomic: boolean
	/** Returns one outcome for each row; nothing if `finish` decides. If it throws, the outcomes are unknown. */
	send(rows: readonly SentRow[]): Promise<readonly ChangeOutcome[] | undefined>
	/** Returns what it decided. */
	finish(): Promise<Settled | undefined>
	abort(): Promise<void>
}

/** A row that was not imported, or may not be. */
export interface ImportFault {
	readonly line: number
	readonly outcome: 'failed' | 'unknown'
	readonly message: string
	/** The values of the row as the file has them, shortened. */
	readonly values: string
}

/** What became of the rows of a file. */
export interface ImportAccount {
	/** `failed`: it ended before the end of the file, or stored nothing. */
	readonly state: 'running' | 'done' | 'failed' | 'cancelled'
	/** Rows that were read. */
	readonly rows: number
	readonly imported: number
	/** Rows whose key exists, which the user wanted to leave out. */
	readonly skipped: number
	readonly failed: number
	readonly unknown: number
	/** Why it ended early. */
	readonly message?: string
	/** Each row that failed or whose outcome is unknown. */
	readonly faults: readonly ImportFault[]
}

export interface JobOptions {
	readonly sink: RowSink
	readonly format: FileFormat
	readonly mapping: readonly MappedColumn[]
	readonly csvBytes: ValueForm['csvBytes']
	readonly onConflict: ImportConflict
	/** Whether the other rows are stored if some fail. */
	readonly skipsBad?: boolean
	readonly sizeBytes: number
	/** Called before each batch and before the end. Throws if the connection has changed and must not be written to. */
	assertMayWrite(): void
	/** Called when it has ended, before the caller is answered. */
	onEnd(account: ImportAccount): Promise<void>
}

const batchRows = 1_000
const batchCharacters = 1024 * 1024
/** An import with more faults is stopped, so that the account names each of them and stays small. */
const mostFaults = 10_000
const longestMessage = 500

/**
 * Reads a file in pieces and sends its rows in batches. It holds one piece and one batch. A row is sent once, whatever
 * becomes of it, and a batch on its way is never cancelled.
 */
export class ImportJob {
	readonly #options: JobOptions
	readonly #text = new Utf8Text()
	readonly #rows: FileRows
	readonly #faults: ImportFault[] = []
	#batch: SentRow[] = []
	#batchSize = 0
	#bytes = 0
	#counts = { rows: 0, imported: 0, skipped: 0, failed: 0, unknown: 0 }
	#state: ImportAccount['state'] = 'running'
	#message: string | undefined
	#isCancelled = false
	/** All rows or none, and one has failed: the others are sent for the account alone. */
	#isInVain = false
	/** The last call; the next one waits for it. */
	#last: Promise<unknown> = Promise.resolve()

	constructor(options: JobOptions) {
		this.#options = options
		this.#rows = rowsIn(options.format)
	}

	get account(): ImportAccount {
		const { imported } = this.#counts
		// Before the end of an import that is all or nothing, nothing is stored.
		const isStored = !this.#options.sink.isAtomic || this.#state === 'done'
		return {
			state: this.#state,
			...this.#counts,
			imported: isStored ? imported : 0,
			...(this.#message !== undefined && { message: this.#message }),
			faults: this.#faults,
		}
	}

	/** Reads the next piece of the file. `onRows` is called after each batch. */
	write(piece: Uint8Array, onRows: (rows: number) => void = () => {}): Promise<ImportAccount> {
		return this.#next(async () => {
			this.#bytes += piece.length
			if (this.#bytes > this.#options.sizeBytes) throw importErrors.make('changed')
			await this.#read(piece, { isEnd: false, onRows })
		})
	}

	/** Sends the rest, and ends the import. */
	end(): Promise<ImportAccount> {
		return this.#next(async () => {
			if (this.#bytes !== this.#options.sizeBytes) throw importErrors.make('changed')
			await this.#read(new Uint8Array(), { isEnd: true, onRows: () => {} })
			if (this.#state === 'running') await this.#send()
			if (this.#state === 'running') await this.#finish()
		})
	}

	/** Ends the import after the batch that is on its way. */
	cancel(): Promise<ImportAccount> {
		this.#isCancelled = true
		return this.#next(async () => {})
	}

	#next(work: () => Promise<void>): Promise<ImportAccount> {
		const done = this.#last.then(async () => {
			if (this.#state !== 'running') return this.account
			try {
				if (!this.#isCancelled) await work()
			} catch (error) {
				await this.#stop('failed', messageOf(error))
			}
			if (this.#isCancelled && this.#state === 'running') await this.#stop('cancelled')
			return this.account
		})
		this.#last = done
		return done
	}

	async #read(
		piece: Uint8Array,
		{ isEnd, onRows }: { readonly isEnd: boolean; readonly onRows: (rows: number) => void },
	): Promise<void> {
		try {
			const text = this.#text.read(piece, isEnd)
			for (const row of this.#rows.read(text, isEnd && this.#text.isValid)) {
				this.#counts.rows++
				await this.#take(row)
				if (this.#state !== 'running' || this.#isCancelled) return
				if (this.#batch.length === 0) onRows(this.#counts.rows)
			}
			this.#text.requireValid()
		} catch (error) {
			// The rows before the fault are whole.
			if (this.#state === 'running' && !this.#options.sink.isAtomic) await this.#send()
			throw error
		}
	}

	async #take(row: FileRow): Promise<void> {
		const { mapping, format, csvBytes } = this.#options
		const read = cellsOf(row, mapping, { format, csvBytes })
		const values = shownValues(row, mapping)
		if ('fault' in read) {
			this.#fault({ line: row.line, outcome: 'failed', message: read.fault, values })
			return this.#stopAtFaults()
		}
		this.#batch.push({ line: row.line, cells: read.cells, values })
		this.#batchSize += sizeOf(read.cells)
		if (this.#batch.length >= batchRows || this.#batchSize >= batchCharacters) await this.#send()
	}

	async #send(): Promise<void> {
		const rows = this.#batch
		if (rows.length === 0) return
		this.#batch = []
		this.#batchSize = 0
		this.#options.assertMayWrite()
		let outcomes: readonly ChangeOutcome[] | undefined
		try {
			outcomes = await this.#options.sink.send(rows)
		} catch (error) {
			// What is not finished is not stored.
			if (this.#options.sink.isAtomic) throw error
			outcomes = rows.map(() => ({ status: 'unknown', message: messageOf(error) }))
		}
		if (outcomes) await this.#settle({ rows, outcomes })
	}

	async #settle({ rows, outcomes }: Settled): Promise<void> {
		for (const [place, { line, values }] of rows.entries()) {
			// An answer that is too short says nothing of the rest.
			const outcome = outcomes[place] ?? { status: 'unknown', message: 'The driver reported no outcome.' }
			if (outcome.status === 'applied') this.#counts.imported++
			else if (outcome.status === 'conflict' && this.#options.onConflict === 'skip') this.#counts.skipped++
			else if (outcome.status === 'not_sent') {
				if (!this.#options.sink.isAtomic || this.#options.skipsBad)
					this.#fault({ line, outcome: 'failed', message: 'It was not sent, because another row failed.', values })
			} else {
				const { status, message } = outcome
				this.#fault({ line, outcome: status === 'unknown' ? 'unknown' : 'failed', message, values })
			}
		}
		const unknown = outcomes.find(({ status }) => status === 'unknown')
		// Later rows would fail for the same reason, and no row is sent twice.
		if (unknown && 'message' in unknown) await this.#stop('failed', unknown.message)
		else await this.#stopAtFaults()
	}

	#fault({ message, ...fault }: ImportFault): void {
		this.#counts[fault.outcome]++
		this.#faults.push({ ...fault, message: messageOf(message).slice(0, longestMessage) })
	}

	async #stopAtFaults(): Promise<void> {
		const count = this.#faults.length
		if (this.#options.sink.isAtomic && !this.#options.skipsBad && count > 0) this.#isInVain = true
		if (count >= mostFaults) throw importErrors.make('too_many_faults', { count })
	}

	async #finish(): Promise<void> {
		const { sink, assertMayWrite } = this.#options
		if (this.#isInVain) throw importErrors.make('nothing_imported')
		assertMayWrite()
		try {
			const settled = await sink.finish()
			if (settled) await this.#settle(settled)
		} catch (error) {
			if (sink.isAtomic) {
				this.#counts.unknown += this.#counts.imported
				this.#counts.imported = 0
			}
			throw error
		}
		if (this.#state === 'running') await this.#ended('done')
	}

	async #stop(state: 'failed' | 'cancelled', message?: string): Promise<void> {
		if (this.#state !== 'running') return
		this.#message = message
		await this.#options.sink.abort().catch(() => {})
		await this.#ended(state)
	}

	async #ended(state: 'done' | 'failed' | 'cancelled'): Promise<void> {
		this.#state = state
		this.#batch = []
		try {
			await this.#options.onEnd(this.account)
		} catch (error) {
			this.#message = [this.#message, messageOf(error)].filter(part => part !== undefined).join(' ')
		}
	}
}

const longestValues = 200

/** Returns the values of a row that are imported, so that the user knows it again. */
function shownValues(row: FileRow, mapping: readonly MappedColumn[]): string {
	if ('fault' in row) return ''
	const texts = mapping.map(({ field }) => {
		const value = row.values.get(field)
		return typeof value === 'string' ? cutText(value, longestValues) : stringifyJson(value ?? null)
	})
	return cutText(texts.join(', '), longestValues)
}

/** About the characters that the cells take in a message. */
function sizeOf(cells: readonly Cell[]): number {
	let size = 0
	for (const cell of cells) {
		if (typeof cell === 'string') size += cell.length
		else if (typeof cell === 'object' && cell !== null)
			for (const part of Object.values(cell)) size += String(part).length
		else size += 8
	}
	return size
}
