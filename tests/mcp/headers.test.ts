import type { JsonObject } from '@roundhouse/kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../contract/proves.ts'
import { type EndpointFixture, startEndpoint } from './endpoint.ts'

let fixture: EndpointFixture
beforeAll(async () => {
	fixture = await startEndpoint()
})
afterAll(() => fixture[Symbol.asyncDispose]())

type Headers = Record<string, string | undefined>

async function statusOf(headers: Headers, method = 'server/discover', params: JsonObject = {}) {
	const answer = await fixture.call(method, params, { headers })
	return [answer.status, answer.json.error?.code]
}
const fine = [200, undefined]
const mismatch = [400, -32020]

describe('Content-Type', () => {
	test.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON', 'application/mcp+json'])(
		proves('A.headers.content-type', '%s is accepted'),
		async type => expect(await statusOf({ 'Content-Type': type })).toEqual(fine),
	)
	test.each(['text/plain', 'application/jsonp', 'application/x-www-form-urlencoded', 'text/json', '', undefined])(
		proves('A.headers.content-type', '%s is refused'),
		async type => expect(await statusOf({ 'Content-Type': type })).toEqual(mismatch),
	)
})

test.each([undefined, '2025-11-25', '2026-07-28 ', '2026-07-29', ''])(
	proves('A.headers.version', 'the version header %j is compared without surrounding spaces'),
	async version => {
		const expected = version === '2026-07-28 ' ? fine : mismatch
		expect(await statusOf({ 'MCP-Protocol-Version': version })).toEqual(expected)
	},
)

test.each([undefined, 'Server/Discover', 'tools/list', ''])(
	proves('A.headers.method', 'the method header %j is refused'),
	async method => expect(await statusOf({ 'Mcp-Method': method })).toEqual(mismatch),
)

describe('Mcp-Name', () => {
	test.each([
		['tools/call', { name: 'list_connections' }],
		['prompts/get', { name: 'explain_table' }],
		['resources/read', { uri: 'roundhouse://connections' }],
	])(proves('A.headers.name', 'must equal the name of %s'), async (method, params) => {
		expect(await statusOf({ 'Mcp-Name': undefined }, method, params)).toEqual(mismatch)
		expect(await statusOf({ 'Mcp-Name': 'other' }, method, params)).toEqual(mismatch)
		expect((await statusOf({}, method, params))[1]).not.toBe(-32020)
	})

	test(proves('A.headers.name', 'is ignored on other methods'), async () => {
		expect(await statusOf({ 'Mcp-Name': 'whatever' })).toEqual(fine)
	})
})

describe('Mcp-Param', () => {
	const call = (headers: Headers, args: JsonObject) =>
		statusOf(headers, 'tools/call', { name: 'ledger_echo', arguments: args })

	test(proves('A.headers.param', 'is found by its name regardless of case, at any depth'), async () => {
		expect(await call({ 'Mcp-Param-TEXT': 'a' }, { text: 'a' })).toEqual(fine)
		expect(await call({ 'Mcp-Param-Deep': 'a' }, { nested: { more: { deep: 'a' } } })).toEqual(fine)
		expect(await call({ 'Mcp-Param-Text': 'b' }, { text: 'a' })).toEqual(mismatch)
		expect(await call({ 'Mcp-Param-Absent': 'a' }, { text: 'a' })).toEqual(mismatch)
	})

	test(proves('A.headers.param', 'is looked up in params on other methods'), async () => {
		expect(await statusOf({ 'Mcp-Param-Cursor': 'x' }, 'tools/list', { cursor: 'x' })).toEqual([400, -32602])
		expect(await statusOf({ 'Mcp-Param-Cursor': 'y' }, 'tools/list', { cursor: 'x' })).toEqual(mismatch)
	})

	test.each([
		['1', 1, true],
		['1.0', 1, true],
		['1e0', 1, true],
		['01', 1, false],
		['0x1', 1, false],
		[' ', 0, false],
		['', 0, false],
		['true', true, true],
		['True', true, false],
		['1', true, false],
		['false', false, true],
		['a', 'a', true],
		['1', '1', true],
		['null', null, false],
		['1', [1], false],
		['{}', {}, false],
	])(proves('A.headers.param-types', '%j for %j: %j'), async (sent, value, agrees) => {
		expect(await call({ 'Mcp-Param-Value': sent }, { nested: { value } })).toEqual(agrees ? fine : mismatch)
	})

	test('long integers compare by their digits', async () => {
		const body = (digits: string) =>
			fixture.modernRequest(
				'tools/call',
				{ name: 'ledger_echo', arguments: { nested: { big: 0 } } },
				{ headers: { 'Mcp-Param-Big': digits } },
			)
		const sent = body('9223372036854775807')
		const exact = { ...sent, body: String(sent.body).replace('"big":0', '"big":9223372036854775807') }
		const off = { ...sent, body: String(sent.body).replace('"big":0', '"big":9223372036854775806') }
		expect((await fixture.send(exact)).status).toBe(200)
		expect((await fixture.send(off)).json.error.code).toBe(-32020)
	})

	test('an argument that its tool requires in a header must be present', async () => {
		const params = { name: 'ledger_echo', arguments: { region: 'north' } }
		expect(await statusOf({}, 'tools/call', params)).toEqual(mismatch)
		expect(await statusOf({ 'Mcp-Param-Region': 'north' }, 'tools/call', params)).toEqual(fine)
		expect(await statusOf({ 'Mcp-Param-Region': 'south' }, 'tools/call', params)).toEqual(mismatch)
	})

	test('`__proto__` is an ordinary name', async () => {
		expect(await call({ 'Mcp-Param-__proto__': 'x' }, {})).toEqual(mismatch)
	})
})

describe('base64 wrapper', () => {
	const call = (text: string, header: string) =>
		statusOf({ 'Mcp-Param-Text': header }, 'tools/call', { name: 'ledger_echo', arguments: { text } })
	const wrap = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`

	test.each(['Zürich', ' edge ', '日本', '', 'plain'])(proves('A.headers.base64', 'accepts %j'), async text => {
		expect(await call(text, wrap(text))).toEqual(fine)
	})

	test.each(['=?base64?YQ?=', '=?base64?Y!Q=?=', '=?base64?/w==?=', 'Z\u00fcrich'])(
		proves('A.headers.base64', 'refuses %j'),
		async header => expect(await call('a', header)).toEqual(mismatch),
	)

	test.each(['=?base64?YQ==', 'YQ==?=', '=?BASE64?YQ==?='])('%j is not decoded', async header => {
		expect(await call(header, header)).toEqual(fine)
		expect(await call('a', header)).toEqual(mismatch)
	})
})

test('a header that occurs twice matches no body', async () => {
	const { raw } = await import('./wire.ts')
	const { headers, body } = fixture.modernRequest('server/discover')
	const lines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`)
	const text = await raw(
		fixture.port,
		`POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${lines.join('')}Mcp-Method: tools/call\r\nContent-Length: ${String(body).length}\r\n\r\n${body}`,
	)
	expect(text).toContain('-32020')
})
