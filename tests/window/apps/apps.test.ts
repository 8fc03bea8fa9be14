import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Roundhouse } from '../../support/roundhouse.ts'
import { type AppClient, AppHost, appMimeType } from './app-host.ts'

/** Apps in the chat of an AI client, on the sample, in Chromium. */

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

/** The app is accessible, as high as its content, and as narrow as a chat on a phone. */
async function fits(): Promise<void> {
	for (const theme of ['light', 'dark']) {
		await host.page.evaluate(`document.documentElement.style.colorScheme = '${theme}'`)
		await host.page.evaluate(`bridge.setHostContext({ theme: '${theme}' })`)
		await expect.poll(() => host.violations()).toEqual([])
	}
	for (const width of [320, 700]) {
		await host.page.setViewportSize({ width, height: 900 })
		expect(await host.overflow()).toEqual({ across: 0, down: 0 })
	}
}

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
		await fits()

		await app.getByRole('button', { name: 'More' }).click()
		await app.getByRole('status').getByText('40 of 3,003 rows').waitFor()
		expect(host.calls).toEqual([{ name: 'browse_table', arguments: { table: 'books', max_rows: 100, cursor: '25' } }])

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
		expect(answer.content[0].text).toContain(`[[${digits}]]`)
		expect(Number.isSafeInteger(Number(digits))).toBe(false)
		await client.close()
	})
})

test('the app of rows shows a failure, and rows of a statement', async () => {
	host = await AppHost.open(await connect())
	const missing = { name: 'browse_table', arguments: { table: 'no-such-table' } }
	const app = await host.show(missing)
	await host.run(missing)
	await app
		.getByRole('alert')
		.getByText(/no-such-table/)
		.waitFor()

	const statement = { name: 'query', arguments: { query: 'GET /books/_search?size=3' } }
	await host.show(statement)
	await host.run(statement)
	await app.getByText('3 of 3,003 rows').waitFor()
	// No window is open, and the app reports this.
	await app.getByRole('button', { name: 'Show in Roundhouse' }).click()
	await app
		.getByRole('alert')
		.getByText(/No Roundhouse window is open/)
		.waitFor()
})

test('a number that the client has rounded is not asked for again', async () => {
	host = await AppHost.open(await connect())
	const filters = [{ column: 'isbn', operator: 'equals', values: [9029950253147084324n] }]
	const rounded = JSON.parse(
		`{"table":"books","filters":${JSON.stringify(filters, (_, value) => (typeof value === 'bigint' ? Number(value) : value))}}`,
	)
	const app = await host.show({ name: 'browse_table', arguments: rounded })
	await host.run(books)
	await app.getByRole('row').nth(1).waitFor()
	expect(await app.getByRole('button', { name: 'isbn' }).count()).toBe(0)
	expect(await app.getByRole('button', { name: 'Show in Roundhouse' }).count()).toBe(0)
})

test('the app of groups draws a chart and shows its numbers', async () => {
	host = await AppHost.open(await connect())
	const grouped = { name: 'aggregate', arguments: { table: 'books', group_by: [{ column: 'languages' }] } }
	const app = await host.show(grouped)
	await host.run(grouped)
	await app.getByRole('img', { name: /count by languages/ }).waitFor()
	await app.getByRole('table', { name: 'count by languages' }).waitFor()
	await fits()

	const overTime = {
		name: 'aggregate',
		arguments: { table: 'books', group_by: [{ column: 'published', interval: 'year' }] },
	}
	await host.show(overTime)
	await host.run(overTime)
	await app.getByRole('img', { name: /count by published/ }).waitFor()
	expect(await app.locator('.chart-curve').count()).toBe(1)

	const levels = {
		name: 'aggregate',
		arguments: { table: 'books', group_by: [{ column: 'languages' }, { column: 'in_print' }] },
	}
	await host.show(levels)
	await host.run(levels)
	await app.getByRole('table', { name: 'count by languages, in_print' }).waitFor()
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
		await app.getByText(`${hostile} 19`).waitFor()
		expect(await app.getByRole('listitem').count()).toBe(20)
		await fits()
		await app.getByRole('button', { name: 'More of 25' }).click()
		await app.getByText(`${hostile} 24`).waitFor()
		expect(await app.getByRole('button').count()).toBe(0)
		await host.run(insert)
		await app.getByText('Applied: 25 of 25.').waitFor()
		expect(await app.getByText('applied', { exact: true }).count()).toBe(25)
	})

	test('shows the reason of a refusal', async () => {
		host = await AppHost.open(await connect())
		const app = await host.show(insert)
		await host.run(insert)
		await app.getByText('Not applied.').waitFor()
		await app
			.getByRole('alert')
			.getByText(/denied/)
			.waitFor()
	})

	test('marks numbers that the client has rounded, and folds long texts', async () => {
		host = await AppHost.open(await connect())
		const set = { isbn: Number('9029950253147084324'), price: 1.5, title: 'x'.repeat(5000) }
		const updates = [{ row_id: '1', set }]
		const app = await host.show({ name: 'update_rows', arguments: { table: 'books', updates } })
		await app.getByText('≈ 9029950253147085000').waitFor()
		await app.getByText(/this client rounds it/).waitFor()
		await app.getByText('1.5', { exact: true }).waitFor()
		await app.getByText('(5,000 characters)').waitFor()
	})

	test('shows deletions by their ids', async () => {
		host = await AppHost.open(await connect())
		const app = await host.show({ name: 'delete_rows', arguments: { table: 'books', rows: [{ row_id: 'a' }] } })
		await app.getByRole('heading', { name: 'Delete 1 row: books' }).waitFor()
		await app.getByRole('heading', { name: 'a', exact: true }).waitFor()
		await host.page.evaluate(`bridge.sendToolCancelled({ reason: 'stopped' })`)
		await app.getByText('Not applied.').waitFor()
	})
})
