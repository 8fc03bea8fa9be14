import type { JsonObject } from '@roundhouse/kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EndpointFixture, startEndpoint } from './endpoint.ts'

/** A request with two faults gets the answer to the first one (docs/mcp.md, "Order of checks"). */

let fixture: EndpointFixture
let powerless: string
beforeAll(async () => {
	fixture = await startEndpoint({ drivers: [] })
	powerless = (await fixture.tokens.create({ name: 'nothing', level: 'custom' })).token
})
afterAll(() => fixture[Symbol.asyncDispose]())

interface Fault {
	readonly name: string
	readonly answer: string | number
	readonly headers?: Record<string, string>
	readonly path?: string
	readonly verb?: string
	readonly token?: () => string | null
	readonly isDisabled?: boolean
	readonly body?: (body: string) => string
	readonly meta?: JsonObject
}

const padding = ' '.repeat(10 * 1024 * 1024)

/** In the order of the checks. */
const faults: readonly Fault[] = [
	{ name: 'Host', answer: 'forbidden_host', headers: { Host: 'evil.example' } },
	{ name: 'Origin', answer: 'forbidden_origin', headers: { Origin: 'https://evil.example' } },
	{ name: 'path', answer: 'not_found', path: '/other' },
	{ name: 'HTTP method', answer: 'method_not_allowed', verb: 'PUT' },
	{ name: 'disabled', answer: -33006, isDisabled: true },
	{ name: 'authentication', answer: -33009, token: () => null },
	{ name: 'size', answer: -33005, body: body => body + padding },
	{ name: 'Content-Type', answer: -32020, headers: { 'Content-Type': 'text/plain' } },
	{ name: 'JSON', answer: -32700, body: body => `${body}}` },
	{ name: 'envelope', answer: -32600, body: body => body.replace('"2.0"', '"1.0"') },
	{ name: '_meta', answer: -32602, meta: { 'io.modelcontextprotocol/clientCapabilities': null } },
	{ name: 'version header', answer: -32020, headers: { 'MCP-Protocol-Version': '2026-07-29' } },
	{ name: 'Mcp-Method', answer: -32020, headers: { 'Mcp-Method': 'ping' } },
	{ name: 'scope', answer: -33007, token: () => powerless },
	{ name: 'params', answer: -32602, body: body => body.replace('"params":{', '"params":{"cursor":"x",') },
]

async function answerTo(chosen: readonly Fault[]): Promise<string | number> {
	const first = <K extends keyof Fault>(key: K) => chosen.find(fault => fault[key] !== undefined)?.[key]
	const token = first('token')
	const sent = fixture.modernRequest(
		'prompts/list',
		{},
		{
			headers: Object.assign({}, ...chosen.map(({ headers }) => headers)),
			meta: Object.assign({}, ...chosen.map(({ meta }) => meta)),
			...(token && { token: token() }),
		},
	)
	const body = chosen.reduceRight((text, fault) => fault.body?.(text) ?? text, String(sent.body))
	fixture.endpoint.configure({ enabled: !first('isDisabled') })
	const { json } = await fixture.send({ ...sent, body, path: first('path') ?? '/mcp', method: first('verb') ?? 'POST' })
	return typeof json.error === 'string' ? json.error : json.error.code
}

test.each(faults)('only $name', async fault => {
	expect(await answerTo([fault])).toBe(fault.answer)
})

const pairs = faults.flatMap((before, index) => faults.slice(index + 1).map(after => ({ before, after })))

test.each(pairs)('$before.name before $after.name', async ({ before, after }) => {
	expect(await answerTo([before, after])).toBe(before.answer)
})

test('an unknown method is checked before the scope, the scope before the rate, the rate before the handler', async () => {
	fixture.endpoint.configure({ enabled: true })
	expect((await fixture.call('no/such', {}, { token: powerless })).json.error.code).toBe(-32601)
	const { token } = await fixture.tokens.create({ name: 'eager', level: 'custom', scopes: ['tools:read'] })
	fixture.endpoint.configure({ ratePerMinute: 1 })
	await fixture.call('tools/list', {}, { token })
	expect((await fixture.call('prompts/list', {}, { token })).json.error.code).toBe(-33007)
	expect((await fixture.call('tools/list', { cursor: 'x' }, { token })).json.error.code).toBe(-33010)
	fixture.endpoint.configure({ ratePerMinute: 0 })
})
