import {
	type Call,
	type Cell,
	type ChangeOutcome,
	type DriverError,
	isDriverError,
	type RowImport,
} from '@roundhouse/kit'

/** How an engine imports rows in one transaction. */
export interface Importing {
	begin(signal: AbortSignal): Promise<void>
	/** Marks the start of a batch. */
	savepoint(signal: AbortSignal): Promise<void>
	/** Goes back to the start of the batch. */
	rollbackToSavepoint(signal: AbortSignal): Promise<void>
	/**
	 * Inserts all rows of a batch at once, if the engine can do that and every row has the same outcome. @returns `undefined`
	 * if they go one by one @throws DriverError for one of the rows
	 */
	insertAll(rows: readonly (readonly Cell[])[], signal: AbortSignal): Promise<ChangeOutcome | undefined>
	/** Inserts one row. @throws DriverError if the server refuses it */
	insertOne(row: readonly Cell[], signal: AbortSignal): Promise<ChangeOutcome>
	/** Whether an error says that the key of a row exists. */
	isConflict(error: DriverError): boolean
	commit(signal: AbortSignal): Promise<void>
	close(): void
}

/**
 * Imports rows in batches, in one transaction. A batch that fails as a whole is sent again row by row, so that each bad row
 * is named, and the others are stored.
 */
export class BatchImport implements RowImport {
	readonly #importing: Importing
	#hasBegun = false

	constructor(importing: Importing) {
		this.#importing = importing
	}

	async write(rows: readonly (readonly Cell[])[], { signal }: Call): Promise<readonly ChangeOutcome[]> {
		if (!this.#hasBegun) await this.#importing.begin(signal)
		this.#hasBegun = true
		await this.#importing.savepoint(signal)
		try {
			const outcome = await this.#importing.insertAll(rows, signal)
			if (outcome) return rows.map(() => outcome)
		} catch (error) {
			if (!isAboutRows(error)) throw error
			await this.#importing.rollbackToSavepoint(signal)
		}
		return this.#writeEach(rows, signal)
	}

	async #writeEach(rows: readonly (readonly Cell[])[], signal: AbortSignal): Promise<readonly ChangeOutcome[]> {
		const outcomes: ChangeOutcome[] = []
		/** The first row behind the savepoint. */
		let from = 0
		for (const row of rows) {
			try {
				outcomes.push(await this.#importing.insertOne(row, signal))
			} catch (error) {
				if (!isAboutRows(error)) throw error
				await this.#importing.rollbackToSavepoint(signal)
				for (const good of rows.slice(from, outcomes.length)) await this.#importing.insertOne(good, signal)
				const status = this.#importing.isConflict(error) ? 'conflict' : 'failed'
				outcomes.push({ status, message: error.message })
				from = outcomes.length
				await this.#importing.savepoint(signal)
			}
		}
		return outcomes
	}

	async finish({ signal }: Call): Promise<void> {
		try {
			if (this.#hasBegun) await this.#importing.commit(signal)
		} finally {
			this.#importing.close()
		}
	}

	async abort(): Promise<void> {
		this.#importing.close()
	}
}

const isAboutRows = (error: unknown): error is DriverError =>
	isDriverError(error) && error.code !== 'not_connected' && error.code !== 'user_cancelled'
