import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ConsolePanel } from '../../support/console-panel.ts'
import { Pictures } from '../../support/pictures.ts'
import { ShopWindow } from '../../support/shop-window.ts'
import { TablePanel } from '../../support/window.ts'

/** What a user does with the result of a statement: export all of it, copy from it, and see much of it. */
describe('the result of a statement', () => {
	let shop: ShopWindow
	let page: Page
	let panel: ConsolePanel
	let pictures: Pictures

	const dialog = () => page.getByRole('dialog')
	const console = () => panel.root
	const run = (text: string) => panel.run(text)
	const result = (): Locator => console().getByRole('article').first()

	async function exported(format: string): Promise<string> {
		await dialog().getByLabel('Format').selectOption(format)
		const [file] = await Promise.all([
			page.waitForEvent('download'),
			dialog().getByRole('button', { name: 'Export', exact: true }).click(),
		])
		await dialog()
			.getByText(/^Exported/)
			.waitFor()
		expect(file.suggestedFilename()).toBe(`result.${format}`)
		const text = await readFile(await file.path(), 'utf8')
		await dialog().getByRole('button', { name: 'Close' }).last().click()
		return text
	}

	const picture = (name: string) => pictures.take(page, name, 'light')

	beforeAll(async () => {
		shop = await ShopWindow.open()
		page = shop.page
		panel = new ConsolePanel(page)
		pictures = await Pictures.into('test-results/window/statement-results')
		await page.getByRole('button', { name: 'Console', exact: true }).click()
	}, 120_000)
	afterAll(() => shop?.[Symbol.asyncDispose]())

	test('all rows are exported, of which the result holds the first', async () => {
		await run("select n, 'row ' || n as name from generate_series(1, 25000) n")
		await result().getByText('first 2,000 rows').waitFor()
		await result().getByRole('button', { name: 'Export all rows' }).click()
		await dialog().getByText('It runs in the session of this console').waitFor()
		await picture('export')
		const lines = (await exported('csv')).trimEnd().split('\n')
		expect([lines.length, lines[0], lines.at(-1)]).toEqual([25_001, 'n,name', '25000,row 25000'])
	})

	test('an export sees temporary tables and the open transaction, which stays open', async () => {
		await run(
			"begin; create temp table mine as select null::text as word; insert into mine values (''); select * from mine",
		)
		const rows = console().getByRole('article', { name: 'select * from mine' })
		await rows.getByText('select * from mine').click({ button: 'right' })
		await page.getByRole('menuitem', { name: 'Export all rows' }).click()
		await dialog().getByText('It sees the open transaction, which stays open.').waitFor()
		expect(await exported('ndjson')).toBe('{"word":null}\n{"word":""}\n')
		await console().getByRole('group', { name: 'Transaction' }).getByRole('button', { name: 'Roll back' }).click()
		await console().getByRole('article', { name: 'rollback' }).waitFor()
	})

	test('an export is cancelled while it runs, and the console goes on', async () => {
		await run("select n, repeat('x', 1000) from generate_series(1, 5000000) n")
		await result().getByRole('button', { name: 'Export all rows' }).click()
		await dialog().getByRole('button', { name: 'Export', exact: true }).click()
		await dialog().getByRole('progressbar').waitFor()
		await dialog().getByRole('button', { name: 'Cancel' }).click()
		await dialog().getByText('Cancelled. No file was saved.').waitFor()
		await dialog().getByRole('button', { name: 'Close' }).last().click()
		await run('select 1 as still_here')
		await result().getByRole('columnheader', { name: 'still_here' }).waitFor()
	})

	describe('a cell', () => {
		const cell = (name: string) => result().getByRole('gridcell', { name, exact: true })
		const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()')
		const choose = (name: string) => page.getByRole('menuitem', { name, exact: true }).click()

		test('has a menu that copies it, its row and all rows, and tells NULL from an empty text', async () => {
			await run("select * from (values (1, null, 'a'), (2, '', 'b')) v(id, note, word)")
			await cell('a').click({ button: 'right' })
			await page.getByRole('menu', { name: 'word' }).waitFor()
			await picture('cell-menu')
			await choose('Copy Ctrl+C')
			await expect.poll(clipboard).toBe('a')
			await cell('b').click({ button: 'right' })
			await choose('Copy with the column name')
			await expect.poll(clipboard).toBe('word\nb')
			await cell('b').click({ button: 'right' })
			await choose('Copy the row with column names')
			await expect.poll(clipboard).toBe('id\tnote\tword\n2\t\tb')
			await cell('b').click({ button: 'right' })
			await choose('Copy the rows as CSV')
			await expect.poll(clipboard).toBe('id,note,word\r\n1,,a\r\n2,"",b')
			await cell('b').click({ button: 'right' })
			await choose('Copy the rows as NDJSON')
			await expect.poll(clipboard).toBe('{"id":1,"note":null,"word":"a"}\n{"id":2,"note":"","word":"b"}')
		})

		test('is reached and copied by keys', async () => {
			await cell('1').click()
			await page.keyboard.press('ArrowDown')
			await page.keyboard.press('End')
			await page.keyboard.press('ControlOrMeta+c')
			await expect.poll(clipboard).toBe('b')
			await page.keyboard.press('Shift+F10')
			await choose('Copy the row')
			await expect.poll(clipboard).toBe('2\t\tb')
			await expect.poll(() => cell('b').evaluate(element => element.matches(':focus'))).toBe(true)
			await page.keyboard.press('ControlOrMeta+Home')
			await page.keyboard.press('ControlOrMeta+c')
			await expect.poll(clipboard).toBe('1')
			expect(await result().locator('td[tabindex="0"]').count()).toBe(1)
		})

		test('keeps NULL and an empty text apart in a table of the window', async () => {
			await shop.server.sql(
				"create table target (id int primary key, note text, word text); insert into target values (7, 'x', 'y'), (8, 'x', 'y')",
			)
			const tab = (name: string) => page.getByRole('tab', { name }).click()
			await page.getByRole('button', { name: 'Reload' }).first().click()
			await page.getByRole('list', { name: 'Tables' }).getByRole('button', { name: 'target' }).click()
			const table = new TablePanel(page.getByRole('tabpanel', { name: 'public.target', exact: true }))
			for (const [row, [of, note]] of [
				['b', '""'],
				['a', 'null'],
			].entries()) {
				await tab('Console')
				await cell(of ?? '').click({ button: 'right' })
				await choose('Copy the row')
				await tab('target')
				await (await table.cell(row, 'id')).click()
				await page.keyboard.press('ControlOrMeta+v')
				await expect.poll(async () => (await table.cell(row, 'note')).innerText()).toBe(note)
			}
		})

		test('shows its whole value, or how much of it was read', async () => {
			await page.getByRole('tab', { name: 'Console' }).click()
			await run("select repeat('long ', 300) || 'end' as long, repeat('x', 20000) as cut")
			await result().getByRole('gridcell').first().click()
			await page.keyboard.press('Enter')
			await dialog().getByText(/end$/).waitFor()
			await page.keyboard.press('Escape')
			await result().getByRole('gridcell').last().click({ button: 'right' })
			await choose('Show the whole value Enter')
			await dialog().getByText('Only the first 10,000 of 20,000 characters were read.').waitFor()
			await dialog().getByRole('textbox', { name: 'Value of cut' }).waitFor()
			await picture('value')
			await page.keyboard.press('Escape')
			await result().getByRole('gridcell').last().click({ button: 'right' })
			await choose('Copy Ctrl+C')
			await page.getByText('Some values are cut. Only their first characters were copied.').waitFor()
		})

		test('begins a range: by Shift, by dragging, by row, with its sum, and is copied in each format', async () => {
			await run("select n, n * 1.10 as price, 'row ' || n as name from generate_series(1, 1500) n")
			const summary = () => result().getByRole('status').filter({ hasText: 'cells' }).innerText()
			await cell('2.20').click()
			await page.keyboard.press('Shift+ArrowDown')
			await page.keyboard.press('Shift+ArrowLeft')
			await expect.poll(summary).toBe('4 cells · sum 10.5, average 2.625, least 2, greatest 3.3')
			await page.keyboard.press('ControlOrMeta+c')
			await expect.poll(clipboard).toBe('2\t2.20\n3\t3.30')
			await cell('2').click({ button: 'right' })
			await choose('Copy as CSV')
			await expect.poll(clipboard).toBe('n,price\r\n2,2.20\r\n3,3.30')
			await cell('row 1').hover()
			await page.mouse.down()
			await cell('4.40').hover()
			await page.mouse.up()
			await expect.poll(summary).toBe('8 cells · 4 numbers: sum 11, average 2.75, least 1.1, greatest 4.4')
			await picture('range')
			await result().getByRole('rowheader', { name: '5', exact: true }).click()
			await page.keyboard.press('ControlOrMeta+c')
			await expect.poll(clipboard).toBe('5\t5.50\trow 5')
			// All rows are there without a further step, and keys reach those that are far away.
			await page.keyboard.press('ControlOrMeta+End')
			await cell('row 1500').waitFor()
			await expect.poll(() => cell('row 1500').evaluate(element => element.matches(':focus'))).toBe(true)
			expect(await result().getByRole('row').count()).toBeLessThan(100)
			await page.keyboard.press('Shift+ControlOrMeta+Home')
			await expect.poll(summary).toMatch(/^4,500 cells · 3,000 numbers: sum 2,364,075, /)
			expect(
				await result()
					.getByRole('columnheader', { name: /^price/ })
					.innerText(),
			).toMatch(/numeric/)
		})
	})

	describe('the height', () => {
		const pane = () => console().getByRole('region', { name: 'Results' })
		const heightOf = async (place: Locator) => (await place.boundingBox())?.height ?? 0
		const shown = () => console().getByRole('article').filter({ visible: true })

		test('of a single result is that of the pane', async () => {
			await console().getByRole('button', { name: 'Clear', exact: true }).click()
			await run('select n, n * n as square from generate_series(1, 500) n')
			await expect.poll(() => heightOf(result().getByRole('grid').locator('..'))).toBeGreaterThan(300)
			const [outer, inner] = [await pane().boundingBox(), await result().boundingBox()]
			expect((inner?.y ?? 0) + (inner?.height ?? 0)).toBeLessThanOrEqual((outer?.y ?? 0) + (outer?.height ?? 0) + 1)
			await picture('filled')
		})

		test('is shared by several results, of which one can be shown alone, also after a reload', async () => {
			await run('select 1 as one; select n from generate_series(1, 500) n')
			expect(await shown().count()).toBe(3)
			const second = console().getByRole('article', { name: 'select n from generate_series(1, 500) n' })
			const table = second.getByRole('grid').locator('..')
			await expect.poll(() => heightOf(table)).toBeLessThan(430)
			await second.getByRole('button', { name: 'Show this result alone' }).click()
			await expect.poll(() => heightOf(table)).toBeGreaterThan(300)
			expect(await shown().count()).toBe(1)
			await console().getByText('1 of 3 results').waitFor()
			await picture('alone')
			await run('select 2 as two')
			expect(await shown().count()).toBe(1)
			await console().getByRole('columnheader', { name: 'two' }).waitFor()
			// The choice is written soon after it was made.
			await page.waitForTimeout(500)
			await page.reload()
			await run('select 3 as three; select 4 as four')
			await expect.poll(() => shown().count()).toBe(1)
			await console().getByRole('button', { name: 'Show all' }).click()
			await expect.poll(() => shown().count()).toBe(2)
		})
	})

	test('a write is not offered, and its rows are not exported', async () => {
		await run('create table made as select 1; insert into made values (2) returning *')
		const written = console().getByRole('article', { name: 'insert into made values (2) returning *' })
		await written.locator('.run-statement').click({ button: 'right' })
		await page.getByRole('menuitem', { name: 'Remove' }).waitFor()
		expect(await page.getByRole('menuitem', { name: 'Export all rows' }).count()).toBe(0)
		await page.keyboard.press('Escape')
		const connection = await shop.roundhouse.withHost(host => host.call('connections.list', {}))
		const refused = shop.roundhouse.withHost(host =>
			host.call('exports.beginStatement', {
				connection: connection[0]?.id ?? '',
				statement: { text: 'insert into made values (3) returning *' },
				options: { format: 'csv' },
			}),
		)
		await expect(refused).rejects.toThrow('Only the rows of a statement that reads can be exported.')
		expect(shop.faults).toEqual([])
	})

	test('a long run shows its time, and a refused statement its place and its line in the history', async () => {
		await console().getByRole('textbox', { name: 'Console' }).click()
		await page.keyboard.press('ControlOrMeta+a')
		await page.keyboard.insertText('select pg_sleep(60)')
		await page.keyboard.press('ControlOrMeta+Enter')
		await console()
			.getByText(/^Running … [1-9] s$/)
			.waitFor()
		await page.keyboard.press('ControlOrMeta+.')
		await console().getByText('Running …').waitFor({ state: 'detached' })
		await run('selec 17')
		await result().getByText('syntax error at or near "selec"').waitFor()
		// No value makes this one right, so none is asked for.
		await run("select '{{day}}'")
		await result().getByText('A place in two braces stands alone').waitFor()
		expect(await dialog().count()).toBe(0)
		await expect.poll(() => console().locator('.cm-fault').innerText()).toMatch(/^\{/)
		await console().getByRole('button', { name: 'History' }).click()
		for (const statement of ['selec 17', "select '{{day}}'"])
			await dialog().getByRole('option', { name: statement }).first().waitFor()
		await page.keyboard.press('Escape')
	})

	test('rows show below the text, or beside it on request, and the line between is moved by keys', async () => {
		const isBelow = async () => {
			const [text, results] = await Promise.all(
				['.console-editor', '.console-results'].map(part => console().locator(part).boundingBox()),
			)
			return (results?.y ?? 0) >= (text?.y ?? 0) + (text?.height ?? 0) && results?.x === text?.x
		}
		expect(await isBelow()).toBe(true)
		const line = console().getByRole('separator', { name: 'Height of the text' })
		const before = Number(await line.getAttribute('aria-valuenow'))
		await line.press('ArrowDown')
		expect(Number(await line.getAttribute('aria-valuenow'))).toBeGreaterThan(before)
		await picture('below')
		await console().getByRole('button', { name: 'Results beside the text' }).click()
		expect(await isBelow()).toBe(false)
		await console().getByRole('separator', { name: 'Width of the text' }).waitFor()
		await console().getByRole('button', { name: 'Results below the text' }).click()
		expect(await isBelow()).toBe(true)
	})

	test('rows of a result open in their table to be edited', async () => {
		await run('select name, id from customers order by id limit 9')
		await result().getByRole('gridcell', { name: '2', exact: true }).click()
		await page.keyboard.press('Shift+ArrowDown')
		await page.keyboard.press('F12')
		const customers = shop.panel('customers')
		await customers.root.getByRole('button', { name: /^id is one of 2, 3$/ }).waitFor()
		await expect.poll(() => customers.root.getByText('2 rows', { exact: true }).count()).toBe(1)
		await customers.edit(1, 'name', 'From the result')
		await customers.save()
		await customers.nothingStaged()
		expect(await shop.server.sql('select name from customers where id = 3')).toEqual([{ name: 'From the result' }])
		await page.getByRole('tab', { name: 'Console' }).click()
		await result().getByRole('gridcell', { name: '5', exact: true }).click()
		await page.keyboard.press('Enter')
		await dialog().getByRole('button', { name: 'Edit in public.customers' }).click()
		await customers.root.getByRole('button', { name: /^id is 5$/ }).waitFor()
	})

	test('a value that refers to a row leads there, as in a table', async () => {
		await page.getByRole('tab', { name: 'Console' }).click()
		await run('select o.id, o.customer from orders o where o.customer = 7 order by o.id limit 1')
		await result().getByRole('gridcell', { name: '7', exact: true }).click()
		await page.keyboard.press('F12')
		const customers = page.getByRole('tabpanel').visible()
		await customers.getByRole('button', { name: 'id is 7', exact: true }).waitFor()
		await customers.getByText('1 row', { exact: true }).waitFor()
		await page.getByRole('tab', { name: 'Console' }).click()
		await result().getByRole('gridcell', { name: '7', exact: true }).click({ button: 'right' })
		for (const name of ['Go to public.customers', 'Edit in public.orders'])
			await page.getByRole('menuitem', { name }).waitFor()
		await page.keyboard.press('Escape')
		// The table opens whole again after the jump.
		await page.getByRole('button', { name: 'Close customers' }).click()
		const reopened = await shop.openTable('customers')
		await reopened.root.getByText(/^[\d,]+ rows$/).waitFor()
		expect(await reopened.root.getByRole('list', { name: 'Filters' }).count()).toBe(0)
	})
})
