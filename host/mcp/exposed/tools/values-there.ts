import { fromCell, type GridQuery } from '@roundhouse/kit'
import type { ClientSession } from '../../access/client-session.ts'
import { decodeAnswer } from '../../access/decode-answer.ts'
import { driverText } from '../../protocol/outgoing-text.ts'
import { withTimeLimit } from './time-limit.ts'

/** Upper limits of examined columns, listed values, their length and the time for all. */
const [maxColumns, maxValues, maxLength, timeoutSeconds] = [2, 5, 60, 5]

/**
 * Returns the values of columns whose filter left no row, because a model often spells a value differently:
 * `Values of level: "error" 1,204, "warn" 310.` Returns `undefined` if the engine cannot group, or the column has no
 * texts.
 */
export async function valuesThere(
	session: ClientSession,
	{ table, filters }: Pick<GridQuery, 'table' | 'filters'>,
	limit: Pick<Parameters<typeof withTimeLimit>[0], 'clock' | 'signal'>,
): Promise<string | undefined> {
	const compared = filters.filter(({ operator }) => operator === 'equals' || operator === 'in')
	const columns = [...new Set(compared.map(({ column }) => column))].slice(0, maxColumns)
	const sentences = columns.map(column =>
		withTimeLimit({ ...limit, seconds: timeoutSeconds }, signal => valuesOf(session, { table, column }, signal)).catch(
			() => undefined,
		),
	)
	const known = (await Promise.all(sentences)).filter(sentence => sentence !== undefined)
	limit.signal.throwIfAborted()
	return known.length > 0 ? known.join(' ') : undefined
}

async function valuesOf(
	session: ClientSession,
	{ table, column }: { readonly table: string; readonly column: string },
	signal: AbortSignal,
): Promise<string | undefined> {
	const query = { table, filters: [], match: 'all', groups: [{ column }], measures: [], limit: maxValues } as const
	const found = decodeAnswer('aggregate', await session.call('aggregate', { query }, { signal }), session)
	const values = found.rows.flatMap(([value = null, count = null]) => {
		const text = fromCell(value)
		if (typeof text !== 'string' || text.length > maxLength) return []
		return `${JSON.stringify(driverText(text))} ${Number(fromCell(count)).toLocaleString('en')}`
	})
	if (values.length === 0) return undefined
	return `Values of ${driverText(column)}: ${values.join(', ')}${found.isTruncated || values.length < found.rows.length ? ', …' : ''}.`
}
