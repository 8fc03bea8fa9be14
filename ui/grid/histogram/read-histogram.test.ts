import { expect, test } from 'vitest'
import type { Column, ResultOf } from '../../../host/api/api.ts'
import { readHistogram } from './read-histogram.ts'

const column: Column = { name: 'at', type: 'date', kind: 'date', isKey: false, isReadOnly: true, isSortable: true }
const query = { table: 't', filters: [], match: 'all' } as const
const at = (text: string) => Date.parse(text)

/** Rows from 10 to 12 o'clock. */
async function ask({ groups }: { readonly groups: readonly unknown[] }): Promise<ResultOf<'rows.aggregate'>> {
	const rows =
		groups.length === 0 ? [[3, '2026-11-26T10:00:00Z', '2026-11-26T12:00:00Z']] : [['2026-11-26T10:00:00Z', 3]]
	return { columns: [], rows, isTruncated: false, notices: [] }
}

test('the axis reaches the end of an open range, also where no row does', async () => {
	const from = at('2026-11-26T00:00Z')
	const lastOf = async (until: number | undefined) =>
		(await readHistogram({ query, column, from, until }, ask)).buckets.at(-1)?.to ?? 0
	expect(await lastOf(undefined)).toBeLessThan(at('2026-11-26T13:00Z'))
	expect(await lastOf(at('2026-11-27T00:00Z'))).toBeGreaterThanOrEqual(at('2026-11-27T00:00Z'))
	// Rows of the future stay on the axis.
	expect(await lastOf(at('2026-11-26T11:00Z'))).toBeGreaterThanOrEqual(at('2026-11-26T12:00Z'))
})
