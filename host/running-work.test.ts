import { expect, test } from 'vitest'
import { timeToHappen } from '../tests/support/absence.ts'
import { RunningWork } from './running-work.ts'

test('a host that was asked to stop ends after its running work', async () => {
	let running = 2
	let hasEnded = false
	const work = new RunningWork(() => running)
	void work.ended.then(() => {
		hasEnded = true
	})
	expect(work.endWhenIdle()).toBe(false)
	running = 1
	await timeToHappen(300)
	expect(hasEnded).toBe(false)
	running = 0
	await work.ended
})

test('an idle host ends at once', async () => {
	let running = 1
	const work = new RunningWork(() => running)
	expect(work.endWhenIdle()).toBe(true)
	running = 0
	await work.ended
})
