import { expect, test } from 'vitest'
import { call, decode, statement } from '../test/fixture.ts'
import { scriptedEngine } from '../test/scripted-engine.ts'

const agent = '299 Elasticsearch-7.17.29-580aff1a0064ce4c93293aaab6fcc55e22c10d1c'

test.each([
	['one', `${agent} "[types removal] is deprecated"`, ['[types removal] is deprecated']],
	['with line breaks', `${agent} "old%0A%0AYou may now delete."`, ['old You may now delete.']],
	['with a date', `${agent} "old" "Mon, 27 Jul 2026 08:12:31 GMT"`, ['old']],
	['quoted', `${agent} "say \\"yes\\" to C:\\\\x, please"`, ['say "yes" to C:\\x, please']],
	['with letters that no header holds', `${agent} "index [b%C3%BCcher], 100% sure"`, ['index [bücher], 100% sure']],
	['several in one header', `${agent} "one, two", ${agent} "three",${agent} "one, two"`, ['one, two', 'three']],
	['in several headers', [`${agent} "one"`, `${agent} "two"`, `${agent} "one"`], ['one', 'two']],
	['of others', '199 proxy:8080 "stale"', ['stale']],
	['of no meaning', 'be careful', []],
	['left open', `${agent} "no end`, []],
])('shows warnings %s as notices, each once, quoted and attributed', async (_, warning, texts) => {
	const notices = texts.map(text => `The server warns: “${text}”`)
	await using engine = await scriptedEngine({ headers: { warning }, body: { ok: true } })
	const { connection } = engine
	const result = await connection.console.run(statement(connection, 'GET /_x'), { maxRows: 1 }, call())
	expect(decode(result).notices).toEqual(notices)
})
