import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, openPage } from '../../support/browser.ts'
import { ConsolePanel } from '../../support/console-panel.ts'
import { foreignWordsOn } from '../../support/foreign-words.ts'
import { Roundhouse } from '../../support/roundhouse.ts'
import { TestRegistry } from '../../support/test-registry.ts'
import { TablePanel } from '../../support/window.ts'

/** The optional parts of the driver API, as a relational engine uses them (tests/mcp/drivers/shop). */
describe('a relational engine', () => {
	let browser: Browser
	let roundhouse: Roundhouse
	let registry: TestRegistry
	let page: Page
	const faults: string[] = []

	beforeAll(async () => {
		registry = await TestRegistry.make()
		await registry.addOwn('shop')
		await registry.addOwn('till')
		roundhouse = await Roundhouse.make()
		const { url, fingerprint } = registry.source
		await roundhouse.serve(['--registry', url, '--registry-key', fingerprint])
		await roundhouse.withHost(host =>
			host.call('connections.add', { driverId: 'shop', name: 'Shop', settings: {}, safeMode: 'free' }),
		)
		browser = await openBrowser()
		page = await openPage(browser, roundhouse, faults)
		await page.getByRole('button', { name: 'Shop', exact: true }).click()
		await tables().getByRole('button', { name: 'orders' }).waitFor()
	})
	afterAll(async () => {
		await browser?.close()
		await roundhouse?.[Symbol.asyncDispose]()
		await registry?.[Symbol.asyncDispose]()
	})

	const tables = () => page.getByRole('list', { name: 'Tables' })
	const noForeignWord = async () => expect(await foreignWordsOn(page)).toEqual([])
	const dialog = () => page.getByRole('dialog')
	const console = () => new ConsolePanel(page).root
	const run = (text: string) => new ConsolePanel(page).run(text)
	const transaction = () => console().getByRole('group', { name: 'Transaction' })
	const openTable = async (title: string) => {
		await tables().getByRole('button', { name: title }).click()
		const panel = new TablePanel(page.getByRole('tabpanel', { name: `shop.public.${title}`, exact: true }))
		await panel.root.getByRole('gridcell').first().waitFor()
		return panel
	}
	test('lists tables below their levels, with kinds and estimates', async () => {
		const names = await tables().getByRole('button').allInnerTexts()
		expect(names.map(name => name.replaceAll('\n', ' '))).toEqual([
			...['shop 3', 'public 3', 'customers 1', 'orders ≈ 2', 'totals view'],
		])
		await tables().getByRole('button', { name: 'public' }).click()
		await tables().getByRole('button', { name: 'orders' }).waitFor({ state: 'detached' })
		await page.getByRole('searchbox', { name: 'Search tables' }).fill('view')
		await tables().getByRole('button', { name: 'totals' }).waitFor()
		await page.getByRole('searchbox', { name: 'Search tables' }).fill('')
		await tables().getByRole('button', { name: 'orders' }).waitFor({ state: 'detached' })
	})

	test('a closed level stays closed after a reload of the window', async () => {
		async function reopen(): Promise<void> {
			await page.reload()
			await page.getByRole('button', { name: 'Shop', exact: true }).click()
		}
		await reopen()
		await tables().getByRole('button', { name: 'public' }).waitFor()
		expect(await tables().getByRole('button', { name: 'orders' }).count()).toBe(0)
		await tables().getByRole('button', { name: 'public' }).press('ArrowRight')
		await tables().getByRole('button', { name: 'orders' }).waitFor()
		await reopen()
		await tables().getByRole('button', { name: 'orders' }).waitFor()
	})

	test('a view offers no new row, no edit and no deletion, and says why', async () => {
		const totals = await openTable('totals')
		const insert = totals.root.getByRole('toolbar', { name: 'Grid' }).getByRole('button', { name: 'New row' })
		expect(await insert.isDisabled()).toBe(true)
		expect(await insert.getAttribute('title')).toBe('A view takes no changes.')
		await (await totals.cell(0, 'orders')).dblclick()
		expect(await totals.root.getByLabel('Edit orders').count()).toBe(0)
		await (await totals.cell(0, 'orders')).click()
		await page.keyboard.press('Delete')
		await totals.root.getByText('A view takes no changes.').waitFor()
		expect(await totals.root.getByText('not saved').count()).toBe(0)
	})

	test('an enumeration is edited by choice', async () => {
		const orders = await openTable('orders')
		await (await orders.cell(0, 'state')).dblclick()
		const editor = orders.root.getByLabel('Edit state')
		expect(await editor.locator('option').allInnerTexts()).toEqual(['new', 'paid', 'sent'])
		await editor.selectOption('sent')
		await page.keyboard.press('Enter')
		await orders.save()
		await expect.poll(async () => (await orders.cell(0, 'state')).innerText()).toBe('sent')
	})

	test('a new row needs what the engine has no value for, and shows its defaults', async () => {
		const orders = await openTable('orders')
		await orders.root.getByRole('button', { name: 'New row' }).click()
		await dialog().getByText('By column').click()
		expect(await dialog().getByLabel('id', { exact: true }).getAttribute('placeholder')).toContain('generates')
		await noForeignWord()
		await dialog().getByLabel('state').selectOption('paid')
		await dialog().getByRole('button', { name: 'Add', exact: true }).click()
		await dialog().getByText('customer is required.').waitFor()
		await dialog().getByLabel('customer').fill('1')
		await dialog().getByRole('button', { name: 'Add', exact: true }).click()
		await orders.save()
		await orders.root.getByText('3 rows', { exact: true }).waitFor()
	})

	test('one save is all or nothing, and the review says so', async () => {
		const orders = await openTable('orders')
		await orders.edit(0, 'customer', '5')
		await roundhouse.withHost(async host => {
			const [saved] = await host.call('connections.list', {})
			const change = { kind: 'update', rowId: '2', set: { customer: 9 } } as const
			const target = { connection: saved?.id ?? '', table: 'shop.public.orders' }
			await host.call('changes.apply', { ...target, changes: [change] })
		})
		await orders.edit(1, 'customer', '6')
		await orders.root.getByRole('button', { name: 'Review and save' }).click()
		await dialog().getByText('These statements are sent in this order. They are applied together').waitFor()
		await noForeignWord()
		await dialog().getByRole('button', { name: 'Save', exact: true }).click()
		await orders.root.getByText('was changed').first().waitFor()
		await noForeignWord()
		await orders.root.getByText('2 changes not saved').waitFor()
		await orders.root.getByRole('button', { name: 'Discard' }).click()
		await orders.root.getByRole('button', { name: 'Reload' }).click()
		await expect.poll(async () => (await orders.cell(0, 'customer')).innerText()).toBe('1')
	})

	test('bytes are shown with their size and edited as hexadecimal, and other text is refused', async () => {
		const customers = await openTable('customers')
		const photo = await customers.cell(0, 'photo')
		expect(await photo.innerText()).toBe('3 bytes  00 01 ff')
		await photo.click()
		await page.keyboard.press('Alt+Enter')
		await dialog().getByText('bytea, 3 bytes in hexadecimal').waitFor()
		await page.keyboard.press('Escape')
		await customers.edit(0, 'photo', 'hello')
		await customers.root.getByText('This is not hexadecimal').waitFor()
		await page.keyboard.press('Escape')
		await customers.edit(0, 'photo', '0xCAFE')
		await customers.save()
		await expect.poll(async () => (await customers.cell(0, 'photo')).innerText()).toBe('2 bytes  ca fe')
	})

	test('bytes that a page cuts are edited and copied whole', async () => {
		const customers = await openTable('customers')
		await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
		const whole = Array(20).fill('01').join(' ')
		await customers.edit(0, 'photo', whole)
		await customers.save()
		await customers.nothingStaged()
		const photo = await customers.cell(0, 'photo')
		await customers.root.getByRole('button', { name: 'Reload' }).click()
		await expect.poll(() => photo.innerText()).toBe(`20 bytes  ${Array(12).fill('01').join(' ')}`)
		await photo.dblclick()
		expect(await customers.root.getByLabel('Edit photo').inputValue()).toBe(whole)
		await page.keyboard.press('Escape')
		await photo.click()
		await page.keyboard.press('ControlOrMeta+c')
		await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(whole)
	})

	test('a text that a page cuts is edited whole', async () => {
		const customers = await openTable('customers')
		await (await customers.cell(0, 'note')).dblclick()
		const editor = customers.root.getByLabel('Edit note')
		expect(await editor.inputValue()).toBe('x'.repeat(30))
		await page.keyboard.press('End')
		await page.keyboard.type('y')
		await page.keyboard.press('Enter')
		await customers.save()
		await (await customers.cell(0, 'note')).dblclick()
		expect(await customers.root.getByLabel('Edit note').inputValue()).toBe(`${'x'.repeat(30)}y`)
		await page.keyboard.press('Escape')
	})

	test('the row that a cell refers to opens by a key', async () => {
		const orders = await openTable('orders')
		await (await orders.cell(0, 'customer')).click()
		await page.keyboard.press('F12')
		const customers = new TablePanel(page.getByRole('tabpanel', { name: 'shop.public.customers', exact: true }))
		await customers.root.getByText('1 row', { exact: true }).waitFor()
		await customers.root.getByText('id is 1').waitFor()
	})

	test('rows are exported in a format that the driver names', async () => {
		const orders = await openTable('orders')
		await orders.root.getByRole('button', { name: 'Export' }).click()
		await dialog().getByLabel('Format').selectOption({ label: 'SQL, INSERT statements' })
		const downloading = page.waitForEvent('download')
		await dialog().getByRole('button', { name: 'Export', exact: true }).click()
		const download = await downloading
		expect(download.suggestedFilename()).toBe('shop.public.orders.sql')
		expect(await readFile(await download.path(), 'utf8')).toMatch(/^INSERT INTO shop\.public\.orders VALUES \{"id":1,/)
		await page.keyboard.press('Escape')
		await dialog().waitFor({ state: 'detached' })
	})

	test('a statement shows its affected rows, several results, and its error at the word with a hint', async () => {
		await page.getByRole('button', { name: 'Console', exact: true }).click()
		await run('pay 2')
		await console().getByRole('article', { name: 'pay 2' }).getByText('1 row affected').waitFor()
		await run('both')
		const both = console().getByRole('article', { name: 'both' })
		expect(await both.getByRole('grid').count()).toBe(2)
		await run('pay 77')
		const failed = console().getByRole('article', { name: 'pay 77' })
		await failed.getByRole('alert').getByText('Read the orders first.').waitFor()
		await failed.getByRole('alert').getByText('02000').waitFor()
		expect(await console().locator('.cm-fault').innerText()).toBe('77')
	})

	test('the values of places travel apart from the text, are shown, and are not in the history', async () => {
		await roundhouse.withHost(async host => {
			const [saved] = await host.call('connections.list', {})
			await host.call('variables.write', { connection: saved?.id ?? '', values: { value: "'); drop", id: '2' } })
		})
		await run('echo {{value}}')
		const echo = console().getByRole('article', { name: 'echo {{value}}' })
		await echo.getByRole('gridcell', { name: "'); drop" }).waitFor()
		await echo.getByText('value = "\'); drop"').waitFor()
		await run('pay {{id}}')
		await console().getByRole('article', { name: 'pay {{id}}' }).getByText('1 row affected').waitFor()
		await roundhouse.withHost(async host => {
			const connection = (await host.call('connections.list', {}))[0]?.id ?? ''
			const past = await host.call('history.list', { connection })
			expect(past.map(({ statement }) => statement)).toEqual(expect.arrayContaining(['pay {{id}}', 'echo {{value}}']))
			expect(JSON.stringify(past)).not.toContain('drop')
		})
	})

	test('a review shows the text with its values, and holds for these values alone', async () => {
		await roundhouse.withHost(async host => {
			const draft = { driverId: 'shop', name: 'Careful', settings: {}, safeMode: 'ask' } as const
			const { id: connection } = await host.call('connections.add', draft)
			const statementWith = (id: string) => ({ text: 'pay {{id}}', parameters: { id } })
			const { statements, review } = await host.call('console.review', { connection, statements: [statementWith('1')] })
			expect(statements).toEqual([{ text: 'pay {{id}}\nid = "1"', access: 'write' }])
			const send = (id: string) => {
				const statement = { ...statementWith(id), start: 0, end: 10, summary: '', access: 'read' } as const
				return host.call('console.run', { connection, statement, maxRows: 1, review })
			}
			await expect(send('2')).rejects.toThrow('was not reviewed')
			await send('1')
			await host.call('connections.remove', { id: connection })
		})
	})

	test('a statement is explained as a tree with rows against the estimate, and one that writes is not', async () => {
		await run('read shop.public.orders')
		expect(await console().getByRole('button', { name: 'Show the plan' }).count()).toBe(0)
		await console().getByRole('button', { name: 'Explain by running it' }).click()
		await dialog().getByText('The statement was run and took 3 ms.').waitFor()
		expect(await dialog().getByRole('row').nth(2).getByRole('cell').allInnerTexts()).toEqual([
			...['Scan\nshop.public.orders', '40 %', '40 %', '2', '2'],
		])
		await dialog().getByRole('button', { name: 'Close' }).last().click()
		await run('pay 2')
		await console().getByRole('button', { name: 'Explain' }).click()
		await dialog().getByText('Only statements that read can be explained').waitFor()
		await page.keyboard.press('Escape')
		await dialog().waitFor({ state: 'detached' })
	})

	test('a console has a separate session, with a transaction that can be seen, rolled back and committed', async () => {
		await run('begin')
		await transaction().getByText('Transaction open').waitFor()
		await run('pay 1')
		await run('pay 88')
		await transaction().getByText('Transaction failed').waitFor()
		expect(await transaction().getByRole('button', { name: 'Commit' }).count()).toBe(0)
		await transaction().getByRole('button', { name: 'Roll back' }).click()
		await transaction().waitFor({ state: 'detached' })
		await run('begin')
		await run('pay 1')
		await transaction().getByRole('button', { name: 'Commit' }).click()
		await transaction().waitFor({ state: 'detached' })
		await run('read shop.public.orders')
		const read = console().getByRole('article', { name: 'read shop.public.orders' }).first()
		await expect.poll(() => read.getByRole('gridcell', { name: 'paid' }).count()).toBe(3)
	})

	test('a command that the driver reads fills the form, and other text stays where it was pasted', async () => {
		await roundhouse.withHost(host => host.call('drivers.install', { id: 'till' }))
		await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
		await page.getByRole('button', { name: 'New connection' }).first().click()
		await dialog().getByRole('button', { name: /Till/ }).first().click()
		const name = dialog().getByLabel('Name', { exact: true })
		expect(await name.getAttribute('placeholder')).toBe('A name, or paste a URL (till) or a till command')
		const paste = async (text: string) => {
			await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
			await page.keyboard.press('ControlOrMeta+v')
		}
		const value = (label: string) => dialog().getByLabel(label, { exact: true }).inputValue()
		await name.focus()
		await paste('till -h db.example -p 7001 -u me password=s3cret')
		await expect.poll(() => value('Host')).toBe('db.example')
		expect([await value('Port'), await value('User'), await value('Password')]).toEqual(['7001', 'me', 's3cret'])
		expect(await value('Name')).toBe('db.example')
		await name.fill('')
		await paste('Till of Ada')
		await expect.poll(() => value('Name')).toBe('Till of Ada')
		await dialog().getByLabel('Host', { exact: true }).fill('')
		await paste('till --wrong')
		await dialog().getByText('Till returned an invalid result for the pasted address').waitFor()
		await page.keyboard.press('Escape')
		await dialog().getByRole('button', { name: 'Discard' }).click()
		await dialog().waitFor({ state: 'detached' })
	})

	test('the browser asks before a reload loses an open transaction, and the console says that it was rolled back', async () => {
		const lost = console().getByText('The window was left while a transaction was open here')
		await run('begin')
		await transaction().waitFor()
		const asked = page.waitForEvent('dialog')
		const reloading = page.reload()
		const question = await asked
		expect(question.type()).toBe('beforeunload')
		await question.accept()
		await reloading
		await lost.waitFor()
		expect(await transaction().count()).toBe(0)
		await run('read shop.public.orders')
		await lost.waitFor({ state: 'detached' })
		await page.reload()
		await console().waitFor()
		expect(await lost.count()).toBe(0)
	})

	test('closing a console with an open transaction asks, and rolls it back', async () => {
		await run('begin')
		await transaction().waitFor()
		const tab = page.getByRole('tab', { name: 'Console' })
		await tab.click()
		await page.keyboard.press('ControlOrMeta+w')
		await dialog().getByText('Its transaction is not committed.').waitFor()
		await dialog().getByRole('button', { name: 'Roll back and close' }).click()
		await tab.waitFor({ state: 'detached' })
		await page.getByRole('button', { name: 'Console', exact: true }).click()
		await run('sessions')
		await console().getByRole('article', { name: 'sessions' }).getByText('1', { exact: true }).waitFor()
		expect(faults).toEqual([])
	})
})
