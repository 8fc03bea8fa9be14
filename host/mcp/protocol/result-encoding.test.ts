import { expect, test } from 'vitest'
import { proves } from '../../../tests/contract/proves.ts'
import { complete } from './outcome.ts'
import { ResultEncoding } from './result-encoding.ts'

const encoding = new ResultEncoding({ name: 's', version: '1' })
const request = { id: 1, connectionId: undefined }
const hint = { ttlMs: 1000, cacheScope: 'public' } as const
const resultOf = (method: string, outcome = complete({}, hint)) =>
	JSON.parse(String(encoding.response({ ...request, method, era: 'modern' }, outcome))).result

test(proves('A.result.hint-stripped', 'only the six methods return a cache hint, from any source'), () => {
	for (const method of ['tools/call', 'prompts/get', 'completion/complete', 'subscriptions/listen']) {
		expect(resultOf(method)).not.toHaveProperty('ttlMs')
		expect(resultOf(method)).not.toHaveProperty('cacheScope')
	}
	expect(resultOf('tools/list')).toMatchObject(hint)
	expect(resultOf('tools/list', complete({ ttlMs: 5, cacheScope: 'public' }))).not.toHaveProperty('ttlMs')
})

test('a shared result is encoded once for each era', () => {
	let reads = 0
	const result = {
		get value() {
			reads++
			return 1
		},
	}
	const outcome = { ...complete(result), result, isShared: true }
	const textOf = (id: number) =>
		String(encoding.response({ ...request, id, method: 'tools/list', era: 'legacy' }, outcome))
	expect(textOf(1)).toBe('{"jsonrpc":"2.0","id":1,"result":{"value":1}}')
	// Another test of this worker may have registered a secret that makes the first encoding read the result twice.
	const readsOfFirst = reads
	expect(textOf(2)).toBe('{"jsonrpc":"2.0","id":2,"result":{"value":1}}')
	expect(reads).toBe(readsOfFirst)
})
