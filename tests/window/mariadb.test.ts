import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shop } from '../../plugins/mariadb/servers/schema.ts'
import { hasServer, startServer, type TestServer } from '../../plugins/mariadb/servers/server.ts'
import { openBrowser, openPage } from '../support/browser.ts'
import { ConsolePanel } from '../support/console-panel.ts'
import { noWordOfDocuments } from '../support/foreign-words.ts'
import { Pictures } from '../support/pictures.ts'
import { serveWithRegistry } from '../support/registry.ts'
import { Roundhouse } from '../support/roundhouse.ts'
import { TablePanel } from '../support/window.ts'

/** From the offer of the driver to a saved row and a definition, on a real MariaDB server. */
describe.skipIf(!hasServer)('MariaDB in the window', () => {
	let browser: Browser
	let roundhouse: Roundhouse
	let registry: Awaited<ReturnType<typeof serveWithRegistry>>
	let server: TestServer
	let page: Page
	let pictures: Pictures
	const faults: string[] = []

	const dialog = () => page.getByRole('dialog')
	const picture = (name: string) => pictures.take(page, name, 'light')

	beforeAll(async () => {
		;[server, browser, roundhouse] = await Promise.all([
			startServer({ schema: shop }),
			openBrowser(),
			Roundhouse.make(),
		])
		registry = await serveWithRegistry(roundhouse)
		pictures = await Pictures.into('test-results/window/mariadb')
		page = await openPage(browser, roundhouse, faults)
	})
	afterAll(async () => {
		await browser?.close()
		await roundhouse?.[Symbol.asyncDispose]()
		await registry?.close()
		await server?.stop()
		expect(faults).toEqual([])
	})

	test('the driver is offered, installed and connected', async () => {
		await page.getByRole('main').getByRole('button', { name: 'New connection' }).click()
		await page.getByRole('button', { name: 'MariaDB and MySQL' }).click()
		await picture('offer')
		await dialog().getByRole('button', { name: 'Download and install' }).click()
		await dialog().getByLabel('Host', { exact: true }).waitFor()
		const { port, password, database } = server.settings
		await dialog().getByLabel('Name', { exact: true }).fill('Shop')
		await dialog().getByLabel('Host', { exact: true }).fill('127.0.0.1')
		await dialog().getByLabel('Port', { exact: true }).fill(String(port))
		await dialog().getByLabel('Database', { exact: true }).fill(String(database))
		await dialog().getByLabel('Password', { exact: true }).fill(String(password))
		await picture('form')
		await noWordOfDocuments(page)
		await dialog().getByRole('button', { name: 'Save and open' }).click()
		await page.getByRole('list', { name: 'Tables' }).getByRole('button', { name: 'customers' }).first().waitFor()
	})

	test('a row is changed in one transaction, and its review shows the SQL', async () => {
		await page.getByRole('list', { name: 'Tables' }).getByRole('button', { name: 'customers' }).first().click()
		const root = page.getByRole('tabpanel', { name: 'shop.customers', exact: true })
		const customers = new TablePanel(root.filter({ visible: true }))
		await customers.root.getByText('60 rows', { exact: true }).waitFor()
		await picture('grid')
		await customers.edit(0, 'name', "Ada's")
		await customers.root.getByRole('button', { name: 'Review and save' }).click()
		await dialog().getByText('update shop.customers').waitFor()
		await picture('review')
		await dialog()
			.getByRole('button', { name: /^Save \d+ changes?$/ })
			.click()
		await customers.nothingStaged()
		expect(await server.sql('select name, full_name from customers where id = 1', 'shop')).toMatchObject([
			{ name: "Ada's", full_name: "Ada's (1000000007)" },
		])
	})

	test('a console has rows, a transaction, and the question before a definition', async () => {
		await page.getByRole('button', { name: 'Console', exact: true }).click()
		const panel = new ConsolePanel(page)
		await panel.run('select id, name, most, flags from customers limit 5')
		await panel.root.getByText('Customer 2').first().waitFor()
		await picture('console')
		await panel.run('begin')
		await panel.root.getByRole('group', { name: 'Transaction' }).waitFor()
		await panel.write('truncate order_lines')
		await page.keyboard.press('ControlOrMeta+Shift+Enter')
		await dialog()
			.getByText(/The server commits it at once, with all work that is open\. A rollback may not undo it\.$/)
			.waitFor()
		await picture('question')
		await dialog().getByRole('button', { name: 'Cancel' }).click()
		await panel.run('rollback')
		const transaction = panel.root.getByRole('group', { name: 'Transaction' })
		await transaction.waitFor({ state: 'detached' })
		const named = 'select name from customers where id = 2'
		const [before] = await server.sql(named, 'shop')
		await panel.root.getByRole('radiogroup', { name: 'Commit' }).getByText('Manual').click()
		await panel.run("update customers set name = 'Someone new' where id = 2")
		await transaction.getByText('Transaction open, 1 row changed').waitFor()
		expect(await server.sql(named, 'shop')).toEqual([before])
		await transaction.getByRole('button', { name: 'Roll back' }).click()
		await transaction.getByText('Transaction open').waitFor({ state: 'detached' })
		await noWordOfDocuments(page)
	})
})
