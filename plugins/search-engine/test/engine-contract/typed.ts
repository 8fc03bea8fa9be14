import { isJsonObject, stringifyJson } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { call, decode } from '../fixture.ts'
import type { Subject } from './subject.ts'

/** Contract of typed text: it reaches the engine unchanged. */
export function describeTyped(on: Subject, { isReal }: { readonly isReal: boolean }) {
	/** Runs all requests of a console text. */
	async function runAll(text: string) {
		const { console } = on.connection
		const results = []
		for (const verdict of console.analyse(text)) {
			if (verdict.fault) throw new Error(verdict.fault.message)
			const statement = { ...verdict, text: text.slice(verdict.start, verdict.end) }
			results.push(decode(await console.run(statement, { maxRows: 10 }, call())))
		}
		return results
	}

	async function sourceOf(index: string, id: string): Promise<string> {
		const { body } = await on.request('GET', `/${index}/_doc/${id}?routing=a%2Bb`)
		return isJsonObject(body) ? stringifyJson(body._source ?? null) : ''
	}

	test('sends numbers, comments and the plus of a parameter unchanged', async () => {
		const index = `${on.table}-typed`
		const results = await runAll(`# prepare
PUT /${index} // "
{ "mappings": { "enabled": false } }
/*
DELETE /${on.table}
*/
PUT /${index}/_doc/1?routing=a+b&refresh=true
{ "price": 1.10, /* not 1.1 */ "big": 12345678901234567890, "text": """DELETE /${on.table}
// no comment""" }
POST /${index}/_bulk?refresh=true
{"index": {"_id": "2", "routing": "a+b"}}
{
  "price": 2.50,
  "exponent": 1e2
}`)
		expect(results.map(({ status }) => status.slice(0, 3))).toEqual(['200', '201', '200'])
		expect(await sourceOf(index, '1')).toBe(
			`{"price":1.10,"big":12345678901234567890,"text":"DELETE /${on.table}\\n// no comment"}`,
		)
		expect(await sourceOf(index, '2')).toBe('{"price":2.50,"exponent":1e2}')
		const { status } = await on.request('GET', `/${on.table}/_count`)
		expect(status).toBe(200)
		await on.request('DELETE', `/${index}`)
	})

	if (!isReal) return

	test('accepts a name with date math, and shows warnings of the engine', async () => {
		const [made, found] = await runAll(`PUT /<${on.table}-{now/d}>/_doc/1?refresh=true
{"a": 1}
GET /<${on.table}-{now/d{yyyy.MM.dd}}>/_search`)
		expect(made?.status).toBe('201 Created')
		expect(found?.body).toMatchObject({ view: 'rows', total: { value: 1 } })
		const pattern = `{"index_patterns": ["${on.table}-warned-*"]`
		const warned = await runAll(`PUT /_template/${on.table}
${pattern}}
PUT /_index_template/${on.table}
${pattern}, "priority": 500}`)
		expect(warned.at(-1)?.notices).toEqual([expect.stringContaining(`index template [${on.table}]`)])
		await on.request('DELETE', `/_template/${on.table}`)
		await on.request('DELETE', `/_index_template/${on.table}`)
		const date = new Date().toISOString().slice(0, 10).replaceAll('-', '.')
		await on.request('DELETE', `/${on.table}-${date}`)
	})
}
