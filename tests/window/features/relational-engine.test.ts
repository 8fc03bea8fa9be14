import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, openPage } from '../../support/browser.ts'
import { ConsolePanel } from '../../support/console-panel.ts'
import { Roundhouse } from '../../support/roundhouse.ts'
import { TestRegistry } from '../../support/test-registry.ts'

/** Statements, values and transactions of the console, as a relational engine has them (tests/mcp/drivers/shop). */
describe('the console of a relational engine', () => {
	let browser: Browser
	let roundhouse: Roundhouse
	let registry: TestRegistry
	let page: Page
	const faults: string[] = []

	beforeAll(async () => {
		registry = await TestRegistry.make()
		await registry.addOwn('shop')
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
	const dialog = () => page.getByRole('dialog')
	const console = () => new ConsolePanel(page).root
	const run = (text: string) => new ConsolePanel(page).run(text)
	const transaction = () => console().getByRole('group', { name: 'Transaction' })

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
		await expect.poll(() => read.getByRole('gridcell', { name: 'paid' }).count()).toBe(2)
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
