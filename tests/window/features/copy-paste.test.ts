import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ArithmeticWindow } from '../../support/arithmetic-window.ts'
import { SampleWindow, TablePanel } from '../../support/window.ts'

/** Copying uses exactly the selection, and a pasted block of a spreadsheet is staged cell by cell. */
describe('a block of cells', () => {
	let window: ArithmeticWindow
	let table: TablePanel

	beforeAll(async () => {
		window = await ArithmeticWindow.open()
		table = await window.openTable('small')
		await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
	})
	afterAll(() => window?.[Symbol.asyncDispose]())

	const clipboard = () => window.page.evaluate<string>('navigator.clipboard.readText()')
	const press = (keys: string) => window.page.keyboard.press(keys)
	const status = () => table.root.locator('.grid-status')
	const staged = (many: number) => table.root.getByText(`${many} change${many === 1 ? '' : 's'} not saved`).waitFor()
	const put = (text: string) => window.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)

	/** Drags from the centre of one cell to the centre of another. */
	async function drag(from: readonly [number, string], to: readonly [number, string]): Promise<void> {
		const { page } = window
		const middle = async ([row, column]: readonly [number, string]) => {
			const box = await (await table.cell(row, column)).boundingBox()
			return [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2] as const
		}
		await page.mouse.move(...(await middle(from)))
		await page.mouse.down()
		await page.mouse.move(...(await middle(to)), { steps: 4 })
		await page.mouse.up()
	}

	test('selected by mouse is copied as text and as a table, without other cells', async () => {
		await drag([1, 'c0'], [2, 'c2'])
		await status().getByText('6 cells').waitFor()
		await press('ControlOrMeta+c')
		const lines = [1, 2].map(row =>
			[
				`value 3 of row ${row}`,
				100_000_000_000_004 + row * 7,
				new Date(1_700_000_000_005 + row * 1000).toISOString(),
			].join('\t'),
		)
		await expect.poll(clipboard).toBe(lines.join('\n'))
		const html = await window.page.evaluate<string>(
			'navigator.clipboard.read().then(([item]) => item.getType("text/html")).then(blob => blob.text())',
		)
		expect(html.replaceAll(/<td[^>]*>/g, '<td>')).toContain('<td>value 3 of row 1</td><td>100000000000011</td>')
		expect(await window.page.evaluate('getSelection().toString()')).toBe('')
		expect(await table.root.locator('.grid-cell.selected').count()).toBe(6)
	})

	test('is extended by Shift with an arrow key or a click, and to whole rows and columns', async () => {
		await (await table.cell(3, 'n')).click()
		await press('Shift+ArrowRight')
		await press('Shift+ArrowDown')
		await status().getByText('4 cells').waitFor()
		await (await table.cell(5, 'c1')).click({ modifiers: ['Shift'] })
		await status().getByText('9 cells').waitFor()
		await press('Shift+Space')
		await status().getByText('33 cells').waitFor()
		await (await table.cell(0, 'n')).click()
		await press('ControlOrMeta+Space')
		await status().getByText('200 cells').waitFor()
		await press('ControlOrMeta+c')
		await expect
			.poll(async () => (await clipboard()).split('\n'))
			.toEqual(Array.from({ length: 200 }, (_, n) => `${n}`))
		const number = (row: number) => table.root.locator(`[role=row][aria-rowindex="${row + 2}"] > [role=rowheader]`)
		await number(2).click()
		await number(4).click({ modifiers: ['Shift'] })
		await status().getByText('33 cells').waitFor()
		await press('ControlOrMeta+a')
		await status().getByText('2,200 cells').waitFor()
	})

	test('that is dragged past the edge scrolls the table', async () => {
		const { page } = window
		await (await table.cell(0, 'id')).hover()
		await page.mouse.down()
		const grid = await table.grid.boundingBox()
		await page.mouse.move((grid?.x ?? 0) + 120, (grid?.y ?? 0) + (grid?.height ?? 0) + 60, { steps: 3 })
		await expect
			.poll(
				async () =>
					Number(
						(
							await status()
								.getByText(/cells$/)
								.innerText()
						).replace(/\D/g, ''),
					),
				{ timeout: 20_000 },
			)
			.toBe(200)
		await page.mouse.up()
		await press('ControlOrMeta+Home')
	})

	test('is copied in another format, with or without names', async () => {
		await drag([0, 'id'], [1, 'n'])
		await press('ControlOrMeta+Shift+c')
		const sheet = window.page.getByRole('dialog', { name: 'Copy 4 cells' })
		await sheet.getByLabel('CSV').check()
		await sheet.getByRole('button', { name: 'Copy' }).click()
		await expect.poll(clipboard).toBe('id,n\r\nr0,0\r\nr1,1')
		await sheet.waitFor({ state: 'detached' })
		await press('ControlOrMeta+Shift+c')
		await sheet.getByLabel('CSV').check()
		await sheet.getByLabel('With column names').uncheck()
		await sheet.getByRole('button', { name: 'Copy' }).click()
		await expect.poll(clipboard).toBe('r0,0\r\nr1,1')
		await sheet.waitFor({ state: 'detached' })
	})

	test('from a spreadsheet is staged as one step, and a message counts the cells that do not fit', async () => {
		await put('90071992547409931\tnew\t12\n5\t"two\nlines"\t12,5')
		await (await table.cell(1, 'n')).click()
		await press('ControlOrMeta+v')
		await table.root.getByText('Pasted 5 of 6 cells: 1 is not a number (c1).').waitFor()
		await staged(5)
		await expect.poll(async () => (await table.cell(1, 'n')).innerText()).toBe('90071992547409931')
		await expect.poll(async () => (await table.cell(2, 'c0')).innerText()).toBe('two lines')
		await press('ControlOrMeta+z')
		await expect.poll(async () => (await table.cell(1, 'n')).innerText()).toBe('1')
		await press('ControlOrMeta+Shift+z')
		await staged(5)
		await table.root.getByRole('button', { name: 'Discard' }).click()
	})

	test('longer than the table adds new rows, except what a column does not take, as one step', async () => {
		await put('x\t1\ny\t2\nz\t3')
		await table.grid.focus()
		await press('ControlOrMeta+End')
		await press('Home')
		await press('ArrowUp')
		await press('ControlOrMeta+v')
		await table.root
			.getByText('Pasted 4 of 6 cells: 2 are in id, which cannot be changed here. Added 1 new row at the top.')
			.waitFor()
		await staged(3)
		expect(await (await table.cell(0, 'n')).innerText()).toBe('3')
		await press('ControlOrMeta+z')
		await table.root.getByText('not saved').waitFor({ state: 'detached' })
		await put(Array.from({ length: 1002 }, (_, n) => `x\t${n}`).join('\n'))
		await table.grid.focus()
		await press('ControlOrMeta+End')
		await press('ControlOrMeta+v')
		await table.root.getByText('1,001 new rows are pasted, and at most 1,000 can be added at once.').waitFor()
		expect(await table.root.getByText('not saved').count()).toBe(0)
	})

	test('can be filled with one value, or with its first row', async () => {
		await table.grid.focus()
		await press('ControlOrMeta+Home')
		await put('same')
		await drag([1, 'c0'], [4, 'c0'])
		await press('ControlOrMeta+v')
		await staged(4)
		await expect.poll(async () => (await table.cell(4, 'c0')).innerText()).toBe('same')
		await press('ControlOrMeta+z')
		await drag([1, 'c0'], [4, 'c1'])
		await press('ControlOrMeta+d')
		await staged(6)
		await expect.poll(async () => (await table.cell(4, 'c1')).innerText()).toBe('100000000000011')
		await table.root.getByRole('button', { name: 'Discard' }).click()
		expect(window.faults).toEqual([])
	})
})

describe('a value that the grid shows cut', () => {
	test('is copied completely', async () => {
		await using window = await SampleWindow.open()
		const books = await window.openTable('books')
		await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
		await books.search('_id:"collected-works"', '1 document')
		await books.scrollTo('excerpts')
		await (await books.cell(0, 'excerpts')).click()
		await window.page.keyboard.press('ControlOrMeta+c')
		const { _source } = await window.cluster<{ _source: { excerpts: string[] } }>('/books/_doc/collected-works')
		const copied = async () => {
			const text = await window.page.evaluate<string>('navigator.clipboard.readText()')
			return text.startsWith('[') && JSON.parse(text)
		}
		await expect.poll(copied).toEqual(_source.excerpts)
	})
})

describe('a block pasted as new rows', () => {
	test('begins in a new row or by its own key, is typed by column, and is saved', async () => {
		await using window = await SampleWindow.open()
		const { page } = window
		await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
		const put = (text: string) => page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
		await window.cluster('/notes/_doc/1?refresh=true', { method: 'PUT', body: { pages: 12, title: 'first' } })
		await page.getByRole('navigation').getByRole('button', { name: 'Reload' }).click()
		const table = await window.openTable('notes')
		await put('7\tseventh\n\tno number\nx\tlast')
		await (await table.cell(0, 'pages')).click()
		await page.keyboard.press('ControlOrMeta+Shift+v')
		await table.root
			.getByText('Pasted 5 of 6 cells: 1 is not a number (pages). Added 3 new documents at the top.')
			.waitFor()
		expect(await (await table.cell(3, 'title')).innerText()).toBe('first')
		await put('8\n9')
		await (await table.cell(2, 'pages')).click()
		await page.keyboard.press('ControlOrMeta+v')
		await table.root.getByText('Pasted 2 cells. Added 1 new document at the top.').waitFor()
		await table.save()
		await table.dismissMessage('Saved 4 documents.')
		const found = await window.cluster<{ hits: { hits: { _source: unknown }[] } }>('/notes/_search?size=10')
		const sources = found.hits.hits.map(hit => hit._source)
		expect(sources).toHaveLength(5)
		expect(sources).toEqual(
			expect.arrayContaining([
				{ pages: 12, title: 'first' },
				{ pages: 7, title: 'seventh' },
				{ title: 'no number' },
				{ pages: 8, title: 'last' },
				{ pages: 9 },
			]),
		)
		// The heading names the columns in another order than that of the table.
		await put('TITLE\tPages\ntenth\t10')
		await (await table.cell(0, 'pages')).click()
		await page.keyboard.press('ControlOrMeta+Shift+v')
		await table.root
			.getByText('Pasted 2 cells. The first line was read as fields. Added 1 new document at the top.')
			.waitFor()
		await table.save()
		await table.dismissMessage('Saved 1 document.')
		expect(await window.cluster('/notes/_count?q=title:tenth%20AND%20pages:10')).toMatchObject({ count: 1 })
		// Objects are rows by the names of their members, also those that the table has no column for.
		await put('{"_id":"json-1","title":"eleventh","pages":9007199254740993}\n{"title":"twelfth","more":{"a":[1]}}')
		await (await table.cell(0, 'pages')).click()
		await page.keyboard.press('ControlOrMeta+Shift+v')
		await table.root.getByText('Added 2 new documents at the top.').waitFor()
		// One cell takes no objects, and an export of the driver is read as the rows in it.
		await put('{"_index":"old","_id":"json-2","_source":{"title":"fourteenth"}}')
		await (await table.cell(0, 'pages')).click()
		await page.keyboard.press('ControlOrMeta+v')
		await page.getByText('Not pasted into the cell: 1 JSON object.').waitFor()
		await page.getByRole('button', { name: 'Paste as new documents' }).click()
		await table.root.getByText('Added 1 new document at the top.').waitFor()
		await put('title,pages\n"thirteenth, of commas",13')
		await (await table.cell(0, 'pages')).click()
		await page.keyboard.press('ControlOrMeta+Shift+v')
		await table.root.getByText('The first line was read as fields. Added 1 new document at the top.').waitFor()
		await table.save()
		await table.dismissMessage('Saved 4 documents.')
		expect(await window.cluster('/notes/_doc/json-2')).toMatchObject({ _source: { title: 'fourteenth' } })
		const json = await window.cluster<{ _source: object }>('/notes/_doc/json-1')
		expect(json._source).toMatchObject({ title: 'eleventh' })
		expect(await window.cluster('/notes/_count?q=more.a:1')).toMatchObject({ count: 1 })
		expect(await window.cluster('/notes/_count?q=pages:13')).toMatchObject({ count: 1 })
		expect(window.faults).toEqual([])
	})

	test('fills an empty table', async () => {
		await using window = await SampleWindow.open()
		const { page } = window
		await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
		const mappings = { properties: { title: { type: 'keyword' } } }
		await window.cluster('/blank', { method: 'PUT', body: { mappings } })
		await page.getByRole('navigation').getByRole('button', { name: 'Reload' }).click()
		await page.getByRole('list', { name: 'Indices' }).getByRole('button', { name: 'blank' }).click()
		const table = new TablePanel(page.getByRole('tabpanel', { name: 'blank', exact: true }))
		await table.root.getByText('This index has no documents.').waitFor()
		await page.evaluate(`navigator.clipboard.writeText('one\\ntwo')`)
		await table.grid.focus()
		await page.keyboard.press('End')
		await page.keyboard.press('ControlOrMeta+v')
		await table.root.getByText('Pasted 2 cells. Added 2 new documents at the top.').waitFor()
		await table.save()
		await table.dismissMessage('Saved 2 documents.')
		expect(await window.cluster('/blank/_count')).toMatchObject({ count: 2 })
	})
})

describe('text that was copied in the grid', () => {
	test('is pasted unchanged, with line ends and an empty last cell', async () => {
		await using window = await SampleWindow.open()
		await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
		const documents = [
			{ from: 'one\r\ntwo', to: 'first' },
			{ from: null, to: 'second' },
		]
		for (const [id, body] of documents.entries()) {
			await window.cluster(`/lines/_doc/${id}?refresh=true`, { method: 'PUT', body })
		}
		await window.page.getByRole('navigation').getByRole('button', { name: 'Reload' }).click()
		const table = await window.openTable('lines')
		await (await table.cell(0, 'from')).click()
		await window.page.keyboard.press('Shift+ArrowDown')
		await window.page.keyboard.press('ControlOrMeta+c')
		await expect.poll(() => window.page.evaluate('navigator.clipboard.readText()')).toBe('"one\r\ntwo"\n')
		await (await table.cell(0, 'to')).click()
		await window.page.keyboard.press('ControlOrMeta+v')
		await table.root.getByText('Pasted 2 cells.').waitFor()
		await table.save()
		await table.dismissMessage('Saved 2 documents.')
		const stored = async (id: number) =>
			(await window.cluster<{ _source: Record<string, unknown> }>(`/lines/_doc/${id}`))._source.to
		expect([await stored(0), await stored(1)]).toEqual(['one\r\ntwo', null])
	})
})
