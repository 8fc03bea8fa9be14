import { expect, test } from 'vitest'
import { type TableLine, tableLines, tablesWith } from './table-lines.ts'

const users = { name: 'shop.public.users', title: 'users', path: ['shop', 'public'] }
const totals = { name: 'shop.public.totals', title: 'totals', path: ['shop', 'public'], kind: 'view' }
const log = { name: 'shop.audit.log', title: 'log', path: ['shop', 'audit'] }
const plain = { name: 'plain' }
const all = [users, log, plain, totals]

const written = (lines: readonly TableLine[]) =>
	lines.map(
		line => `${' '.repeat(line.depth)}${line.kind === 'level' ? `${line.title} ${line.count}` : line.table.name}`,
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
		...['plain', 'shop 3', ' public 2', ' audit 1', '  shop.audit.log'],
	])
})

test('equal titles below different levels are different levels', () => {
	const lines = tableLines(
		[
			{ name: 'a', path: ['x', 'z'] },
			{ name: 'b', path: ['y', 'z'] },
		],
		() => true,
	)
	expect(new Set(lines.flatMap(line => (line.kind === 'level' ? [line.id] : []))).size).toBe(4)
})

test('a search finds names, kinds and paths', () => {
	expect(tablesWith('VIEW', all)).toEqual([totals])
	expect(tablesWith('audit', all)).toEqual([log])
	expect(tablesWith('', all)).toEqual(all)
})
