import type { JsonObject } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { startEndpoint } from './endpoint.ts'

/** `explain_query` returns how the engine runs a statement, as structure and as text. */

async function start() {
	const fixture = await startEndpoint()
	await fixture.addConnection({ externalAccess: 'read-only' })
	const explain = async (args: JsonObject) => {
		const { result } = (await fixture.callTool('explain_query', args)).json
		return { answer: result.structuredContent, text: String(result.content[0].text) }
	}
	return { fixture, explain, [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose]() }
}

test('a statement is explained as steps with their share of the time, with a note that it was run', async () => {
	await using scenario = await start()
	const { answer, text } = await scenario.explain({ query: 'read accounts' })
	expect(answer).toEqual({
		was_run: true,
		took_ms: 12,
		steps: [
			{ name: 'Read', detail: 'read accounts', depth: 0, share: 1 },
			{ name: 'Seek', depth: 1, share: 0.333 },
		],
		notices: ['Read at [address].'],
	})
	expect(text).toBe('The statement was run, 12 ms. Read at [address].\n100 % Read: read accounts\n  33 % Seek')
})

test('browsed rows are explained, and a plan has a note that it was not run', async () => {
	await using scenario = await start()
	const { answer, text } = await scenario.explain({ browse: { table: 'accounts' } })
	expect(answer).toEqual({ was_run: false, steps: [{ name: 'Scan', depth: 0 }] })
	expect(text).toBe('The plan only; the statement was not run.\nScan')
})

test('a client of the legacy era, which may only read texts, gets the whole explanation as text', async () => {
	await using scenario = await start()
	const session = await scenario.fixture.initialize()
	const params = { name: 'explain_query', arguments: { query: 'read accounts' } }
	const sent = scenario.fixture.legacyRequest('tools/call', params, { headers: { 'Mcp-Session-Id': session } })
	const { result } = (await scenario.fixture.send(sent)).json
	expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent)
})

test('an endless explanation is cut with a notice, and each step has one line', async () => {
	await using scenario = await start()
	const { answer, text } = await scenario.explain({ query: 'many 1000' })
	expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(40_000)
	expect(text.length).toBeLessThan(40_000)
	expect(answer.steps[0].detail).toMatch(/^x+…$/)
	expect(answer.notices.at(-1)).toBe(`${1000 - answer.steps.length} steps are not shown.`)
	expect(text).not.toMatch(/^100 % Nothing/m)
})

test.each([
	[{}, /^invalid_argument: Give either/],
	[{ query: 'put dora' }, /^denied: This statement writes/],
	[{ query: 'drop all' }, /^denied: This statement writes/],
	[{ query: 'read a\nread b' }, /^invalid_argument: query: send one/],
] as const)('%j is refused', async (args, reason) => {
	await using scenario = await start()
	expect((await scenario.explain(args as JsonObject)).text).toMatch(reason)
})

test('a slow explanation is cancelled in the driver', async () => {
	await using scenario = await start()
	const pending = scenario.fixture.clock.pending
	const answer = scenario.explain({ query: 'slow' })
	await expect.poll(() => scenario.fixture.clock.pending).toBe(pending + 2)
	scenario.fixture.clock.advance(30_000)
	expect((await answer).text).toMatch(/^timeout: /)
	const { result } = (await scenario.fixture.callTool('ledger_wait', { finish: true })).json
	await expect.poll(() => JSON.parse(result.content[0].text).waiting).toBe(0)
})
