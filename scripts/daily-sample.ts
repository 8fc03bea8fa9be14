/** Selects a sample of a long list of similar test cases. The sample changes daily. */

/** `npm test` takes every fourth case outside CI (scripts/test.ts). CI, and a test file that is run alone, take all. */
const step = Number(process.env.ROUNDHOUSE_TEST_STEP ?? 1)
/** Changes daily, so that every case is run within four days. */
const day = Math.floor(Date.now() / 86_400_000)

/** Returns every `of`th case, at least one, in their order. @param of default: the step of this process */
export function dailySampleOf<T>(cases: readonly T[], of = step): readonly T[] {
	const every = Math.max(1, Math.min(of, cases.length))
	return cases.filter((_, index) => index % every === day % every)
}
