import { expect, test } from 'vitest'
import { printView, readView, renamedView, type SavedView, viewsOf, withView } from './saved-view.ts'

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
	expect(readView(printView(view('a', 'x')))).toEqual(view('a', 'x'))
	for (const text of ['a', '{}', '[]', '{"name":"a"}', '{"name":"","query":{}}']) expect(readView(text)).toBe(undefined)
	expect(names(viewsOf([view('a'), null, { name: 'b' }]))).toEqual(['a'])
	expect(viewsOf({})).toEqual([])
})
