import { beforeAll, expect, test } from 'vitest'
import { openSample } from '../test/fixture.ts'
import { tableActions } from './table-actions.ts'

let opened: Awaited<ReturnType<typeof openSample>>
beforeAll(async () => {
	opened = await openSample()
	return () => opened[Symbol.asyncDispose]()
})

const accessOf = (text: string) => opened.connection.console.analyse(text).map(({ access, fault }) => fault ?? access)

test('every action is a request that the console accepts, and only Delete and Close need a review', () => {
	const names = ['books', 'logs 100%', 'größe']
	const actions = [
		...tableActions([], { isServerless: false }),
		...tableActions(names, { closed: new Set(['größe']), isServerless: false }),
		...tableActions(['a'], { isServerless: false }),
	]
	for (const { label, text, isDraft, form } of actions) {
		if (form) continue
		const expected = isDraft ? expect.anything() : /^(Delete|Close)/.test(label) ? 'destructive' : 'write'
		for (const access of accessOf(text)) expect(access, `${label}: ${text}`).toEqual(expected)
		if (isDraft) expect(accessOf(text)[0], label).toBeTypeOf('string')
	}
})

test('a thousand indices are several requests, each within the limit of the engine for a path', () => {
	const names = Array.from({ length: 1_000 }, (_, at) => `logs-${at}-äöü`)
	const action = tableActions(names, { isServerless: false }).find(({ label }) => label === 'Delete 1000 indices')
	const requests = action?.text.split('\n\n') ?? []
	expect(requests.length).toBeGreaterThan(5)
	for (const request of requests) expect(request.length).toBeLessThan(4_000)
	expect(requests.flatMap(request => decodeURIComponent(request.slice('DELETE /'.length)).split(','))).toEqual(names)
})
