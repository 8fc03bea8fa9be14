import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inCheckout } from '../../scripts/layout.ts'
import { openBrowser, openPage } from '../support/browser.ts'
import { MovingPicture } from '../support/moving-picture.ts'
import { Roundhouse } from '../support/roundhouse.ts'
import { nothingLoads, SampleWindow, TablePanel } from '../support/window.ts'

/** Takes the pictures of the README into `test-results/readme`; with `ROUNDHOUSE_PICTURES=readme` into `docs`. */
const folder = process.env.ROUNDHOUSE_PICTURES === 'readme' ? inCheckout('docs') : inCheckout('test-results', 'readme')

test('the README shows a filtered table with a staged change, its statistics and the document', async () => {
	await mkdir(folder, { recursive: true })
	await using window = await SampleWindow.open()
	const { page } = window
	await page.setViewportSize({ width: 1440, height: 860 })
	const books = await window.openTable('books')
	await (await books.cell(0, 'author.country')).click()
	await page.keyboard.press('=')
	await expect.poll(async () => new Set(await (await books.cells('author.country')).allInnerTexts()).size).toBe(1)
	await books.edit(1, 'title', 'A Patient Atlas')
	await (await books.cell(1, 'author.born')).click()
	await page.keyboard.press('Alt+t')
	await page.getByRole('complementary', { name: 'Statistics of author.born' }).getByText('Smallest').waitFor()
	await page.keyboard.press('Space')
	await page.getByRole('complementary', { name: 'Document' }).getByText('"title"').waitFor()
	for (const colorScheme of ['light', 'dark'] as const) {
		await page.emulateMedia({ colorScheme })
		const bytes = await page.screenshot({ path: join(folder, `window-${colorScheme}.png`) })
		expect(bytes.length).toBeGreaterThan(50_000)
	}
	expect(window.faults).toEqual([])
})

test('the README shows the first minute as a moving picture: from the first start to an answer of the console', async () => {
	await mkdir(folder, { recursive: true })
	await using roundhouse = await Roundhouse.make()
	await roundhouse.serve()
	const browser = await openBrowser()
	const faults: string[] = []
	const picture = new MovingPicture()
	try {
		const page = await openPage(browser, roundhouse, faults)
		await page.setViewportSize({ width: 1280, height: 800 })
		await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
		const take = async (shownMs: number) => {
			await nothingLoads(page)
			await picture.take(page, shownMs)
		}
		const sheet = page.getByRole('dialog')

		await page.getByRole('heading', { name: 'Nothing connected yet' }).waitFor()
		await page.getByRole('list', { name: 'First steps' }).getByRole('button').first().waitFor()
		await take(1800)
		await page.getByRole('main').getByRole('button', { name: 'New connection' }).click()
		await sheet.getByRole('button', { name: 'Elasticsearch' }).click()
		await sheet.getByText('May use', { exact: true }).waitFor()
		await take(2400)
		await sheet.getByRole('button', { name: 'Download and install' }).click()
		await sheet.getByRole('button', { name: 'Use the sample' }).click()
		await sheet.getByText('This connection uses the sample').waitFor()
		await take(1800)
		await sheet.getByRole('button', { name: 'Save and open' }).click()
		const tables = page.getByRole('list', { name: 'Indices' })
		await tables.getByRole('button', { name: 'books' }).click()
		const books = new TablePanel(page.getByRole('tabpanel', { name: 'books', exact: true }))
		await books.root.getByText('3,003 documents').waitFor()
		await take(2000)
		await (await books.cell(0, 'author.country')).click({ button: 'right', position: { x: 4, y: 12 } })
		await page.getByRole('menuitem', { name: /^Filter for this/ }).hover()
		await take(1600)
		await page.getByRole('menuitem', { name: /^Filter for this/ }).click()
		await expect.poll(async () => new Set(await (await books.cells('author.country')).allInnerTexts()).size).toBe(1)
		await take(1600)
		await books.edit(1, 'title', 'A Patient Atlas')
		await books.root.getByText('1 change not saved').waitFor()
		await take(1800)
		await books.root.getByRole('button', { name: 'Review and save' }).click()
		await sheet.locator('pre').waitFor()
		await take(2200)
		await sheet.getByRole('button', { name: /^Save/ }).click()
		await books.nothingStaged()
		await page.getByRole('region', { name: 'Messages' }).getByText('Saved 1 document.').waitFor()
		await take(1800)
		await page.getByRole('button', { name: 'Console', exact: true }).click()
		const console = page.getByRole('tabpanel', { name: 'Console' })
		await console.getByRole('textbox', { name: 'Console' }).click()
		await page.keyboard.press('ControlOrMeta+a')
		await page.keyboard.press('Delete')
		await page.keyboard.insertText('GET /books/_search\n{\n  "query": { "match": { "title": "atlas" } }\n}')
		await page.keyboard.press('ControlOrMeta+Enter')
		await console.getByRole('row').nth(3).waitFor()
		await take(2500)
	} finally {
		await browser.close()
	}
	const { sizeBytes, frames } = await picture.write(join(folder, 'first-minute.webp'))
	expect(frames).toBe(10)
	expect(sizeBytes).toBeLessThan(600_000)
	expect(faults).toEqual([])
})
