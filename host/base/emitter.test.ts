import { expect, test } from 'vitest'
import { Emitter } from './emitter.ts'

test('listeners hear in the order they came, each until it is disposed', () => {
	const emitter = new Emitter<string>()
	const heard: string[] = []
	const first = emitter.on(value => heard.push(`first ${value}`))
	emitter.on(value => heard.push(`second ${value}`))
	emitter.fire('a')
	first[Symbol.dispose]()
	emitter.fire('b')
	expect(heard).toEqual(['first a', 'second a', 'second b'])
})

test('who stops listening while others are told misses nothing else, and who begins then hears the next', () => {
	const emitter = new Emitter()
	const heard: string[] = []
	const once = emitter.on(() => {
		heard.push('once')
		once[Symbol.dispose]()
		emitter.on(() => heard.push('late'))
	})
	emitter.on(() => heard.push('other'))
	emitter.fire()
	emitter.fire()
	expect(heard).toEqual(['once', 'other', 'other', 'late'])
})
