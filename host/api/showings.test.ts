import { expect, test } from 'vitest'
import type { Showing } from '../mcp/index.ts'
import { Showings } from './showings.ts'

const showing = (text: string): Showing => ({
	asker: { client: 'Claude', token: 'mine' },
	connection: { id: 'c', name: 'Sample' },
	title: 'a statement',
	shown: { kind: 'statement', text },
})
const allowed = () => {}
const textsOf = (showings: Showings) =>
	showings.pending().map(({ shown }) => ('text' in shown ? shown.text : shown.table))

test('a newer request of a client replaces its older one, and a fourth client waits', async () => {
	const showings = new Showings(
		() => true,
		async () => false,
	)
	for (const [grantee, text] of ['a', 'b', 'c', 'a'].map((grantee, at) => [grantee, `${grantee}${at}`] as const)) {
		expect(await showings.offer(grantee, showing(text), allowed)).toBe('offered')
	}
	expect(textsOf(showings)).toEqual(['b1', 'c2', 'a3'])
	expect(await showings.offer('d', showing('d'), allowed)).toBe('too_many')
	showings.forget('b')
	expect(await showings.offer('d', showing('d'), allowed)).toBe('offered')
	for (const grantee of ['a', 'c', 'd']) showings.forget(grantee)
})

test('only one answer counts', async () => {
	const showings = new Showings(
		() => true,
		async () => false,
	)
	let reported = 0
	showings.onChange(() => reported++)
	await showings.offer('a', showing('a'), allowed)
	const [{ id } = { id: '' }] = showings.pending()
	expect(showings.take(id)?.shown).toEqual({ kind: 'statement', text: 'a' })
	expect([showings.take(id), showings.pending(), reported]).toEqual([undefined, [], 2])
})

test('a window is opened if none is open, but not again directly after the user closed it', async () => {
	let opened = 0
	const showings = new Showings(
		() => false,
		async () => ++opened > 0,
	)
	expect(await showings.offer('a', showing('a'), allowed)).toBe('offered')
	expect(await showings.offer('b', showing('b'), allowed)).toBe('unattended')
	expect([opened, textsOf(showings)]).toEqual([1, ['a']])
	showings.forget('a')
})
