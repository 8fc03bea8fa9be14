import { expect, test } from 'vitest'
import type { Column, Reference, TableDescription } from '../../host/api/api.ts'
import { diagramFile } from './diagram-file.ts'
import { laidOut } from './layout.ts'
import { linesOf } from './lines.ts'
import { nextBox } from './next-box.ts'
import { mostTables, readGraph } from './read-graph.ts'
import { graphOf, mostColumns, shownColumns } from './schema-graph.ts'

/** From descriptions of tables to boxes, lines and a file. */

const column = (name: string, isKey = false): Column => ({
	name,
	type: 'int',
	kind: 'number',
	isKey,
	isReadOnly: false,
	isSortable: true,
})
const to = (table: string, ...columns: string[]): Reference => ({ columns, table, to: ['id'] })
const table = (name: string, references: readonly Reference[] = [], more: Partial<TableDescription> = {}) => ({
	name,
	columns: [column('id', true), ...references.flatMap(({ columns }) => columns.map(one => column(one)))],
	references,
	...more,
})
const graph = (described: readonly TableDescription[], showsOutside = false) =>
	graphOf(described, { listed: () => undefined, showsOutside })
const placed = (described: readonly TableDescription[]) => {
	const drawn = graph(described)
	const sizes = new Map(drawn.tables.map(({ name }) => [name, { width: 200, height: 80 }]))
	return { drawn, layout: laidOut({ sizes, relations: drawn.relations }) }
}
const overlaps = (boxes: ReturnType<typeof laidOut>['boxes']) => {
	const all = [...boxes.values()]
	return all.some((one, at) =>
		all
			.slice(at + 1)
			.some(
				other =>
					one.x < other.x + other.width &&
					other.x < one.x + one.width &&
					one.y < other.y + other.height &&
					other.y < one.y + one.height,
			),
	)
}

test('a table without a key, for example a view, has no place, and one elsewhere is shown by name', () => {
	const view = { name: 'report', columns: [column('total')] }
	const orders = table('orders', [to('customers', 'customer_id'), to('elsewhere.regions', 'region_id')])
	const { tables, relations } = graph([table('customers'), orders, view], true)
	expect(tables.map(({ name, isOutside }) => [name, isOutside])).toEqual([
		['customers', false],
		['orders', false],
		['elsewhere.regions', true],
	])
	expect(relations).toHaveLength(2)
	expect(graph([table('customers'), orders, view]).relations.map(({ to }) => to)).toEqual(['customers'])
})

test('the columns of a key and of references are shown alone, and a wide table says what is left', () => {
	const wide = table('wide', [to('other', 'other_id')], {
		columns: [column('id', true), column('other_id'), ...Array.from({ length: 60 }, (_, at) => column(`c${at}`))],
	})
	const [shown] = graph([wide, table('other')]).tables
	if (!shown) throw new Error('there is no table')
	expect(shownColumns(shown, 'keys').shown.map(({ column }) => column.name)).toEqual(['id', 'other_id'])
	expect(shownColumns(shown, 'columns')).toMatchObject({ left: 62 - mostColumns })
	expect(shownColumns(shown, 'names')).toEqual({ shown: [], left: 0 })
})

test('what is referred to stands left, no two tables overlap, and lonely ones stand below', () => {
	const described = [
		table('customers'),
		table('orders', [to('customers', 'customer_id'), to('customers', 'payer_id')]),
		table('lines', [to('orders', 'order_id'), to('customers', 'customer_id')]),
		table('staff', [to('staff', 'boss_id')]),
		...Array.from({ length: 7 }, (_, at) => table(`lonely${at}`)),
	]
	const { drawn, layout } = placed(described)
	expect([...layout.boxes.keys()].sort()).toEqual(drawn.tables.map(({ name }) => name).sort())
	const [customers, orders, lines, lonely0] = ['customers', 'orders', 'lines', 'lonely0'].map(name =>
		layout.boxes.get(name),
	)
	expect(customers?.x).toBeLessThan(orders?.x ?? 0)
	expect(orders?.x).toBeLessThan(lines?.x ?? 0)
	expect(lonely0?.y).toBeGreaterThan((lines?.y ?? 0) + 79)
	expect(overlaps(layout.boxes)).toBe(false)
	for (const { x, y, width, height } of layout.boxes.values()) {
		expect(x).toBeGreaterThanOrEqual(0)
		expect(x + width).toBeLessThanOrEqual(layout.size.width)
		expect(y + height).toBeLessThanOrEqual(layout.size.height)
	}
	const drawnLines = linesOf(drawn, layout, 'columns')
	expect(drawnLines).toHaveLength(5)
	for (const { path } of drawnLines) expect(path).toMatch(/^M[\d.]+ [\d.]+L[^N]+$/)
})

test('groups without a key between them share the width of a window', () => {
	const pairs = Array.from({ length: 60 }, (_, at) => [table(`a${at}`), table(`b${at}`, [to(`a${at}`, 'a_id')])])
	const { layout } = placed(pairs.flat())
	expect(overlaps(layout.boxes)).toBe(false)
	expect(layout.size.width / layout.size.height).toBeGreaterThan(1)
	expect(layout.size.width / layout.size.height).toBeLessThan(3)
	const [a, b] = ['a59', 'b59'].map(name => layout.boxes.get(name))
	expect(a?.x).toBeLessThan(b?.x ?? 0)
})

test('circles of keys are laid out', () => {
	const { layout, drawn } = placed([
		table('a', [to('b', 'b_id')]),
		table('b', [to('c', 'c_id')]),
		table('c', [to('a', 'a_id')]),
	])
	expect(overlaps(layout.boxes)).toBe(false)
	expect(linesOf(drawn, layout, 'names')).toHaveLength(3)
})

test('a name of an object in JavaScript is a name of a table', () => {
	const { layout } = placed([table('constructor'), table('__proto__', [to('constructor', 'constructor_id')])])
	expect([...layout.boxes.keys()].sort()).toEqual(['__proto__', 'constructor'])
})

test('a file has no markup of names, no script, and parses as XML', () => {
	const bad = '<script>alert("x")</script>&\u0000'
	const { drawn, layout } = placed([table(bad), table('orders', [{ columns: ['id'], table: bad, to: ['id'] }])])
	const file = diagramFile(drawn, layout, 'columns')
	expect(file).not.toContain('<script')
	expect(file).not.toContain('\u0000')
	expect(file).toContain('&lt;script&gt;')
	expect(file).toMatch(
		/^<\?xml version="1.0" encoding="UTF-8"\?>\n<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="\d+"/,
	)
	expect(file.match(/<g /g)).toHaveLength(2)
})

test('in a file, a long type has the room that a short name leaves', () => {
	const { drawn, layout } = placed([
		{ ...table('orders'), columns: [{ ...column('status'), type: 'shop.order_status' }] },
		table('lines', [to('orders', 'order_id')]),
	])
	expect(diagramFile(drawn, layout, 'columns')).toContain('>shop.order_status<')
})

test('arrows lead to the nearest table in their direction', () => {
	const size = { width: 100, height: 50 }
	const boxes = new Map(
		Object.entries({ a: { x: 0, y: 0, ...size }, b: { x: 200, y: 10, ...size }, c: { x: 0, y: 200, ...size } }),
	)
	expect(nextBox(boxes, 'a', 'ArrowRight')).toBe('b')
	expect(nextBox(boxes, 'a', 'ArrowDown')).toBe('c')
	expect(nextBox(boxes, 'a', 'ArrowUp')).toBeUndefined()
	expect(nextBox(boxes, 'b', 'ArrowLeft')).toBe('a')
	expect(nextBox(boxes, undefined, 'ArrowLeft')).toBeUndefined()
	expect(nextBox(boxes, 'a', 'x')).toBeUndefined()
})

const call = () => ({ signal: new AbortController().signal, onProgress() {} })
const chain = (count: number) =>
	new Map(
		Array.from({ length: count }, (_, at) => {
			const references = at === 0 ? [] : [to(`t${at - 1}`, 'up')]
			const referrers = at === count - 1 ? [] : [to(`t${at + 1}`, 'id')]
			return [`t${at}`, table(`t${at}`, references, { referrers })] as const
		}),
	)
const describe = (all: ReadonlyMap<string, TableDescription>) => async (name: string) => {
	const found = all.get(name)
	if (!found) throw new Error(`There is no table ${name}.`)
	return found
}

test.each([
	[1, ['t2', 't1', 't3']],
	[2, ['t2', 't1', 't3', 't0', 't4']],
])('around a table, %d steps away', async (distance, names) => {
	const { described, left } = await readGraph({ around: 't2', distance }, describe(chain(9)), call())
	expect(described.map(({ name }) => name)).toEqual(names)
	expect(left).toBe(0)
})

test('too many tables are counted, a dropped one is left out, and an error of all is one', async () => {
	const tables = [...chain(mostTables + 20).keys()]
	const { described, left } = await readGraph({ tables }, describe(chain(mostTables + 20)), call())
	expect([described.length, left]).toEqual([mostTables, 20])
	expect((await readGraph({ tables: ['t0', 'gone'] }, describe(chain(2)), call())).described).toHaveLength(1)
	await expect(readGraph({ tables: ['gone'] }, describe(chain(2)), call())).rejects.toThrow('There is no table gone.')
	expect(await readGraph({ tables: [] }, describe(chain(2)), call())).toEqual({ described: [], left: 0 })
})

test('a closed diagram asks for no further table', async () => {
	const controller = new AbortController()
	let asked = 0
	const reading = readGraph(
		{ tables: [...chain(100).keys()] },
		async name => {
			asked++
			if (asked === 10) controller.abort(new Error('closed'))
			return describe(chain(100))(name)
		},
		{ signal: controller.signal, onProgress() {} },
	)
	await expect(reading).rejects.toThrow('closed')
	expect(asked).toBeLessThan(30)
})
