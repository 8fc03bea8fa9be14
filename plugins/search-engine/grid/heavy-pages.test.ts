import type { GridQuery } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { someOf } from '../../../tests/support/cases.ts'
import { call, decode, direct, openSample } from '../test/fixture.ts'

const megabytes = 2.6
const count = 60

/** The first rows of the page have no picture, so that they do not show which field is large. */
const smallRows = 10

/** A sample with documents that do not fit into one answer. */
async function openHeavy(version: string) {
	const opened = await openSample({}, version)
	const { url } = opened.sample
	await direct(url, '/scans', {
		method: 'PUT',
		body: JSON.stringify({
			mappings: { properties: { n: { type: 'integer' }, picture: { type: 'keyword', ignore_above: 100 } } },
		}),
	})
	const picture = 'é'.repeat((megabytes * 1_000_000) / 2)
	for (let n = 0; n < count; n++) {
		const late = n === count - 1 ? { late: true } : {}
		await direct(url, `/scans/_doc/${n}`, {
			method: 'PUT',
			body: JSON.stringify({ n, ...(n < count - smallRows && { picture }), ...late }),
		})
	}
	await direct(url, '/scans/_refresh', { method: 'POST' })
	return { ...opened, characters: picture.length }
}

const query: GridQuery = { table: 'scans', filters: [], match: 'all', sort: [{ column: 'n', direction: 'desc' }] }

test.each(
	someOf(['7.10.2', '8.13.4']),
)('shows rows of %s whose documents do not fit into one answer', async version => {
	await using opened = await openHeavy(version)
	const grid = await opened.connection.openGrid(query, call())
	const steps: number[] = []
	const bytes = await grid.page(
		{ offset: 0, limit: 100 },
		{ ...call(), progress: ({ done }) => void (done !== undefined && steps.push(done)) },
	)
	const page = decode(bytes)
	const at = Object.fromEntries(page.columns.map(({ name }, index) => [name, index]))
	expect(page.rows.map(({ cells }) => cells[at.n ?? -1])).toEqual(
		Array.from({ length: count }, (_, n) => count - 1 - n),
	)
	expect(page.rows[0]?.cells[at.picture ?? -1]).toEqual({ missing: true })
	expect(page.rows[smallRows]?.cells[at.picture ?? -1]).toEqual({
		text: 'é'.repeat(10_000),
		cutFrom: opened.characters,
	})
	expect(page.total).toEqual({ value: count, isExact: true })
	expect(page.notices.join()).toMatch(/130 MB, so they were read in \d+ parts/)
	expect(bytes.length).toBeLessThan(2_000_000)
	expect(steps.at(-1)).toBe(count)
	expect(page.rows.every(({ cells }) => cells.length === page.columns.length)).toBe(true)
	await grid.close()
})

test('leaves out as many values as needed if a page has many of moderate length', async () => {
	await using opened = await openSample()
	const { url } = opened.sample
	const parts = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`part${index}`, 'x'.repeat(9_000)]))
	for (let n = 0; n < 50; n++)
		await direct(url, `/scans/_doc/${n}`, { method: 'PUT', body: JSON.stringify({ n, ...parts, small: 'small' }) })
	await direct(url, '/scans/_refresh', { method: 'POST' })
	const grid = await opened.connection.openGrid(query, call())
	const bytes = await grid.page({ offset: 0, limit: 50 }, call())
	const { columns, rows } = decode(bytes)
	await grid.close()
	expect(bytes.length).toBeLessThan(9_000_000)
	expect(rows).toHaveLength(50)
	const cells = columns.map(({ name }, index) => [name, rows[0]?.cells[index]])
	const counts = Object.groupBy(cells, ([, cell]) => (typeof cell === 'object' ? 'unread' : 'read'))
	expect(counts.unread?.length).toBeGreaterThan(50)
	expect(Object.fromEntries(cells)).toMatchObject({ n: 49, small: 'small' })
})
