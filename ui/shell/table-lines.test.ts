import { expect, test } from 'vitest'
import { listedWith, type TableLine, tableLines } from './table-lines.ts'

const users = { name: 'shop.public.users', title: 'users', path: ['shop', 'public'] }
const totals = { name: 'shop.public.totals', title: 'totals', path: ['shop', 'public'], kind: 'view' }
const log = { name: 'shop.audit.log', title: 'log', path: ['shop', 'audit'] }
const plain = { name: 'plain' }
const all = { tables: [users, log, plain, totals], objects: [] }
const sum = { name: 'function public.sum()', kind: 'function', path: ['shop', 'public', 'Functions'], title: 'sum()' }

const written = (lines: readonly TableLine[]) =>
	lines.map(
		line =>
			`${' '.repeat(line.depth)}${line.kind === 'level' ? `${line.title} ${line.count}` : (line.kind === 'table' ? line.table : line.object).name}`,
	)

test('tables stand below the levels of their paths', () => {
	expect(written(tableLines(all, () => true))).toEqual([
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
	expect(written(tableLines(all, id => id !== '["shop","public"]'))).toEqual([
		'plain',
		'shop 3',
		' public 2',
		' audit 1',
		'  shop.audit.log',
	])
})

test('equal titles below different levels are different levels', () => {
	const lines = tableLines(
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
	const lines = tableLines({ tables: [users], objects: [sum] }, (id, isFolder) => {
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
