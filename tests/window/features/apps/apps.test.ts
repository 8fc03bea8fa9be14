import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Roundhouse } from '../../../support/roundhouse.ts'
import { type AppClient, AppHost, appMimeType } from './app-host.ts'

/** Apps in the sandboxed frame of an AI client, with its real tools. What they show is tested in ui/apps. */

let roundhouse: Roundhouse
let url: string
let token: string
beforeAll(async () => {
	roundhouse = await Roundhouse.make()
	await roundhouse.addSample('--ai-policy', 'allow', '--external-access', 'read-write')
	url = (await roundhouse.serve()).mcp.url
	token = await roundhouse.addToken('full', ['core', 'write'])
})
afterAll(() => roundhouse?.[Symbol.asyncDispose]())

const extensions = { 'io.modelcontextprotocol/ui': { mimeTypes: [appMimeType] } }

/** A client that shows apps and, with `consents`, asks its user, who agrees. */
async function connect({ way = 'http', consents = false }: { way?: 'http' | 'bridge'; consents?: boolean } = {}) {
	const capabilities = { extensions, ...(consents && { elicitation: {} }) }
	const client = new Client({ name: 'chat', version: '1' }, { versionNegotiation: { mode: 'auto' }, capabilities })
	if (consents) {
		client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { approved: true } }))
	}
	const headers = { Authorization: `Bearer ${token}` }
	const environment = Object.entries(roundhouse.environment).filter(([, value]) => value !== undefined)
	await client.connect(
		way === 'http'
			? new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
			: new StdioClientTransport({
					...roundhouse.command('mcp'),
					env: Object.fromEntries(environment) as Record<string, string>,
				}),
	)
	return client as unknown as AppClient
}

let host: AppHost
afterEach(async () => {
	expect(host.faults).toEqual([])
	await host[Symbol.asyncDispose]()
})

const books = { name: 'browse_table', arguments: { table: 'books', max_rows: 25 } }

describe.each(['http', 'bridge'] as const)('the app of rows over %s', way => {
	test('shows rows with every digit, more of them, and another order', async () => {
		host = await AppHost.open(await connect({ way }))
		const app = await host.show(books)
		await app.getByText('Reading rows …').waitFor()
		await host.run(books)
		await app.getByRole('heading', { name: 'books' }).waitFor()
		await app.getByRole('status').getByText('20 of 3,003 rows').waitFor()
		expect(await app.getByRole('row').count()).toBe(21)

		await app.getByRole('button', { name: 'More' }).click()
		await app.getByRole('status').getByText('40 of 3,003 rows').waitFor()
		expect(host.calls).toEqual([
			{ name: 'browse_table', arguments: { table: 'books', max_rows: 100, cursor: expect.any(String) } },
		])

		await app.getByRole('button', { name: 'isbn' }).click()
		await app.getByRole('columnheader', { name: 'isbn' }).and(app.locator('[aria-sort=ascending]')).waitFor()
		const place = await app.getByRole('columnheader').allInnerTexts()
		const digits = await app
			.getByRole('row')
			.nth(1)
			.getByRole('cell')
			.nth(place.findIndex(name => name.startsWith('isbn')))
			.innerText()
		const args = { ...books.arguments, sort: [{ column: 'isbn' }], columns: ['isbn'], max_rows: 1 }
		const client = await connect()
		const answer = (await client.callTool({ ...books, arguments: args })) as { content: [{ text: string }] }
		expect(answer.content[0].text).toContain(`[["${digits}"]]`)
		expect(Number.isSafeInteger(Number(digits))).toBe(false)
		await client.close()
	})
})

describe('the app of changes', () => {
	const hostile = '</script><img src=x onerror="document.title = 1">'
	const insert = {
		name: 'insert_rows',
		arguments: { table: 'books', rows: Array.from({ length: 25 }, (_, n) => ({ title: `${hostile} ${n}`, pages: n })) },
	}

	test('shows every proposed row, then what happened', async () => {
		host = await AppHost.open(await connect({ consents: true }))
		const app = await host.show(insert)
		await app.getByRole('heading', { name: 'Insert 25 rows: books' }).waitFor()
		await app.getByText('Proposed.').waitFor()
		await app.getByText(JSON.stringify(`${hostile} 19`)).waitFor()
		expect(await app.getByRole('listitem').count()).toBe(20)
		await app.getByRole('button', { name: 'More of 25' }).click()
		await app.getByText(JSON.stringify(`${hostile} 24`)).waitFor()
		expect(await app.getByRole('button').count()).toBe(0)
		await host.run(insert)
		await app.getByText('Applied: 25 of 25.').waitFor()
		expect(await app.getByText('applied', { exact: true }).count()).toBe(25)
	})
})
