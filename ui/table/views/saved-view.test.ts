import { expect, test } from 'vitest'
import { renamedView, type SavedView, viewsOf, withView } from './saved-view.ts'
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

test('what is stored and is no view is ignored', () => {
	expect(names(viewsOf([view('a'), null, { name: 'b' }]))).toEqual(['a'])
	expect(viewsOf({})).toEqual([])
})

test('a link has a view with its table and the name of its connection, and other text is no link', () => {
	const linked = { connection: 'shop “dev”', table: 'logs-*', view: view('a', 'level:error & more') }
	expect(printLink(linked)).toMatch(/^roundhouse:\/\/view\/[\w%.~!*'()-]+$/)
	expect(readLink(` ${printLink(linked)}\n`)).toEqual(linked)
	const start = 'roundhouse://view/'
	const { view: _, ...viewless } = linked
	const parts = [viewless, { ...linked, view: {} }, { ...linked, view: { name: '', query: {} } }, { view: view('a') }]
	const links = parts.map(part => start + encodeURIComponent(JSON.stringify(part)))
	for (const text of ['a', JSON.stringify(view('a')), start, `${start}%`, `${start}{}`, ...links])
		expect(readLink(text)).toBe(undefined)
})
