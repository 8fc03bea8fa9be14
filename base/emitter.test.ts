import { expect, test } from 'vitest'
import { Emitter } from './emitter.ts'

test('calls listeners in the order of subscription, each until it is disposed', () => {
	const emitter = new Emitter<string>()
	const calls: string[] = []
	const first = emitter.on(value => calls.push(`first ${value}`))
	emitter.on(value => calls.push(`second ${value}`))
	emitter.fire('a')
	first[Symbol.dispose]()
	emitter.fire('b')
	expect(calls).toEqual(['first a', 'second a', 'second b'])
})

test('a listener disposed during an event affects no other, and one added then receives the next event', () => {
	const emitter = new Emitter()
	const calls: string[] = []
	const once = emitter.on(() => {
		calls.push('once')
		once[Symbol.dispose]()
		emitter.on(() => calls.push('late'))
	})
	emitter.on(() => calls.push('other'))
	emitter.fire()
	emitter.fire()
	expect(calls).toEqual(['once', 'other', 'other', 'late'])
})
