import { isJsonObject, stringifyJson } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { call, decode } from '../fixture.ts'
import type { EngineUnderTest } from './subject.ts'

/** Contract of typed text: it reaches the engine unchanged. */
export function describeTyped(engine: EngineUnderTest, { isReal }: { readonly isReal: boolean }) {
	/** Runs all requests of a console text. */
	async function runAll(text: string) {
		const { console } = engine.connection
		const results = []
		for (const verdict of console.analyse(text)) {
			if (verdict.fault) throw new Error(verdict.fault.message)
			const statement = { ...verdict, text: text.slice(verdict.start, verdict.end) }
			results.push(decode(await console.run(statement, { maxRows: 10 }, call())))
		}
		return results
	}

	async function sourceOf(index: string, id: string): Promise<string> {
		const { body } = await engine.request('GET', `/${index}/_doc/${id}?routing=a%2Bb`)
		return isJsonObject(body) ? stringifyJson(body._source ?? null) : ''
	}

	test('sends numbers, comments and the plus of a parameter unchanged', async () => {
		const index = `${engine.table}-typed`
		const results = await runAll(`# prepare
PUT /${index} // "
{ "mappings": { "enabled": false } }
/*
DELETE /${engine.table}
*/
PUT /${index}/_doc/1?routing=a+b&refresh=true
{ "price": 1.10, /* not 1.1 */ "big": 12345678901234567890, "text": """DELETE /${engine.table}
// no comment""" }
POST /${index}/_bulk?refresh=true
{"index": {"_id": "2", "routing": "a+b"}}
{
  "price": 2.50,
  "exponent": 1e2
}`)
		expect(results.map(({ status }) => status.slice(0, 3))).toEqual(['200', '201', '200'])
		expect(await sourceOf(index, '1')).toBe(
			`{"price":1.10,"big":12345678901234567890,"text":"DELETE /${engine.table}\\n// no comment"}`,
		)
		expect(await sourceOf(index, '2')).toBe('{"price":2.50,"exponent":1e2}')
		const { status } = await engine.request('GET', `/${engine.table}/_count`)
		expect(status).toBe(200)
		await engine.request('DELETE', `/${index}`)
	})

	if (!isReal) return

	test('accepts a name with date math, and shows warnings of the engine', async () => {
		const [made, found] = await runAll(`PUT /<${engine.table}-{now/d}>/_doc/1?refresh=true
{"a": 1}
GET /<${engine.table}-{now/d{yyyy.MM.dd}}>/_search`)
		expect(made?.status).toBe('201 Created')
		expect(found?.body).toMatchObject({ view: 'rows', total: { value: 1 } })
		const pattern = `{"index_patterns": ["${engine.table}-warned-*"]`
		const warned = await runAll(`PUT /_template/${engine.table}
${pattern}}
PUT /_index_template/${engine.table}
${pattern}, "priority": 500}`)
		expect(warned.at(-1)?.notices).toEqual([expect.stringContaining(`index template [${engine.table}]`)])
		await engine.request('DELETE', `/_template/${engine.table}`)
		await engine.request('DELETE', `/_index_template/${engine.table}`)
		const date = new Date().toISOString().slice(0, 10).replaceAll('-', '.')
		await engine.request('DELETE', `/${engine.table}-${date}`)
	})
}
