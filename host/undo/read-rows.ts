import { type Column, decode, isDriverError, type WholeRow } from '@roundhouse/kit'
import { type EncodedMethod, faultOfAnswer } from '@roundhouse/kit/answer-shape'
import type { Encoded } from '@roundhouse/kit/encoded'
import type { Session } from '../connections/session.ts'

/** A session of a person, or that of a client, which refuses what the client must not do. */
export type Rows = Pick<Session, 'call' | 'wrongAnswer'>

/** So many rows are read at once. */
const atOnce = 8

/** Runs work for each item, some at once, and returns the results in order. */
export async function forEach<T, R>(items: readonly T[], work: (item: T, place: number) => Promise<R>): Promise<R[]> {
	const results: R[] = []
	for (let from = 0; from < items.length; from += atOnce) {
		const part = items.slice(from, from + atOnce)
		results.push(...(await Promise.all(part.map((item, at) => work(item, from + at)))))
	}
	return results
}

/** Reads a whole row, or `undefined` if there is none. @throws DriverError */
export async function readRow(
	rows: Rows,
	{ table, rowId }: { readonly table: string; readonly rowId: string },
	signal: AbortSignal,
): Promise<WholeRow | undefined> {
	try {
		return decoded('readRow', await rows.call('readRow', { table, rowId }, { signal }), rows)
	} catch (error) {
		if (isDriverError(error) && error.code === 'not_found') return undefined
		throw error
	}
}

export async function readColumns(rows: Rows, table: string, signal: AbortSignal): Promise<readonly Column[]> {
	return decoded('describeTable', await rows.call('describeTable', { table }, { signal }), rows).columns
}

function decoded<T, M extends EncodedMethod>(method: M, encoded: Encoded<T>, rows: Rows): T {
	const answer = decode(encoded)
	const fault = faultOfAnswer(method, answer)
	if (fault !== undefined) throw rows.wrongAnswer(method, fault)
	return answer
}
