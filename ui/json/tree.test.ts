import { expect, test } from 'vitest'
import { JsonTree } from './tree.ts'

const treeOf = (value: unknown) => new JsonTree(new TextEncoder().encode(JSON.stringify(value)))
const shown = (tree: JsonTree) =>
	tree.lines().map(({ node, isMore }) => (isMore ? 'more' : `${node.member.key}: ${tree.preview(node)}`))

test('a document opens with its first level, and its values have paths', () => {
	const tree = treeOf({ a: { 'b.c': ['x', 1.5] }, n: null, e: [] })
	expect(shown(tree)).toEqual(['a: { … }', 'n: null', 'e: [ … ]'])
	const [a, , e] = tree.root.children
	if (a) tree.open(a)
	if (e) tree.open(e)
	const list = a?.children[0]
	if (list) tree.open(list)
	expect(shown(tree)).toEqual(['a: { 1 }', 'b.c: [ 2 ]', '0: "x"', '1: 1.5', 'n: null', 'e: []'])
	const text = list?.children[0]
	expect(text && [tree.path(text), tree.copy(text)]).toEqual(['a["b.c"][0]', 'x'])
	expect(list && tree.copy(list)).toBe('[\n  "x",\n  1.5\n]')
})

test('of many members the first are shown, and each request doubles their number', () => {
	const tree = treeOf(Array.from({ length: 1000 }, (_, index) => index))
	expect(shown(tree)).toHaveLength(201)
	expect(shown(tree).at(-1)).toBe('more')
	tree.more(tree.root)
	tree.more(tree.root)
	tree.more(tree.root)
	expect(shown(tree)).toHaveLength(1000)
	expect(shown(tree).at(-1)).toBe('999: 999')
})

test('a document with a single value has one line', () => {
	expect(shown(treeOf('x'))).toEqual([': "x"'])
})
