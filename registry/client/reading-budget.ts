/** Limits of all metadata that one refresh reads. A limit of each file alone would allow any number of files. */
export interface BudgetLimits {
	readonly files: number
	readonly bytes: number
}

/** A registry has at most 1,000 publishers. Lists of 20,000 releases take half of these bytes. */
export const refreshLimits: BudgetLimits = { files: 2_000, bytes: 64 * 1024 * 1024 }

/** What one refresh may still read. */
export class ReadingBudget {
	#files: number
	#bytes: number

	constructor({ files, bytes }: BudgetLimits = refreshLimits) {
		this.#files = files
		this.#bytes = bytes
	}

	/** Takes one file from the budget. @throws Error if no file is left */
	takeFile(): void {
		if (--this.#files < 0) throw new Error('one refresh of the registry would read too many files')
	}

	/** Takes received bytes from the budget. @throws Error if they are more than what is left */
	takeBytes(count: number): void {
		this.#bytes -= count
		if (this.#bytes < 0) throw new Error('one refresh of the registry would read too many bytes')
	}
}
