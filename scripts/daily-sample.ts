import { globSync } from 'node:fs'
import { checkout } from './layout.ts'

/** Selects a sample of many similar test cases, and of the slow test files. The samples change daily. */

/** `npm test` takes every sixth case outside CI (scripts/test.ts). CI, and a test file that is run alone, take all. */
const step = Number(process.env.ROUNDHOUSE_TEST_STEP ?? 1)
const day = Math.floor(Date.now() / 86_400_000)

/**
 * Returns every `of`th case, at least one, in their order; all within `of` days.
 * @param of default: the step of this process
 */
export function dailySampleOf<T>(cases: readonly T[], of = step): readonly T[] {
	return everyNth(cases, of, day)
}

/** Files that start whole programs: hosts, browsers, npm, compilers. They take more than half of the CPU time. */
const endToEnd = ['tests/{window,product,release,clients}/**/*.test.ts', 'host/driver-check/*.test.ts']

/**
 * Returns the end-to-end files that today's run leaves out: none in CI, else five of six. They change every sixth
 * day, so that a file with a daily sample of cases runs all of them.
 */
export function filesLeftOut(of = step, today = day): readonly string[] {
	const files = globSync(endToEnd, { cwd: checkout }).sort()
	const taken = new Set(everyNth(files, of, Math.floor(today / of)))
	return files.filter(file => !taken.has(file))
}

function everyNth<T>(cases: readonly T[], of: number, turn: number): readonly T[] {
	const every = Math.max(1, Math.min(of, cases.length))
	return cases.filter((_, index) => index % every === turn % every)
}
