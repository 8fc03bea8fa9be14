import { type Cell, denseCells } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { call, decode, direct, openSample } from '../test/fixture.ts'

/** Forty of them do not fit into one answer. */
const large = 'x'.repeat(1_000_000)
const unread = { unread: true }
const n = { type: 'integer' }
const keyword = { type: 'keyword', ignore_above: 10 }
const objects = { n, obj: { properties: { k: keyword, n } } }

/** A grid of the sample in the order of `n`, whose documents are numbered. */
async function openGrid(mappings: object, count: number, documentOf: (n: number) => object) {
	const opened = await openSample()
	const { url } = opened.sample
	await direct(url, '/scans', { method: 'PUT', body: JSON.stringify({ mappings }) })
	for (let at = 0; at < count; at++)
		await direct(url, `/scans/_doc/${at}`, { method: 'PUT', body: JSON.stringify({ n: at, ...documentOf(at) }) })
	await direct(url, '/scans/_refresh', { method: 'POST' })
	const query = { table: 'scans', filters: [], match: 'all', sort: [{ column: 'n', direction: 'asc' }] } as const
	const grid = await opened.connection.openGrid(query, call())
	return {
		grid,
		async page(offset = 0, limit = 40) {
			const { rows, columns, notices } = decode(await grid.page({ offset, limit }, call()))
			const cells = rows.map((row): Readonly<Record<string, Cell | undefined>> => {
				const all = denseCells(row, columns.length)
				return Object.fromEntries(columns.map(({ name }, index) => [name, all[index]]))
			})
			return { cells, notices }
		},
		async [Symbol.asyncDispose]() {
			await grid.close()
			await opened[Symbol.asyncDispose]()
		},
	}
}

test.each([
	['in the same page', 40, [[0, 40, 35]]],
	[
		'in a later page',
		60,
		[
			[0, 40, 0],
			[40, 20, 15],
		],
	],
] as const)('an object that appears %s does not look whole without its left-out part', async (_, count, pages) => {
	const documentOf = (at: number) => (at < count - 10 ? { 'a.b': large } : { a: { b: large, c: 'rest' } })
	await using opened = await openGrid({ dynamic: false, properties: { n } }, count, documentOf)
	for (const [offset, limit, row] of pages) {
		const { cells } = await opened.page(offset, limit)
		expect([unread, { missing: true }, undefined]).toContainEqual(cells[row]?.a)
	}
	expect((await opened.page(count - 5, 5)).cells[0]?.a).toEqual(unread)
})

test.each([
	['with another value', { note: 'y'.repeat(2000) }],
	['alone', {}],
])('pages that are read at once leave out only what is large: a large value %s', async (_, others) => {
	await using opened = await openGrid({ properties: { n, content: keyword } }, 80, at => ({
		content: large,
		name: `name ${at}`,
		...others,
	}))
	await Promise.all([opened.page(0), opened.page(40)])
	const { cells, notices } = await opened.page()
	expect(notices).toEqual(['Pages leave out large values: content. They are read with the whole row.'])
	expect(cells[0]).toMatchObject({ content: unread, name: 'name 0', ...others })
})

test('a list of objects that the engine returns without a part is unread, with all columns in it', async () => {
	const documentOf = (at: number) => ({
		obj: at % 2 === 0 ? [{ k: large }, { k: 'b', n: 2 }] : { k: large, n: 1 },
	})
	await using opened = await openGrid({ properties: objects }, 40, documentOf)
	const { cells } = await opened.page()
	expect(cells[0]).toMatchObject({ 'obj.k': unread, 'obj.n': unread })
	expect(cells[1]).toMatchObject({ 'obj.k': unread, 'obj.n': 1 })
})

test('a value with an alias is not left out, because a row has no value under the name of an alias', async () => {
	const properties = { n, content: keyword, copy: { type: 'alias', path: 'content' } }
	await using opened = await openGrid({ properties }, 40, () => ({ content: large }))
	const { cells } = await opened.page()
	const cut = { text: 'x'.repeat(10_000), cutFrom: large.length }
	expect(cells[0]).toMatchObject({ content: cut, copy: cut })
})

test('leaves out keys with any character, and no other', async () => {
	const keys = ['a,b', 'p(q', 'x y', 'a|b', 'é$', '__proto__x', 'constructor']
	const values = Object.fromEntries(keys.map(key => [key, large.slice(0, 200_000)]))
	const others = { a: 'short', b: 'bee', p: 'pea' }
	await using opened = await openGrid({ dynamic: false, properties: { n } }, 40, () => ({ ...values, ...others }))
	const { cells, notices } = await opened.page()
	expect(cells[0]).toMatchObject(others)
	// A quarter of the limit is left for the rest, which is one of these values.
	const shown = keys.filter(key => JSON.stringify(cells[0]?.[key]) !== JSON.stringify(unread))
	expect(shown.length).toBeLessThan(2)
	for (const key of shown) expect(cells[0]?.[key]).toMatchObject({ cutFrom: 200_000 })
	expect(notices).toHaveLength(1)
})

test('a grid that is closed while it searches for large fields reads no more', async () => {
	await using opened = await openGrid({ properties: { n, content: keyword } }, 40, () => ({ content: large }))
	const reading = opened.page().catch((error: unknown) => error)
	await opened.grid.close()
	expect(await reading).toMatchObject({ code: 'user_cancelled' })
})

test('a list of objects under a key with dots is unread too', async () => {
	await using opened = await openGrid({ properties: objects }, 40, at => ({
		...(at % 2 === 0 ? { 'obj.list': [{ k: large }, { k: 'b', n: 2 }] } : { obj: { list: [{ k: large, n: 1 }] } }),
	}))
	const { cells } = await opened.page()
	for (const row of [0, 1]) expect(cells[row]).toMatchObject({ 'obj.list.n': unread })
})

test('no value is left out beside a decimal number, which the engine would print again', async () => {
	const properties = { n, content: { type: 'text', index: false }, price: { type: 'double', index: false } }
	await using opened = await openGrid({ dynamic: false, properties }, 40, () => ({ content: large, price: 1.5 }))
	const { cells, notices } = await opened.page()
	expect(notices.join()).toMatch(/^The documents of this page have 40 MB, so they were read in \d+ parts\.$/)
	expect(cells[0]).toMatchObject({ content: { cutFrom: large.length }, price: 1.5 })
})
