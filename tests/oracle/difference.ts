import { isDriverError } from '@roundhouse/kit'
import { type Answer, Refusal } from './answer.ts'

/** What the product answers differs from what the model of the test expects. */
export class Difference extends Error {
	constructor(what: string, got: unknown, expected: unknown) {
		super(`${what}\n  product: ${short(got)}\n  expected: ${short(expected)}`)
	}
}

const short = (value: unknown) => (JSON.stringify(value) ?? 'undefined').slice(0, 3_000)

/** @throws Difference */
export function requireSame(what: string, got: unknown, expected: unknown): void {
	if (JSON.stringify(got) !== JSON.stringify(expected)) throw new Difference(what, got, expected)
}

/** Requires the rows of the answer, each once, in an order that the sort allows. @param limit of rows, the first ones */
export function requireRows(numbers: readonly string[], expected: Answer, limit?: number): void {
	const all = expected.map(({ number }) => number)
	if (limit === undefined) requireSame('rows', numbers.toSorted(), all.toSorted())
	const ranks = new Map(expected.map(({ number, rank }) => [number, rank]))
	const wanted = expected.map(({ rank }) => rank).toSorted((a, b) => a - b)
	requireSame(
		'ranks of the rows',
		numbers.map(number => ranks.get(number)),
		wanted.slice(0, limit),
	)
}

const refusals = new Set(['invalid_argument', 'unsupported', 'query_failed'])

/** Returns the refusal of the product, if it refuses. */
export async function orRefusal<T>(work: () => Promise<T>): Promise<T | Refusal> {
	try {
		return await work()
	} catch (error) {
		if (isDriverError(error) && refusals.has(error.code)) return new Refusal(`${error.code}: ${error.message}`)
		throw error
	}
}

/** @throws Difference if only one of them refuses */
export function requireBothRefuse(got: unknown, expected: unknown): void {
	const said = (answer: unknown) => (answer instanceof Refusal ? `refused: ${answer.message}` : answer)
	if (!(got instanceof Refusal && expected instanceof Refusal))
		throw new Difference('refusal', said(got), said(expected))
}
