import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inCheckout } from '../../scripts/layout.ts'
import { SampleWindow } from '../support/window.ts'

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
