import { expect, test } from 'vitest'
import { readView, renamedView, type SavedView, viewsOf, withView } from './saved-view.ts'
import { printLink, readLink } from './view-link.ts'

const view = (name: string, raw = ''): SavedView => ({
	name,
	query: { sort: [], raw, rows: [], match: 'all' },
	columns: { order: [] },
})
const names = (views: readonly SavedView[]) => views.map(({ name, query }) => `${name}${query.raw}`)

test('a view replaces the one with its name, also when it is renamed', () => {
	const views = withView(withView(withView([], view('b')), view('a')), view('b', '!'))
	expect(names(views)).toEqual(['a', 'b!'])
	expect(names(renamedView(views, 'b', 'a'))).toEqual(['a!'])
	expect(renamedView(views, 'c', 'd')).toBe(views)
})

test('a copied view is read again, and other text is rejected', () => {
	expect(readView(JSON.stringify(view('a', 'x')))).toEqual(view('a', 'x'))
	for (const text of ['a', '{}', '[]', '{"name":"a"}', '{"name":"","query":{}}']) expect(readView(text)).toBe(undefined)
	expect(names(viewsOf([view('a'), null, { name: 'b' }]))).toEqual(['a'])
	expect(viewsOf({})).toEqual([])
})

test('a link has a view with its table and the name of its connection, and other text is no link', () => {
	const linked = { connection: 'shop “dev”', table: 'logs-*', view: view('a', 'level:error & more') }
	expect(printLink(linked)).toMatch(/^roundhouse:\/\/view\/[\w%.~!*'()-]+$/)
	expect(readLink(` ${printLink(linked)}\n`)).toEqual(linked)
	const start = 'roundhouse://view/'
	for (const text of ['a', start, `${start}%`, `${start}{}`, `${start}${encodeURIComponent('{"view":{}}')}`])
		expect(readLink(text)).toBe(undefined)
})
