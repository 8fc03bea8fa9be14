/** One rule of the contract, in this project's words. The test that proves the rule cites its id (`proves`). */
export interface Requirement {
	readonly id: string
	/** The required behaviour, as one sentence. */
	readonly rule: string
	/**
	 * Heading of the contract (`service-contract.md`) that contains the rule, with the number of the item if there is
	 * one.
	 */
	readonly where: string
}
