import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ShopWindow } from '../../support/shop-window.ts'
import type { TablePanel } from '../../support/window.ts'

const schema = `create table pst (id int primary key, a text, d jsonb, e bytea, n float8);
	insert into pst (id, a, d, e) values (1, 'a', '"x"', '\\xdead'), (10, 'json', 'null', ''), (20, 'sql', null, null);`

/** Each way in which a whole row is written: a form, a pasted block, pasted objects, a copy of a row, a row as JSON. */
describe('rows that are written whole', () => {
	let shop: ShopWindow
	let table: TablePanel

	beforeAll(async () => {
		shop = await ShopWindow.open(schema)
		table = await shop.openTable('pst')
	})
	afterAll(() => shop?.[Symbol.asyncDispose]())

	const press = (keys: string) => shop.page.keyboard.press(keys)
	const form = () => shop.page.getByRole('dialog', { name: 'New row' })
	const add = () => form().getByRole('button', { name: 'Add' }).click()
	const row = async (id: number) => (await shop.server.sql(`select a, d::text, e::text from pst where id = ${id}`))[0]

	async function paste(text: string): Promise<void> {
		await shop.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
		await press('ControlOrMeta+Shift+V')
	}

	test('have the bytes that were typed, pasted or copied', async () => {
		await (await table.cell(0, 'a')).click()
		await press('ControlOrMeta+Shift+D')
		await form().getByLabel('id', { exact: true }).fill('2')
		expect(await form().getByLabel('e', { exact: true }).inputValue()).toBe('de ad')
		await add()
		await press('Insert')
		await form().getByLabel('id', { exact: true }).fill('3')
		await form().getByLabel('e', { exact: true }).fill('\\xbeef')
		await form().getByLabel('n', { exact: true }).fill('-inf')
		await add()
		await paste('id\td\te\n4\t[1]\t\\xbeef')
		await table.root.getByText('3 changes not saved').waitFor()
		await paste('[{"id": 5, "d": "z", "e": "vu8="}, {"id": 6, "e": "\\\\xbeef"}, {"id": 7, "e": "no bytes"}]')
		await shop.page.getByText('e was left out: it is not base64.').waitFor()
		await table.save()
		await table.nothingStaged()
		expect(await shop.server.sql('select n::text from pst where id = 3')).toEqual([{ n: '-Infinity' }])
		await table.edit(0, 'n', 'NaN')
		await table.save()
		await table.nothingStaged()
		expect(await shop.server.sql('select n::text from pst where id = 1')).toEqual([{ n: 'NaN' }])
		expect(await row(2)).toEqual({ a: 'a', d: '"x"', e: '\\xdead' })
		expect(await row(3)).toEqual({ a: null, d: null, e: '\\xbeef' })
		expect(await row(4)).toEqual({ a: null, d: '[1]', e: '\\xbeef' })
		expect(await row(5)).toEqual({ a: null, d: '"z"', e: '\\xbeef' })
		expect(await row(6)).toEqual({ a: null, d: null, e: '\\xbeef' })
		expect(await row(7)).toEqual({ a: null, d: null, e: null })
	})

	test('tell a null of JSON from NULL', async () => {
		for (const [name, id] of [
			['json', 11],
			['sql', 21],
		] as const) {
			await (await table.cells('a')).getByText(name, { exact: true }).first().click()
			const opened = async () => {
				if ((await form().count()) === 0) await press('ControlOrMeta+Shift+D')
				return form().count()
			}
			await expect.poll(opened, { interval: 500, timeout: 5_000 }).toBe(1)
			await form().getByLabel('id', { exact: true }).fill(String(id))
			await add()
			await table.save()
			await table.nothingStaged()
			// The rows are read again, which moves those below.
			await (await table.cells('id')).getByText(String(id), { exact: true }).waitFor()
		}
		await press('Insert')
		await form().getByLabel('id', { exact: true }).fill('12')
		await form().getByLabel('d', { exact: true }).fill('null')
		await add()
		await table.save()
		await table.nothingStaged()
		const nulls = await shop.server.sql(
			'select id, d::text, d is null as sql from pst where id in (11, 12, 21) order by id',
		)
		expect(nulls).toEqual([
			{ id: 11, d: 'null', sql: false },
			{ id: 12, d: 'null', sql: false },
			{ id: 21, d: null, sql: true },
		])
	})

	/** The index of the last row of the table. */
	const last = async () => Number((await shop.server.sql('select count(*)::int as n from pst'))[0]?.n) - 1

	test('are made again after their deletion', async () => {
		const all = () => shop.server.sql('select id, a, d::text, e::text, n::text from pst order by id')
		const before = await all()
		for (const name of ['json', 'sql']) {
			await (await table.cells('a')).getByText(name, { exact: true }).first().click()
			await press('Delete')
		}
		await table.save()
		await table.nothingStaged()
		expect(await all()).toHaveLength(before.length - 2)
		const deleted = shop.page.getByRole('listitem').filter({ hasText: 'Deleted 2 rows.' })
		await deleted.getByRole('button', { name: 'Undo', exact: true }).click()
		await shop.page.getByText('Recreated 2 rows.').waitFor()
		expect(await all()).toEqual(before)
	})

	test('have the bytes and the JSON of the row as JSON', async () => {
		await (await table.cell(0, 'a')).click()
		await press('Space')
		const editor = shop.page.getByRole('textbox', { name: 'Row as JSON' })
		const write = async (text: string) => {
			await editor.click()
			await press('ControlOrMeta+a')
			await shop.page.keyboard.insertText(text)
			await press('ControlOrMeta+Enter')
		}
		await write('{"id": 1, "a": "b", "d": "x", "e": "no bytes", "n": "NaN"}')
		await shop.page.getByText('e is not base64.').waitFor()
		await write('{"id": 1, "a": "b", "d": "text", "e": "vu8=", "n": "NaN"}')
		await table.root.getByText('3 changes not saved').waitFor()
		await table.save()
		await table.nothingStaged()
		expect(await row(1)).toEqual({ a: 'b', d: '"text"', e: '\\xbeef' })
		await shop.server.sql("insert into pst (id, a, d, e) values (30, '', '{\"k\": [1]}', '\\xf00d')")
		await press('Escape')
		for (const [column, words] of [
			['a', 'a is ""'],
			['d', 'd is {"k": [1]}'],
			['e', 'e is f0 0d'],
		] as const) {
			await table.root.getByRole('button', { name: 'Reload' }).first().click()
			await (await table.cell(await last(), column)).click()
			await press('=')
			await table.root
				.getByRole('list', { name: 'Filters' })
				.getByRole('button', { name: words, exact: true })
				.waitFor()
			await table.root.getByText('1 row', { exact: true }).waitFor()
			await table.root.getByRole('button', { name: `Remove ${words}` }).click()
			await table.root.getByText('1 row', { exact: true }).waitFor({ state: 'detached' })
		}
		await (await table.cell(await last(), 'a')).click()
		await press('Alt+Shift+O')
		const apart = shop.page.getByRole('tabpanel').visible()
		await apart.getByRole('button', { name: 'a is ""', exact: true }).waitFor()
		await apart.getByText('1 row', { exact: true }).waitFor()
		expect(shop.faults).toEqual([])
	})
})
