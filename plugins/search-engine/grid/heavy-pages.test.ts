import type { GridQuery } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { call, decode, direct, openSample } from '../test/fixture.ts'

const megabytes = 2.6
const count = 60

/** A sample with documents that do not fit into one answer of 128 MiB. */
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
		await direct(url, `/scans/_doc/${n}`, { method: 'PUT', body: JSON.stringify({ n, picture, ...late }) })
	}
	await direct(url, '/scans/_refresh', { method: 'POST' })
	return { ...opened, characters: picture.length }
}

const query: GridQuery = { table: 'scans', filters: [], match: 'all', sort: [{ column: 'n', direction: 'desc' }] }

test.each(['7.10.2', '8.13.4'])('shows rows of %s whose documents do not fit into one answer', async version => {
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
	expect(page.rows[0]?.cells[at.picture ?? -1]).toEqual({ text: 'é'.repeat(10_000), cutFrom: opened.characters })
	expect(page.total).toEqual({ value: count, isExact: true })
	expect(page.notices.join()).toMatch(/156 MB, so they were read in \d+ parts/)
	expect(bytes.length).toBeLessThan(2_000_000)
	expect(steps.at(-1)).toBe(count)
	expect(page.rows.every(({ cells }) => cells.length === page.columns.length)).toBe(true)
	await grid.close()
})
