/** Limits of what is read together. A limit of each file alone would allow any number of files. */
export interface BudgetLimits {
	readonly files: number
	readonly bytes: number
}

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
