import { expect, test } from 'vitest'
import { timeToHappen } from '../../tests/support/absence.ts'
import type { Question } from '../mcp/index.ts'
import { WindowDesk } from './consent-desk.ts'

const question: Question = {
	kind: 'access',
	asker: { client: 'Assistant', token: 'mine' },
	connection: { id: 'c', name: 'Sample', driverId: 'search-engine' },
}
const never = new AbortController().signal

test('without a window and without a way to open one, the desk reports that no user was asked', async () => {
	const desk = new WindowDesk(async () => false)
	expect(await desk.ask(question, never)).toEqual({ decision: 'unattended' })
	expect(desk.pending()).toEqual([])
})

test('the desk opens a window if none is open, and the question waits for it', async () => {
	let opened = 0
	const desk = new WindowDesk(async () => ++opened > 0)
	const answer = desk.ask(question, never)
	await expect.poll(() => desk.pending()).toHaveLength(1)
	desk.attach()
	desk.answer(desk.pending()[0]?.id ?? '', { decision: 'approved' })
	expect(await answer).toEqual({ decision: 'approved' })
	expect(opened).toBe(1)
})

test('only the first answer counts', async () => {
	const desk = new WindowDesk(async () => false)
	desk.attach()
	const answer = desk.ask(question, never)
	await expect.poll(() => desk.pending()).toHaveLength(1)
	const id = desk.pending()[0]?.id ?? ''
	desk.answer(id, { decision: 'refused' })
	desk.answer(id, { decision: 'approved' })
	expect(await answer).toEqual({ decision: 'refused' })
})

test('a question whose caller aborts is removed from the desk, and does not count as consent', async () => {
	const desk = new WindowDesk(async () => false)
	desk.attach()
	const abort = new AbortController()
	const answer = desk.ask(question, abort.signal)
	await expect.poll(() => desk.pending()).toHaveLength(1)
	abort.abort()
	expect(await answer).toEqual({ decision: 'refused' })
	expect(desk.pending()).toEqual([])
})

test('a question stays on the desk while no window answers', async () => {
	const desk = new WindowDesk(async () => false)
	const detach = desk.attach()
	const answer = desk.ask(question, never)
	await expect.poll(() => desk.pending()).toHaveLength(1)
	detach()
	expect(await Promise.race([answer, timeToHappen(50).then(() => 'waiting')])).toBe('waiting')
})
