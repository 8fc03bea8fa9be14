import { inject } from 'vitest'

declare module 'vitest' {
	interface ProvidedContext {
		/** Whether tests with many similar cases run all of them (vitest.config.ts). */
		runsAllCases: boolean
		/** Name of the project, for the sums of CPU time. */
		project: string
	}
}

/**
 * Returns every `of`th of many similar cases, at least one: the same in every run of `npm test`. The project `landing`
 * gets all of them.
 */
export function someOf<T>(cases: readonly T[], of = 6): readonly T[] {
	if (inject('runsAllCases')) return cases
	const step = Math.max(1, Math.min(of, cases.length))
	return cases.filter((_, index) => index % step === 0)
}
