import type { Client } from '@modelcontextprotocol/client'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, openPage } from '../support/browser.ts'
import { overHttp } from '../support/clients.ts'
import { Roundhouse } from '../support/roundhouse.ts'

/** A request of an AI client to show data waits at the lower right, and changes nothing before the user accepts. */
describe('requests of AI clients to show data', () => {
	let browser: Browser
	let roundhouse: Roundhouse
	let page: Page
	let client: Client
	const faults: string[] = []

	beforeAll(async () => {
		roundhouse = await Roundhouse.make()
		await roundhouse.addSample('--ai-policy', 'allow', '--external-access', 'read-write')
		const token = await roundhouse.addToken('full')
		const { mcp } = await roundhouse.serve()
		client = await overHttp(mcp.url, token)
		browser = await openBrowser()
	})
	afterAll(async () => {
		await client?.close()
		await browser?.close()
		await roundhouse?.[Symbol.asyncDispose]()
	})

	const show = async (args: Record<string, unknown>) => {
		const { content } = await client.callTool({ name: 'open_in_window', arguments: args })
		return (content as { text: string }[])[0]?.text ?? ''
	}
	const messages = () => page.getByRole('region', { name: 'Messages' })
	const toast = (text: RegExp) => messages().getByRole('listitem').filter({ hasText: text })

	test('a client gets an error if no window is open', async () => {
		expect(await show({ browse: { table: 'books' } })).toMatch(/^denied: No Roundhouse window is open/)
		page = await openPage(browser, roundhouse, faults)
	})

	test('rows wait for Show, and are then shown as the client requested', async () => {
		const filters = [{ column: 'author.country', values: ['PE'] }]
		const sort = [{ column: 'author.country', direction: 'desc' }]
		expect(await show({ browse: { table: 'books', filters, sort } })).toContain('Offered')
		await toast(/“roundhouse-tests” wants to show you books on Sample/).waitFor()
		expect(await page.getByRole('tab').count()).toBe(0)
		await toast(/books/).getByRole('button', { name: 'Show' }).click()
		await page.getByRole('tab', { name: 'books' }).waitFor()
		await page.getByText('author.country is PE').waitFor()
		await page.locator('[aria-sort="descending"]').getByText('author.country').waitFor()
		await toast(/books/).waitFor({ state: 'detached' })
	})

	test("a table that is already open asks before it applies the client's query", async () => {
		await show({ browse: { table: 'books', filters: [{ column: 'author.country', values: ['NO'] }], raw: 'sea' } })
		await toast(/books/).getByRole('button', { name: 'Show' }).click()
		await page.getByText('author.country is NO').waitFor()
		await expect.poll(() => page.getByRole('searchbox', { name: 'Query' }).inputValue()).toBe('sea')
		expect(await page.getByText('author.country is PE').count()).toBe(0)
	})

	test('a statement is put into a console and does not run', async () => {
		await show({ query: 'DELETE /books' })
		const dismiss = await toast(/a statement on Sample/)
			.getByRole('button', { name: 'Dismiss' })
			.boundingBox()
		expect((dismiss?.x ?? Infinity) + (dismiss?.width ?? 0)).toBeLessThan(page.viewportSize()?.width ?? 0)
		await toast(/a statement on Sample/)
			.getByRole('button', { name: 'Show' })
			.click()
		await page.getByRole('tab', { name: 'Console' }).waitFor()
		await expect.poll(() => page.locator('.cm-content').innerText()).toContain('DELETE /books')
		await page.waitForTimeout(300)
		expect(await client.callTool({ name: 'count_rows', arguments: { table: 'books' } })).toMatchObject({
			structuredContent: { count: 3003 },
		})
	})

	test('the newest request replaces the previous one, stays longer than other messages, and can be dismissed', async () => {
		await show({ browse: { table: 'places' } })
		await toast(/places/).waitFor()
		await show({ browse: { table: 'events' } })
		await toast(/events/).waitFor()
		expect(await toast(/places/).count()).toBe(0)
		await toast(/events/)
			.getByRole('button', { name: 'Dismiss' })
			.click()
		await toast(/events/).waitFor({ state: 'detached' })
		const another = await openPage(browser, roundhouse, faults)
		expect(await another.getByRole('region', { name: 'Messages' }).getByRole('listitem').count()).toBe(0)
		expect(faults).toEqual([])
	})
})
