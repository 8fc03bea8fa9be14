import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, openPage } from '../support/browser.ts'
import { overHttp } from '../support/clients.ts'
import { Roundhouse } from '../support/roundhouse.ts'
import { toggle } from '../support/window.ts'

/** An AI client exports to the folder that the user chose, with the consent of the user. */
describe('exports of AI clients', () => {
	let browser: Browser
	let roundhouse: Roundhouse
	let page: Page
	let client: Client
	let folder = ''
	const faults: string[] = []

	beforeAll(async () => {
		folder = await realpath(await mkdtemp(join(tmpdir(), 'roundhouse-exports-')))
		roundhouse = await Roundhouse.make()
		await roundhouse.addSample('--ai-policy', 'allow')
		const token = await roundhouse.addToken('read-only')
		const { mcp } = await roundhouse.serve()
		browser = await openBrowser()
		page = await openPage(browser, roundhouse, faults)
		client = await overHttp(mcp.url, token)
	})
	afterAll(async () => {
		await client?.close()
		await browser?.close()
		await roundhouse?.[Symbol.asyncDispose]()
		await rm(folder, { recursive: true, force: true })
	})

	const dialog = () => page.getByRole('dialog')
	const exportBooks = async () => {
		const filters = [{ column: 'author.country', values: ['PE'] }]
		const { content } = await client.callTool({
			name: 'export_data',
			arguments: { browse: { table: 'books', filters, columns: ['_id', 'title'] } },
		})
		return (content as { text: string }[])[0]?.text ?? ''
	}
	async function settings(shown = page): Promise<void> {
		await shown.getByRole('button', { name: 'Settings' }).click()
		await shown.getByRole('tab', { name: 'AI access' }).click()
	}

	test('without a folder exports are refused, and the user chooses one in the settings', async () => {
		expect(await exportBooks()).toMatch(/^denied: No folder for exports is chosen/)
		await settings()
		const field = page.getByLabel('Folder for exports')
		await field.fill(join(folder, 'nowhere'))
		await page.getByRole('button', { name: 'Save' }).click()
		await page.getByText(/cannot be used: there is no such folder/).waitFor()
		await field.fill(folder)
		await page.getByRole('button', { name: 'Save' }).click()
		await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
		expect(await field.inputValue()).toBe(folder)
		await page.keyboard.press('Escape')
		await dialog().waitFor({ state: 'detached' })
	})

	test('an export asks with its content and target', async () => {
		const refused = exportBooks()
		await dialog().getByText('An AI client wants to export rows').waitFor()
		await expect.poll(() => dialog().locator('pre').textContent()).toContain(folder)
		await dialog().getByRole('button', { name: 'Refuse' }).click()
		expect(await refused).toMatch(/^denied/)
		await dialog().waitFor({ state: 'detached' })
		expect(await readdir(folder)).toEqual([])

		const allowed = exportBooks()
		await dialog()
			.getByRole('button', { name: /^Export [\d,]+ / })
			.click()
		expect(await allowed).toContain(join(folder, 'books.csv'))
		const [names, ...rows] = (await readFile(join(folder, 'books.csv'), 'utf8')).trim().split('\r\n')
		expect(names).toBe('_id,title')
		expect(await allowed).toContain(`${rows.length} rows`)
	})

	test('a user can switch off the question', async () => {
		await settings()
		await toggle(page.getByLabel('Ask before each export'), false)
		await page.keyboard.press('Escape')
		await dialog().waitFor({ state: 'detached' })
		expect(await exportBooks()).toContain(join(folder, 'books (2).csv'))
		// The refusal above contained it.
		expect(faults).toEqual([])
	})

	test('a folder that one window removed is not restored by a switch in another window', async () => {
		const other = await openPage(browser, roundhouse, faults)
		await settings(other)
		await expect.poll(() => other.getByLabel('Folder for exports').inputValue()).toBe(folder)
		await settings()
		await page.getByLabel('Folder for exports').fill('')
		await page.getByRole('button', { name: 'Save' }).click()
		await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
		await toggle(other.getByLabel('Ask before each export'), true)
		expect(await exportBooks()).toMatch(/^denied: No folder for exports is chosen/)
	})
})
