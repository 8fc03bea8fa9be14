/** Limits of what is read together. A limit of each file alone would allow any number of files. */
export interface BudgetLimits {
	readonly files: number
	readonly bytes: number
}

/**
 * Limits of the metadata of one registry. It has at most 1,000 publishers, and lists of 20,000 releases take half of
 * these bytes.
 */
export const metadataLimits: BudgetLimits = { files: 2_000, bytes: 64 * 1024 * 1024 }

/** How much may still be read. */
export class ReadingBudget {
	#files: number
	#bytes: number

	constructor({ files, bytes }: BudgetLimits) {
		this.#files = files
		this.#bytes = bytes
	}

	/** Takes files and bytes from the budget. Returns whether the budget had them. */
	take(files: number, bytes: number): boolean {
		this.#files -= files
		this.#bytes -= bytes
		return this.#files >= 0 && this.#bytes >= 0
	}
}
