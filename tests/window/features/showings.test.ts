import type { Client } from '@modelcontextprotocol/client'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, openPage } from '../../support/browser.ts'
import { overHttp } from '../../support/clients.ts'
import { Roundhouse } from '../../support/roundhouse.ts'
import { TablePanel } from '../../support/window.ts'

/** A request of an AI client to show data waits in the status line, and changes nothing before the user accepts. */
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
	/** Returns what the user could click if the messages were not there, as HTML. */
	const underMessages = () =>
		messages().evaluate(region => {
			const controls = 'a, button, input, select, textarea, summary, [role], [tabindex], [contenteditable]'
			const document = region.ownerDocument
			const range = (from: number, to: number) =>
				Array.from({ length: Math.floor((to - from) / 4) }, (_, step) => from + 1 + 4 * step)
			const toasts = [...region.querySelectorAll('li')].map(toast => toast.getBoundingClientRect())
			if (toasts.length === 0) return ['There is no message.']
			const points = toasts.flatMap(({ left, right, top, bottom }) =>
				range(top, bottom).flatMap(y => range(left, right).map(x => ({ x, y }))),
			)
			if (points.some(({ x }) => x > document.documentElement.clientWidth)) return ['A message is cut off.']
			const under = new Set(points.flatMap(({ x, y }) => document.elementsFromPoint(x, y)))
			return [...under]
				.filter(element => element.matches(controls) && !region.contains(element))
				.map(element => element.outerHTML.slice(0, 200))
		})
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

	test('a waiting request lies over no control, in any width of the window', async () => {
		await show({ browse: { table: 'books' } })
		await toast(/books/).waitFor()
		const size = page.viewportSize()
		await page.getByRole('list', { name: 'Indices' }).getByRole('button', { name: 'places' }).click()
		const places = new TablePanel(page.getByRole('tabpanel', { name: 'places', exact: true }))
		const sheet = page.getByRole('dialog')
		const closeSheet = async () => {
			await page.keyboard.press('Escape')
			await sheet.waitFor({ state: 'detached' })
		}
		const settings = (title: string) => async () => {
			if ((await sheet.count()) === 0) await page.getByRole('button', { name: 'Settings' }).click()
			await sheet.getByRole('tab', { name: title }).click()
			await sheet.getByRole('tabpanel', { name: title }).waitFor()
		}
		const screens: Readonly<Record<string, () => Promise<unknown>>> = {
			'the last rows above the save bar': async () => {
				await places.edit(0, 'name', 'Another name')
				await places.grid.focus()
				await page.keyboard.press('ControlOrMeta+End')
			},
			'a new document': () => page.keyboard.press('Insert').then(() => sheet.waitFor()),
			'an export': async () => {
				await closeSheet()
				await places.root.getByRole('button', { name: 'Export' }).click()
				await sheet.waitFor()
			},
			'the settings of AI clients': () => closeSheet().then(settings('AI access')),
			'the settings of plugins': settings('Plugins'),
			'general settings': settings('General'),
			'the form of a connection': async () => {
				await closeSheet()
				await page.getByRole('button', { name: 'Sample', exact: true }).click({ button: 'right' })
				await page.getByRole('menuitem', { name: /^Edit/ }).click()
				await sheet.getByLabel('Hosts').waitFor()
			},
			'an answer of a console': async () => {
				await closeSheet()
				await page.getByRole('tab', { name: 'Console' }).click()
				await page.locator('.cm-content').click()
				await page.keyboard.press('ControlOrMeta+a')
				await page.keyboard.press('Delete')
				await page.keyboard.insertText('GET /books/_search?size=50')
				await page.keyboard.press('ControlOrMeta+Enter')
				await page.getByRole('row').filter({ visible: true }).nth(5).waitFor()
			},
			'facts of the cluster': async () => {
				await page.getByRole('button', { name: 'Overview' }).click()
				await page.getByRole('region', { name: 'Health' }).waitFor()
			},
		}
		for (const [name, open] of Object.entries(screens)) {
			await page.setViewportSize({ width: 1440, height: 900 })
			await open()
			for (const [width, height] of [
				[1440, 900],
				[1024, 768],
				[800, 600],
			] as const) {
				await page.setViewportSize({ width, height })
				expect(await underMessages(), `${name} at ${width}`).toEqual([])
			}
		}
		if (size) await page.setViewportSize(size)
		await page.getByRole('tab', { name: 'places' }).click()
		await places.root.getByRole('button', { name: 'Discard' }).click()
	})

	test('a message that does not fit its line is whole while it has the focus', async () => {
		const size = page.viewportSize()
		await page.setViewportSize({ width: 440, height: 600 })
		const line = toast(/books/)
		const text = line.getByText(/wants to show you books on Sample/)
		const isCut = () => text.evaluate(element => element.scrollWidth > element.clientWidth)
		expect(await isCut()).toBe(true)
		await line.getByRole('button', { name: 'Dismiss' }).focus()
		await expect.poll(isCut).toBe(false)
		const box = await line.boundingBox()
		expect((box?.y ?? 0) + (box?.height ?? Infinity)).toBeLessThanOrEqual(600)
		expect((box?.x ?? 0) + (box?.width ?? Infinity)).toBeLessThanOrEqual(440)
		if (size) await page.setViewportSize(size)
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
