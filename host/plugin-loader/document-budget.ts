import { type BudgetLimits, ReadingBudget } from '../../registry/format/reading-budget.ts'

const mebibyte = 1024 * 1024
const publisherLimits: BudgetLimits = { files: 100, bytes: 8 * mebibyte }
const registryLimits: BudgetLimits = { files: 1_000, bytes: 64 * mebibyte }

/** How many documents of releases a list of drivers may read, by publisher and of the whole registry. */
export class DocumentBudget {
	readonly #registry = new ReadingBudget(registryLimits)
	readonly #publishers = new Map<string, ReadingBudget>()

	/** Returns whether a document of a publisher may be read, and takes it from the budget. */
	take(publisher: string, sizeBytes: number): boolean {
		const own = this.#publishers.get(publisher) ?? new ReadingBudget(publisherLimits)
		this.#publishers.set(publisher, own)
		return own.take(1, sizeBytes) && this.#registry.take(1, sizeBytes)
	}
}
