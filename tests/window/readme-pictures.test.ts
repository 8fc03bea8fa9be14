import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inCheckout } from '../../scripts/layout.ts'
import { overHttp } from '../support/clients.ts'
import { MovingPicture } from '../support/moving-picture.ts'
import { ShopWindow } from '../support/shop-window.ts'
import { nothingLoads, SampleWindow } from '../support/window.ts'

/** Takes the pictures of the README into `test-results/readme`; with `ROUNDHOUSE_PICTURES=readme` into `docs`. */
const folder = process.env.ROUNDHOUSE_PICTURES === 'readme' ? inCheckout('docs') : inCheckout('test-results', 'readme')

test('the README shows a filtered table with a staged change, its statistics and the document', async () => {
	await mkdir(folder, { recursive: true })
	await using window = await SampleWindow.open()
	const { page } = window
	const screen = { width: 1440, height: 860, deviceScaleFactor: 2, mobile: false }
	await page.setViewportSize(screen)
	const browser = await page.context().newCDPSession(page)
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
		// A screenshot of Playwright has the pixels of the page, which are half as many.
		await browser.send('Emulation.setDeviceMetricsOverride', screen)
		const { data } = await browser.send('Page.captureScreenshot', { format: 'png' })
		const bytes = Buffer.from(data, 'base64')
		await writeFile(join(folder, `window-${colorScheme}.png`), bytes)
		expect(bytes.length).toBeGreaterThan(50_000)
	}
	expect(window.faults).toEqual([])
})

/** Suppliers with their deliveries, which go with them. */
const schema = `
create table suppliers (id int primary key, name text not null, city text, country text, credit_limit numeric(10, 2), note text);
create table deliveries (id int primary key, supplier int references suppliers on delete cascade, weight_kg int);
insert into suppliers
select n, (array['Alder', 'Berger', 'Costa', 'Fekete', 'Kral', 'Lind', 'Nowak', 'Prado', 'Quist', 'Rossi'])[1 + n % 10] || (array[' & Sons', ' Paper', ' Glass'])[1 + n % 3],
	(array['Porto', 'Lyon', 'Bergen', 'Kraków', 'Ghent'])[1 + n % 5], (array['PT', 'FR', 'NO', 'PL', 'BE'])[1 + n % 5], 400 + n * 37 % 900, case n % 4 when 0 then 'called twice' end
from generate_series(1, 400) n;
insert into deliveries select n, 1 + n % 400, n * 13 % 90 from generate_series(1, 1200) n;`

test('the README shows a filter by a click, an edit with a conflict, and the write of an AI client as a moving picture', async () => {
	await mkdir(folder, { recursive: true })
	const aiAccess = { externalAccess: 'read-write', aiPolicy: 'allow' } as const
	await using shop = await ShopWindow.open(schema, {}, undefined, aiAccess)
	const { page, roundhouse } = shop
	await page.setViewportSize({ width: 1200, height: 720 })
	await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
	const picture = new MovingPicture()
	const take = async (shownMs: number) => {
		await nothingLoads(page)
		await picture.take(page, shownMs)
	}
	const suppliers = await shop.openTable('suppliers')
	const texts = async (column: string) => (await suppliers.cells(column)).allInnerTexts()

	await (await suppliers.cell(2, 'country')).click({ button: 'right', position: { x: 4, y: 12 } })
	const filter = page.getByRole('menuitem', { name: /^Filter for this/ })
	await filter.hover()
	await take(1800)
	await filter.click()
	await expect.poll(async () => new Set(await texts('country')).size).toBe(1)
	await take(1600)

	await suppliers.edit(1, 'note', 'prefers e-mail')
	await suppliers.root.getByText('1 change not saved').waitFor()
	await take(1800)
	const id = (await texts('id'))[1]
	await shop.server.sql(`update suppliers set note = 'left a message' where id = ${id}`)
	await suppliers.root.getByRole('button', { name: 'Review and save' }).click()
	const sheet = page.getByRole('dialog')
	await sheet.getByRole('button', { name: /^Save/ }).click()
	await suppliers.root.getByRole('button', { name: /^Compare/ }).click()
	await sheet.getByText('left a message', { exact: true }).waitFor()
	await take(2600)
	await sheet.getByRole('button', { name: 'Keep mine' }).click()
	await suppliers.save()
	await page.getByRole('region', { name: 'Messages' }).getByText('Saved 1 row.').waitFor()
	await take(1600)

	await using client = await overHttp(shop.mcpUrl, await roundhouse.addToken('full')).then(client => ({
		callTool: client.callTool.bind(client),
		[Symbol.asyncDispose]: () => client.close(),
	}))
	const query = "delete from suppliers where country = 'NO' and credit_limit < 600"
	const writing = client.callTool({
		name: 'confirm_destructive_operation',
		arguments: { connection_id: 'Shop', query },
	})
	await sheet
		.getByRole('button', { name: /^Delete/ })
		.and(page.locator(':enabled'))
		.waitFor()
	await take(3400)
	await sheet.getByRole('button', { name: 'Refuse' }).click()
	expect(JSON.stringify(await writing)).toContain('denied')
	await sheet.waitFor({ state: 'detached' })
	await take(1600)

	const { sizeBytes, frames } = await picture.write(join(folder, 'edit-and-consent.webp'))
	expect(frames).toBe(7)
	expect(sizeBytes).toBeLessThan(300_000)
	expect(shop.faults).toEqual([])
})
