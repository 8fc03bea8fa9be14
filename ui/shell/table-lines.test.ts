import { expect, test } from 'vitest'
import { type Listed, listedWith, partsOf, type TableLine, tableLines, type Unfolding } from './table-lines.ts'

const users = { name: 'shop.public.users', title: 'users', path: ['shop', 'public'] }
const totals = { name: 'shop.public.totals', title: 'totals', path: ['shop', 'public'], kind: 'view' }
const log = { name: 'shop.audit.log', title: 'log', path: ['shop', 'audit'] }
const plain = { name: 'plain' }
const all = { tables: [users, log, plain, totals], objects: [] }
const sum = { name: 'function public.sum()', kind: 'function', path: ['shop', 'public', 'Functions'], title: 'sum()' }

const written = (lines: readonly TableLine[]) =>
	lines.map(
		line =>
			`${' '.repeat(line.depth)}${line.kind === 'level' ? `${line.title} ${line.count}` : line.kind === 'part' ? line.part.kind : (line.kind === 'table' ? line.table : line.object).name}`,
	)
const linesOf = (listed: Listed, isOpen: Unfolding['isOpen'], more: Partial<Unfolding> = {}) =>
	tableLines(listed, { isOpen, parts: () => undefined, showsPartitions: false, ...more })

test('tables stand below the levels of their paths', () => {
	expect(written(linesOf(all, () => true))).toEqual([
		'plain',
		'shop 3',
		' public 2',
		'  shop.public.users',
		'  shop.public.totals',
		' audit 1',
		'  shop.audit.log',
	])
})

test('a closed level hides what it contains and keeps its count', () => {
	expect(written(linesOf(all, id => id !== '["shop","public"]'))).toEqual([
		'plain',
		'shop 3',
		' public 2',
		' audit 1',
		'  shop.audit.log',
	])
})

test('equal titles below different levels are different levels', () => {
	const lines = linesOf(
		{
			tables: [
				{ name: 'a', path: ['x', 'z'] },
				{ name: 'b', path: ['y', 'z'] },
			],
			objects: [],
		},
		() => true,
	)
	expect(new Set(lines.flatMap(line => (line.kind === 'level' ? [line.id] : []))).size).toBe(4)
})

test('a search finds names, kinds and paths', () => {
	expect(listedWith('VIEW', all).tables).toEqual([totals])
	expect(listedWith('audit', all).tables).toEqual([log])
	expect(listedWith('', all)).toEqual(all)
	expect(listedWith('sum', { ...all, objects: [sum] })).toEqual({ tables: [], objects: [sum] })
})

test('objects stand below their levels, which count them only without tables and are folders', () => {
	const folders: string[] = []
	const lines = linesOf({ tables: [users], objects: [sum] }, (id, isFolder) => {
		if (isFolder) folders.push(id)
		return true
	})
	expect(written(lines)).toEqual([
		'shop 1',
		' public 1',
		'  shop.public.users',
		'  Functions 1',
		'   function public.sum()',
	])
	expect(folders).toEqual(['["shop","public","Functions"]'])
})

test('partitions stand below their table, counted once, and a search shows those that it finds', () => {
	const parent = { name: 'p', kind: 'partitioned table', path: ['x'] }
	const one = { name: 'p1', path: ['x'], partitionOf: 'p' }
	const two = { name: 'p2', path: ['x'], partitionOf: 'p1' }
	const listed = { tables: [one, parent, two, { name: 'q', path: ['x'] }], objects: [] }
	expect(written(linesOf(listed, () => true))).toEqual(['x 2', ' p', ' q'])
	expect(written(linesOf(listed, () => true, { showsPartitions: true }))).toEqual(['x 2', ' p', '  p1', '   p2', ' q'])
	const parts = (name: string) => (name === 'p' ? [{ kind: 'index' as const, text: 'i' }] : undefined)
	expect(written(linesOf(listed, () => true, { parts }))).toEqual(['x 2', ' p', '  p1', '  index', ' q'])
	// One whose table is not listed is a table.
	expect(written(linesOf({ tables: [two], objects: [] }, () => true))).toEqual(['x 1', ' p2'])
})

test('an unfolded table shows its columns, then its indexes', () => {
	const column = { name: 'id', type: 'int', kind: 'number', isKey: true, isReadOnly: false, isSortable: true } as const
	const parts = partsOf({
		name: 't',
		columns: [column, { ...column, name: 'up', isKey: false }],
		references: [{ columns: ['up'], table: 't', to: ['id'] }],
		indexes: ['unique btree (up)'],
	})
	expect(parts).toMatchObject([
		{ kind: 'column', isReference: false },
		{ kind: 'column', isReference: true },
		{ kind: 'index', text: 'unique btree (up)' },
	])
})
