/** A host of a test, as far as it explains why the test failed. */
export interface TestedHost {
	/** The end of what it logged. */
	readonly log: string
	/** Its commands that have not ended. */
	readonly running: readonly string[]
	readonly isDisposed: boolean
}

/** The hosts of this worker's present test, with those that the test has already disposed. */
export const testedHosts = new Set<TestedHost>()

/** Returns the end of a log, as much as an error takes. */
export const endOfLog = (log: string) => log.slice(-4_000)
