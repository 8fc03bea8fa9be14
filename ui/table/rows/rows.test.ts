import { createRoot } from 'solid-js'
import { expect, test } from 'vitest'
import type { Column, GridPage, GridQuery, HostMethod, Row } from '../../../host/api/api.ts'
import { timeToHappen } from '../../../tests/support/absence.ts'
import type { CallOptions, HostConnection } from '../../api/client.ts'
import { firstRows, Pages, pageSize } from './pages.ts'
import { createRows } from './rows.ts'

const query: GridQuery = { table: 't', filters: [], match: 'all', sort: [] }
const rowAt = (index: number, generation = 1): Row => ({ id: `${generation}/${index}`, cells: [index] })

/** A host with one table, as a grid uses it. Its answers can be delayed and refused. */
function hostWith(total: number) {
	const log: { readonly method: HostMethod; readonly params: Record<string, unknown> }[] = []
	/** Generations of rows, one for each opened query. */
	const generations = new Map<unknown, number>()
	const gate = {
		hold: undefined as Promise<void> | undefined,
		refusal: undefined as string | undefined,
		columns: [] as readonly Column[],
	}
	const page = (grid: number, offset: number, limit: number): GridPage => ({
		columns: gate.columns,
		rows: Array.from({ length: Math.max(0, Math.min(limit, total - offset)) }, (_, i) => rowAt(offset + i, grid)),
		total: { value: total, isExact: true },
		tookMs: 1,
		notices: [],
	})
	const host = {
		async call(method: HostMethod, params: Record<string, number>, { signal }: CallOptions = {}) {
			log.push({ method, params })
			if (method === 'grid.open') generations.set(params.grid, generations.size + 1)
			if (method === 'grid.close') return null
			await gate.hold
			signal?.throwIfAborted()
			if (gate.refusal !== undefined) throw new Error(gate.refusal)
			return page(generations.get(params.grid) ?? 0, params.offset ?? 0, params.limit ?? 0)
		},
		on: () => () => {},
		onLost: () => {},
	}
	// A grid calls only these three methods.
	return { host: host as unknown as HostConnection, log, gate }
}

function rowsOn(host: HostConnection) {
	return createRoot(dispose => ({ rows: createRows(host, 'c'), dispose }))
}
const never = new AbortController().signal

test('reading rows returns all of them, whatever pages are kept', async () => {
	const { host } = hostWith(24_000)
	const { rows, dispose } = rowsOn(host)
	await rows.open(query)
	const seen: number[] = []
	const found = await rows.read({ first: 50, last: 10_049 }, never, read => seen.push(read))
	expect(found.map(row => row.cells[0])).toEqual(Array.from({ length: 10_000 }, (_, i) => i + 50))
	expect(seen.at(-1)).toBe(10_000)
	expect(seen).toEqual([...seen].sort((a, b) => a - b))
	dispose()
})

test('pages in view are fetched and kept while far pages are evicted; pages that are scrolled past quickly are not fetched', async () => {
	const { host, log } = hostWith(24_000)
	const { rows, dispose } = rowsOn(host)
	await rows.open(query)
	for (let first = 0; first < 24_000; first += 200) {
		rows.show(first, first + 30)
		if (first % 4000 === 0) await expect.poll(() => rows.at(first)?.cells[0]).toBe(first)
	}
	// Pages that were scrolled past were never fetched.
	expect(log.filter(({ method }) => method === 'grid.page').length * pageSize).toBeLessThan(2000)
	dispose()
})

test('the first rows stay the same rows while the user scrolls so far that their page is evicted, and a save changes them', async () => {
	const { host } = hostWith(24_000)
	const { rows, dispose } = rowsOn(host)
	await rows.open(query)
	rows.show(0, 30)
	await expect.poll(() => rows.first().length).toBe(pageSize)
	const before = rows.first()
	for (let first = 0; first < 24_000; first += 300) {
		rows.show(first, first + 30)
		await expect.poll(() => rows.at(first)?.cells[0]).toBe(first)
	}
	expect(rows.at(0)).toBeUndefined()
	expect(rows.first()).toBe(before)
	rows.patch(row => (row.id === '1/3' ? { ...row, cells: ['changed'] } : undefined))
	expect(rows.first()[3]?.cells).toEqual(['changed'])
	dispose()
})

test('pages ahead of the scroll direction are fetched before they come into view, up or down', async () => {
	const { host } = hostWith(24_000)
	const { rows, dispose } = rowsOn(host)
	await rows.open(query)
	rows.show(10_000, 10_030)
	await expect.poll(() => rows.at(10_230)?.cells[0]).toBe(10_230)
	rows.show(9_000, 9_030)
	await expect.poll(() => rows.at(8_810)?.cells[0]).toBe(8_810)
	expect(rows.at(9_110)).toBeUndefined()
	dispose()
})

test('requests of pages that left the view are cancelled, and repeated when they return', async () => {
	const { host, gate, log } = hostWith(24_000)
	const { rows, dispose } = rowsOn(host)
	await rows.open(query)
	const { promise, resolve } = Promise.withResolvers<void>()
	gate.hold = promise
	const asked = (page: number) => log.filter(({ params }) => params.offset === page * pageSize).length
	rows.show(5_000, 5_030)
	await expect.poll(() => asked(50)).toBe(1)
	rows.show(20_000, 20_030)
	await expect.poll(() => asked(200)).toBe(1)
	rows.show(5_000, 5_030)
	await expect.poll(() => asked(50)).toBe(2)
	resolve()
	await expect.poll(() => rows.at(5_000)?.cells[0]).toBe(5_000)
	expect(rows.at(20_000)).toBeUndefined()
	dispose()
})

const column = (name: string, type = 'text'): Column => ({
	name,
	type,
	kind: 'text',
	isKey: false,
	isReadOnly: false,
	isSortable: true,
})
const wide = Array.from({ length: 200 }, (_, index) => column(`c${index}`))

test('pages of a wide table have fewer rows, also where rows were asked for before its width was known', async () => {
	const { host, gate, log } = hostWith(24_000)
	gate.columns = wide
	const { rows, dispose } = rowsOn(host)
	const { promise, resolve } = Promise.withResolvers<void>()
	gate.hold = promise
	const opened = rows.open(query)
	rows.show(5_000, 5_030)
	await expect.poll(() => log.some(({ params }) => params.offset === 5_000)).toBe(true)
	resolve()
	await opened
	expect(rows.first().length).toBe(firstRows)
	expect(rows.at(firstRows - 1)?.cells).toEqual([firstRows - 1])
	for (const index of [5_000, 5_030, 5_230]) await expect.poll(() => rows.at(index)?.cells).toEqual([index])
	expect(log.at(-1)?.params.limit).toBe(25)
	rows.show(0, 80)
	await expect.poll(() => rows.at(80)?.cells).toEqual([80])
	expect(rows.first().length).toBe(firstRows)
	dispose()
})

test('of pages over the limit the farthest are evicted', () => {
	const pages = new Pages()
	for (let page = 0; page < 100; page++) pages.keep(page, [rowAt(page * pageSize)], page * pageSize)
	expect([pages.has(99), pages.has(40), pages.has(39), pages.has(0)]).toEqual([true, true, false, false])
	pages.keep(0, [rowAt(0)], 9900)
	expect(pages.has(0)).toBe(false)
	expect(pages.at(9900)?.cells).toEqual([9900])
})

test('rows of a previous query are never shown, and reading them fails with a message', async () => {
	const { host, gate, log } = hostWith(500)
	const { rows, dispose } = rowsOn(host)
	await rows.open(query)
	const { promise, resolve } = Promise.withResolvers<void>()
	gate.hold = promise
	const reading = rows.read({ first: 0, last: 400 }, never, () => {})
	const opening = rows.open({ ...query, raw: 'x' })
	// The previous rows stay until the new ones arrive.
	expect(rows.at(0)?.id).toBe('1/0')
	resolve()
	await expect(reading).rejects.toThrow('The rows were reloaded')
	await opening
	expect(rows.at(0)?.id).toBe('2/0')
	await expect.poll(() => log.filter(({ method }) => method === 'grid.close').length).toBe(1)
	dispose()
})

test('if a query does not open, its error is not replaced by those of further pages', async () => {
	const { host, gate } = hostWith(50_000)
	const { rows, dispose } = rowsOn(host)
	await rows.open(query)
	rows.show(20_000, 20_010)
	await expect.poll(() => rows.at(20_000)?.cells[0]).toBe(20_000)
	gate.refusal = 'There is no such column.'
	await rows.open({ ...query, raw: 'x' })
	gate.refusal = 'This grid is closed.'
	rows.show(30_000, 30_010)
	await timeToHappen(300)
	expect(rows.failure()).toBe('There is no such column.')
	dispose()
})

test('a failed load keeps the last rows and shows its reason until a load succeeds', async () => {
	const { host, gate } = hostWith(500)
	const { rows, dispose } = rowsOn(host)
	await rows.open(query)
	gate.refusal = 'The engine is down.'
	await rows.open(query)
	expect([rows.failure(), rows.at(0)?.id, rows.isLoading()]).toEqual(['The engine is down.', '1/0', false])
	expect(rows.isOfPrevious()).toBe(true)
	gate.refusal = undefined
	await rows.open(query)
	expect([rows.failure(), rows.at(0)?.id]).toEqual([undefined, '3/0'])
	expect(rows.isOfPrevious()).toBe(false)
	dispose()
})

test('saved changes are shown immediately, and a disposed grid closes its cursor', async () => {
	const { host, log } = hostWith(500)
	const { rows, dispose } = rowsOn(host)
	await rows.open(query)
	rows.patch(row => (row.id === '1/3' ? { ...row, cells: ['new'] } : undefined))
	expect([rows.at(3)?.cells, rows.at(4)?.cells]).toEqual([['new'], [4]])
	dispose()
	await expect.poll(() => log.at(-1)).toEqual({ method: 'grid.close', params: { grid: log[0]?.params.grid } })
})

test('the first rows arrive before the rest of their page, and reading rows waits for all', async () => {
	const { host, log } = hostWith(24_000)
	const { rows, dispose } = rowsOn(host)
	await rows.open(query)
	expect(log.find(({ method }) => method === 'grid.open')?.params).toMatchObject({ offset: 0, limit: firstRows })
	expect(rows.at(firstRows - 1)?.cells).toEqual([firstRows - 1])
	const found = await rows.read({ first: 10, last: 199 }, never, () => {})
	expect(found.map(row => row.cells[0])).toEqual(Array.from({ length: 190 }, (_, i) => i + 10))
	await expect.poll(() => rows.at(pageSize - 1)?.cells).toEqual([pageSize - 1])
	dispose()
})

test('first rows that are loaded are read immediately, whatever else is loading', async () => {
	const { host, gate, log } = hostWith(24_000)
	const { rows, dispose } = rowsOn(host)
	await rows.open(query)
	gate.hold = new Promise(() => {})
	const asked = log.length
	const found = await rows.read({ first: 8, last: firstRows - 1 }, never, () => {})
	expect(found.map(row => row.cells[0])).toEqual(Array.from({ length: firstRows - 8 }, (_, i) => i + 8))
	expect(log.length).toBe(asked)
	dispose()
})

test('columns that did not change keep their objects when another page has them in another order', async () => {
	const { host, gate } = hostWith(10)
	const { rows, dispose } = rowsOn(host)
	gate.columns = [column('born'), column('name'), column('note')]
	await rows.open(query)
	const [born, name, note] = rows.columns()
	gate.columns = [column('name'), column('note', 'keyword'), column('born')]
	await rows.open(query)
	const after = rows.columns()
	expect([after[0] === name, after[1] === note, after[2] === born]).toEqual([true, false, true])
	dispose()
})
