/** One rule of the contract, in our words. Its id is cited by the test that proves it (`proves`). */
export interface Requirement {
	readonly id: string
	/** What must hold, as one sentence. */
	readonly rule: string
	/** Heading of the contract (`service-contract.md`) where the rule stands, with the item's number if it has one. */
	readonly where: string
}
