import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, openPage } from '../../support/browser.ts'
import { overHttp } from '../../support/clients.ts'
import { foreignWordsOn } from '../../support/foreign-words.ts'
import { Roundhouse } from '../../support/roundhouse.ts'
import { TestRegistry } from '../../support/test-registry.ts'
import { TablePanel } from '../../support/window.ts'

describe('an engine that is not a search engine', () => {
	let browser: Browser
	let roundhouse: Roundhouse
	let registry: TestRegistry
	let page: Page
	let endpoint = ''
	const faults: string[] = []

	beforeAll(async () => {
		registry = await TestRegistry.make()
		await registry.addOwn('ledger')
		roundhouse = await Roundhouse.make()
		const { mcp } = await roundhouse.serve([
			'--registry',
			registry.source.url,
			'--registry-key',
			registry.source.fingerprint,
		])
		endpoint = mcp.url
		browser = await openBrowser()
		page = await openPage(browser, roundhouse, faults)
	})
	afterAll(async () => {
		await browser?.close()
		await roundhouse?.[Symbol.asyncDispose]()
		await registry?.[Symbol.asyncDispose]()
	})

	const dialog = () => page.getByRole('dialog')
	const panel = () => new TablePanel(page.getByRole('tabpanel', { name: 'accounts', exact: true }))

	const noForeignWord = async () => expect(await foreignWordsOn(page)).toEqual([])

	test('can be chosen, installed and connected', async () => {
		await noForeignWord()
		await page.getByRole('main').getByRole('button', { name: 'New connection' }).click()
		await page.getByRole('button', { name: 'Ledger' }).waitFor()
		await noForeignWord()
		await page.getByRole('button', { name: 'Ledger' }).click()
		await dialog().getByRole('button', { name: 'Download and install' }).waitFor()
		await noForeignWord()
		await dialog().getByRole('button', { name: 'Download and install' }).click()
		await dialog().getByLabel('Name').fill('Mine')
		await dialog().getByLabel('External access').selectOption('read-write')
		await dialog().getByLabel('AI policy').selectOption('allow')
		await noForeignWord()
		await dialog().getByRole('button', { name: 'Save and open' }).click()
		await page.getByRole('list', { name: 'Journals' }).getByRole('button', { name: 'accounts' }).waitFor()
		await noForeignWord()
	})

	test('shows its rows under its own term for them', async () => {
		await page.getByRole('list', { name: 'Journals' }).getByRole('button', { name: 'accounts' }).click()
		await panel().root.getByText('2 accounts', { exact: true }).waitFor()
		await expect.poll(async () => (await panel().cell(0, 'balance')).innerText()).toBe('9223372036854775807')
		await panel().root.getByRole('button', { name: 'Filter', exact: true }).click()
		expect(await panel().root.getByLabel('Column', { exact: true }).inputValue()).toBe('balance')
		await panel().root.getByRole('button', { name: 'Filter', exact: true }).click()
		await (await panel().cell(1, 'balance')).click()
		await page.keyboard.press('Space')
		await page.getByRole('complementary', { name: 'Account' }).getByText('"bob"').waitFor()
		await noForeignWord()
		await page.getByRole('button', { name: 'Close account', exact: true }).click()
	})

	test('has no search field for a query language that it does not have', async () => {
		await panel().root.getByRole('toolbar', { name: 'Grid' }).getByRole('button', { name: 'New account' }).waitFor()
		expect(await panel().root.getByRole('searchbox', { name: 'Query' }).count()).toBe(0)
	})

	test('changes a value in the grid', async () => {
		await panel().edit(1, 'balance', '13')
		await panel().save()
		await panel().dismissMessage('Saved 1 account.')
		await noForeignWord()
	})

	test('adds a row with a key that the user enters', async () => {
		await panel().root.getByRole('button', { name: 'New account' }).click()
		const sheet = page.getByRole('dialog', { name: 'New account' })
		await sheet.getByLabel('Account as JSON').fill('{"balance": 7}')
		await sheet.getByRole('button', { name: 'Add', exact: true }).click()
		await sheet.getByRole('alert').getByText('id is required.').waitFor()
		await noForeignWord()
		await sheet.getByLabel('id', { exact: true }).fill('cleo')
		await sheet.getByRole('button', { name: 'Add', exact: true }).click()
		await panel().save()
		await panel().root.getByText('3 accounts', { exact: true }).waitFor()
		await panel().root.getByRole('gridcell', { name: 'cleo' }).waitFor()
		const key = await panel().cell(0, 'id')
		expect(await key.getAttribute('aria-readonly')).toBe('true')
		expect(await key.getAttribute('title')).toBe('id can be set in a new account only.')
	})

	test('has its own menus, exports and conflicts', async () => {
		await (await panel().cell(0, 'balance')).click({ button: 'right' })
		await page.getByRole('menuitem', { name: 'Open account' }).waitFor()
		await noForeignWord()
		await page.keyboard.press('Escape')
		await panel().root.getByRole('button', { name: 'Export' }).click()
		await dialog().getByLabel('Accounts').waitFor()
		await noForeignWord()
		await page.keyboard.press('Escape')
		const other = await openPage(browser, roundhouse, faults)
		await other.getByRole('button', { name: 'Mine', exact: true }).click()
		await other.getByRole('list', { name: 'Journals' }).getByRole('button', { name: 'accounts' }).click()
		const theirs = new TablePanel(other.getByRole('tabpanel', { name: 'accounts', exact: true }))
		await theirs.root.getByText('3 accounts', { exact: true }).waitFor()
		await theirs.edit(0, 'balance', '1')
		await theirs.save()
		await theirs.dismissMessage('Saved 1 account.')
		await other.close()
		await panel().edit(0, 'balance', '2')
		await panel().save()
		await panel().root.getByText('An account was changed by another client.').waitFor()
		await panel().root.getByRole('button', { name: 'Compare' }).click()
		await dialog().getByRole('button', { name: 'Take theirs' }).and(page.locator(':enabled')).waitFor()
		await noForeignWord()
		await dialog().getByRole('button', { name: 'Take theirs' }).click()
	})

	test('has a console in its own language', async () => {
		await page.getByRole('button', { name: 'Console', exact: true }).click()
		const tab = page.getByRole('tabpanel', { name: 'Console' })
		await tab.getByText('read accounts').waitFor()
		await noForeignWord()
		await tab.getByRole('textbox', { name: 'Console' }).click()
		await page.keyboard.insertText('-- all of them\nread accounts')
		await page.keyboard.press('ControlOrMeta+Enter')
		await tab.getByRole('article').getByText('OK').waitFor()
		await noForeignWord()
		// A comment and a first word have the styles of the manifest.
		const colours = await tab
			.locator('.cm-line')
			.evaluateAll(lines => lines.map(line => line.querySelector('span')?.textContent))
		expect(colours).toEqual(['-- all of them', 'read'])
	})

	test('saves, lists and offers statements under the neutral term', async () => {
		const tab = page.getByRole('tabpanel', { name: 'Console' })
		await tab.getByText('Runs the statement at the cursor').waitFor()
		await tab.getByRole('textbox', { name: 'Console' }).click()
		await page.keyboard.press('ControlOrMeta+s')
		const sheet = page.getByRole('dialog', { name: 'Save the statement' })
		await sheet.getByLabel('Name').waitFor()
		await noForeignWord()
		await sheet.getByRole('button', { name: 'Cancel' }).click()
		await roundhouse.withHost(async host => {
			const [mine] = await host.call('connections.list', {})
			const file = { connection: mine?.id ?? '', place: 'own', name: 'All accounts', text: 'read accounts' } as const
			await host.call('requests.add', file)
		})
		const saved = page.getByRole('list', { name: 'Saved statements' }).getByRole('button', { name: 'All accounts' })
		await saved.waitFor()
		await noForeignWord()
		await saved.click({ button: 'right' })
		await page.getByRole('menuitem', { name: 'Offer to AI …' }).click()
		await dialog().getByText('Always on Mine, and always this statement:').waitFor()
		await noForeignWord()
		await dialog().getByRole('button', { name: 'Cancel' }).click()
		await tab.getByRole('button', { name: 'Variables' }).click()
		await dialog().getByText('Where a text for the console says').waitFor()
		await noForeignWord()
		await dialog().getByRole('button', { name: 'Cancel' }).click()
		await tab.getByRole('button', { name: 'History' }).click()
		await page.getByPlaceholder('Search past statements and append one to the console').waitFor()
		await noForeignWord()
		await page.keyboard.press('Escape')
		await tab.getByRole('article').getByText('OK').first().click({ button: 'right' })
		await page.getByRole('menuitem', { name: 'Copy the statement' }).waitFor()
		await noForeignWord()
		await page.keyboard.press('Escape')
		await page.keyboard.press('ControlOrMeta+Shift+p')
		await dialog().getByText('Run all statements').waitFor()
		await noForeignWord()
		await page.keyboard.press('Escape')
	})

	test('shows its own facts, and runs the action of a fact after a confirmation', async () => {
		const console = page.getByRole('tabpanel', { name: 'Console' })
		await console.getByRole('textbox', { name: 'Console' }).click()
		await page.keyboard.press('ControlOrMeta+a')
		await page.keyboard.press('Delete')
		await page.keyboard.insertText('put dora')
		await page.keyboard.press('ControlOrMeta+Enter')
		await console.getByRole('article', { name: 'put dora' }).getByText('OK').waitFor()
		await page.getByRole('button', { name: 'Overview', exact: true }).click()
		const overview = page.getByRole('tabpanel', { name: 'Overview', exact: true })
		const work = overview.getByRole('region', { name: 'Work' })
		const lines = work.getByRole('row', { name: 'put dora' })
		await overview.getByRole('region', { name: 'Book' }).getByText('Open accounts').waitFor()
		await noForeignWord()
		await lines.getByRole('button', { name: 'Repeat' }).click()
		await dialog().getByText('put dora').waitFor()
		await dialog().getByRole('button', { name: 'Leave it' }).click()
		// Elements behind a closing dialog have no roles yet.
		await expect.poll(() => lines.count()).toBe(1)
		await lines.getByRole('button', { name: 'Repeat' }).click()
		await dialog().getByRole('button', { name: 'Repeat' }).click()
		await expect.poll(() => lines.count()).toBe(2)
		await work.getByRole('button', { name: 'Repeat' }).first().click()
		await dialog().getByRole('button', { name: 'Repeat' }).click()
		await dialog().getByRole('alert').getByText('it cannot be repeated').waitFor()
		await page.keyboard.press('Escape')
		await page.getByRole('tab', { name: 'accounts', exact: true }).click()
		await page.getByRole('button', { name: 'About this journal' }).click()
		await page.getByRole('tabpanel', { name: 'About accounts' }).getByText('About accounts', { exact: true }).waitFor()
		await noForeignWord()
	})

	test('uses its own term in the question of an AI client', async () => {
		const client = await overHttp(endpoint, await roundhouse.addToken('full'))
		const [saved] = await roundhouse.json<{ id: string }[]>(['connection', 'list'])
		const asked = client.callTool({
			name: 'execute_query',
			arguments: { connection_id: saved?.id, query: 'put cleo' },
		})
		const sheet = page.getByRole('dialog', { name: 'An AI client wants to run a statement' })
		await sheet.getByText('4 accounts').waitFor()
		await noForeignWord()
		await sheet.getByRole('button', { name: 'Refuse' }).click()
		expect((await asked).isError).toBe(true)
		await client.close()
	})

	test('causes no term of another engine in the settings', async () => {
		await page.getByRole('button', { name: 'Settings' }).click()
		for (const name of ['General', 'AI access', 'Activity', 'Appearance', 'Plugins']) {
			await page.getByRole('tab', { name }).click()
			await page.getByRole('tabpanel', { name }).waitFor()
			await noForeignWord()
		}
		expect(faults).toEqual([])
	})
})
