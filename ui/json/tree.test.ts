import { expect, test } from 'vitest'
import { fieldsOpening, JsonTree } from './tree.ts'

const treeOf = (value: unknown) => new JsonTree(new TextEncoder().encode(JSON.stringify(value)))
const shown = (tree: JsonTree) =>
	tree.lines().map(({ node, isMore }) => (isMore ? 'more' : `${node.member.key}: ${tree.preview(node)}`))

test('a small document opens with the objects of its first level, and its values have paths', () => {
	const tree = treeOf({ a: { 'b.c': ['x', 1.5] }, n: null, e: [] })
	expect(shown(tree)).toEqual(['a: { 1 }', 'b.c: [ … ]', 'n: null', 'e: [ … ]'])
	expect(shown(treeOf({ a: { b: 1 }, long: 'x'.repeat(30_000) }))[0]).toBe('a: { … }')
	const [a, , e] = tree.root.children
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

test('a text that is long or has line breaks opens whole, and a short one does not', () => {
	const trace = 'java.lang.Error: no\n\tat A.b(A.java:1)'
	const tree = treeOf({ trace, long: 'x'.repeat(400), short: 'x' })
	expect(tree.root.children.map(node => tree.opens(node))).toEqual([true, true, false])
	for (const node of tree.root.children) tree.open(node)
	expect(shown(tree)).toEqual([`trace: ${trace}`, `long: ${'x'.repeat(400)}`, 'short: "x"'])
})

test('a document with a single value has one line', () => {
	expect(shown(treeOf('x'))).toEqual([': "x"'])
})

const node = (tree: JsonTree, path: string) => tree.find(path) ?? expect.unreachable()

test('a value is found by its path, of names with dots and of objects in objects', () => {
	const bytes = new TextEncoder().encode('{"a.b":{"c":1},"a":{"b":{"d":"x"}},"log.level":"warn"}')
	const tree = new JsonTree(bytes, fieldsOpening)
	expect(['a.b.c', 'a.b.d', 'log.level'].map(path => tree.reading(node(tree, path)))).toEqual(['1', 'x', 'warn'])
	expect(tree.find('a.x')).toBeUndefined()
})

test('a value beside its name keeps digits and line breaks, and a short list is shown whole', () => {
	const bytes = new TextEncoder().encode('{"n":12345678901234567890.10,"t":"one\\ntwo","l":[1,2],"o":{"a":1}}')
	const tree = new JsonTree(bytes, fieldsOpening)
	expect(['n', 't', 'l', 'o'].map(path => tree.reading(node(tree, path)))).toEqual([
		'12345678901234567890.10',
		'one\ntwo',
		'[1,2]',
		'',
	])
})

test('nested values of a document with a long text are found too', () => {
	const bytes = new TextEncoder().encode(JSON.stringify({ error: { stack: 'x'.repeat(50_000) } }))
	expect(new JsonTree(bytes, fieldsOpening).find('error.stack')).toBeDefined()
})
