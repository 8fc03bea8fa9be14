import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { layout } from '../../base/layout.ts'
import { type EndpointFixture, startEndpoint } from './endpoint.ts'

/** MCP Apps on the wire: for the clients that declare the extension. */

let fixture: EndpointFixture
beforeAll(async () => {
	fixture = await startEndpoint()
	await fixture.addConnection()
})
afterAll(() => fixture[Symbol.asyncDispose]())

const mimeType = 'text/html;profile=mcp-app'
const declared = (...mimeTypes: string[]) => ({ extensions: { 'io.modelcontextprotocol/ui': { mimeTypes } } })
const withApps = declared('text/plain', mimeType)

interface Listed {
	readonly name: string
	readonly _meta?: { readonly ui?: { readonly resourceUri?: string } }
}
const modernList = async (capabilities: object) =>
	(await fixture.call('tools/list', {}, { capabilities: { ...capabilities } })).json.result.tools as Listed[]
async function legacyList(protocolVersion: string, capabilities: object): Promise<Listed[]> {
	const params = { protocolVersion, capabilities: { ...capabilities } }
	const opened = await fixture.send(fixture.legacyRequest('initialize', params))
	const headers = {
		'Mcp-Session-Id': opened.headers['mcp-session-id'] as string,
		'MCP-Protocol-Version': protocolVersion,
	}
	return (await fixture.send(fixture.legacyRequest('tools/list', {}, { headers }))).json.result.tools
}
const uris = (tools: readonly Listed[]) =>
	Object.fromEntries(tools.flatMap(({ name, _meta }) => (_meta ? [[name, _meta.ui?.resourceUri]] : [])))

const lists = [
	['2026-07-28', modernList],
	['2025-11-25', (capabilities: object) => legacyList('2025-11-25', capabilities)],
	['2025-06-18', (capabilities: object) => legacyList('2025-06-18', capabilities)],
] as const

describe.each(lists)('in revision %s', (_, list) => {
	test('six tools have an app for a client that declares it, and for no other, in any order', async () => {
		const plain = await list({})
		const rich = await list(withApps)
		expect(uris(rich)).toEqual({
			browse_table: expect.stringMatching(/^ui:\/\/roundhouse\/rows-[0-9a-f]{12}\.html$/),
			query: uris(rich).browse_table,
			aggregate: expect.stringMatching(/^ui:\/\/roundhouse\/chart-/),
			insert_rows: expect.stringMatching(/^ui:\/\/roundhouse\/insert-/),
			update_rows: expect.stringMatching(/^ui:\/\/roundhouse\/update-/),
			delete_rows: expect.stringMatching(/^ui:\/\/roundhouse\/delete-/),
		})
		expect(rich.map(({ _meta, ...tool }) => tool)).toEqual(plain)
		const others = [
			declared('text/html'),
			declared(`${mimeType};x`),
			declared(),
			{ extensions: {} },
			{ extensions: [] },
			{ extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: mimeType } } },
			{ extensions: { 'io.modelcontextprotocol/ui': null } },
			{ ui: { mimeTypes: [mimeType] } },
		]
		for (const capabilities of others) expect(await list(capabilities)).toEqual(plain)
		expect(await list(withApps)).toEqual(rich)
	})
})

describe('a page', () => {
	const read = (uri: string, capabilities: object) =>
		fixture.call('resources/read', { uri }, { capabilities: { ...capabilities } })

	test('is read by any hash, with a policy that allows no address', async () => {
		const { aggregate } = uris(await modernList(withApps))
		for (const uri of [aggregate ?? '', 'ui://roundhouse/chart-0123456789ab.html']) {
			const { contents } = (await read(uri, withApps)).json.result
			expect(contents).toEqual([
				{
					uri,
					mimeType,
					text: expect.stringMatching(/^<!doctype html>/),
					_meta: { ui: { csp: {}, prefersBorder: false } },
				},
			])
		}
	})

	test.each([
		'ui://roundhouse/rows-.html',
		'ui://roundhouse/../secrets-0a.html',
		'ui://roundhouse/rows-0a.html?x',
		'ui://other/rows-0a.html',
	])('%s is no page', async uri => {
		expect((await read(uri, withApps)).json.error.code).toBe(-32602)
	})

	test('is not read by a client that does not show apps, and is in no list', async () => {
		const { query } = uris(await modernList(withApps))
		expect((await read(query ?? '', {})).json.error.code).toBe(-32602)
		const { resources } = (await fixture.call('resources/list', {}, { capabilities: withApps })).json.result
		expect(JSON.stringify(resources)).not.toContain('ui://')
	})

	test('has at most 31 kB, and names no other address', async () => {
		const files = await readdir(layout.apps)
		expect(files.sort()).toEqual(['chart.html', 'delete.html', 'insert.html', 'rows.html', 'update.html'])
		for (const file of files) {
			const html = await readFile(join(layout.apps, file), 'utf8')
			expect([file, Buffer.byteLength(html) <= 31_000]).toEqual([file, true])
			const named = [...html.matchAll(/\b(?:https?|wss?):\/\/[^"'`\s)]+/g)].map(([address]) => address)
			expect(named.filter(address => !address.startsWith('http://www.w3.org/'))).toEqual([])
			expect(html.match(/<\/script/g)).toHaveLength(1)
			expect(html).toContain(`<meta http-equiv="Content-Security-Policy" content="default-src 'none';`)
		}
	})
})

test('the result of a call has the same bytes with and without apps', async () => {
	const call = async (capabilities: object) => {
		const { result } = (
			await fixture.callTool('browse_table', { table: 'accounts' }, { capabilities: { ...capabilities } })
		).json
		return JSON.stringify([result.content, result.structuredContent, result._meta])
	}
	expect(await call(withApps)).toBe(await call({}))
})
