import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, openPage } from '../support/browser.ts'
import { serveWithRegistry } from '../support/registry.ts'
import { Roundhouse } from '../support/roundhouse.ts'
import { TablePanel } from '../support/window.ts'

/**
 * All tasks of a user outside of the grid (by-keyboard.test.ts, by-mouse.test.ts test the grid), from an empty folder
 * to an AI client, without keys except for texts. Each task starts where the previous one ended, and needs only the
 * texts of the window.
 */
describe('the whole window by mouse', () => {
	let browser: Browser
	let roundhouse: Roundhouse
	let registry: Awaited<ReturnType<typeof serveWithRegistry>>
	let person = ''
	let page: Page
	const faults: string[] = []

	beforeAll(async () => {
		person = await mkdtemp(join(tmpdir(), 'roundhouse-person-'))
		browser = await openBrowser()
		roundhouse = await Roundhouse.make({ HOME: person })
		registry = await serveWithRegistry(roundhouse)
		page = await openPage(browser, roundhouse, faults)
	})
	afterAll(async () => {
		await browser?.close()
		await roundhouse?.[Symbol.asyncDispose]()
		await registry?.close()
		await rm(person, { recursive: true, force: true })
	})

	const sheet = () => page.getByRole('dialog').last()
	const button = (name: string | RegExp, within: Page | Locator = page) =>
		within.getByRole('button', { name, exact: typeof name === 'string' })
	const tab = (name: string | RegExp) => page.getByRole('tab', { name, exact: typeof name === 'string' })
	const panel = () => page.getByRole('tabpanel').filter({ visible: true }).first()
	/** Chooses an entry of the menu of the toolbar in view. */
	const more = async (name: string) => {
		await button('More', panel()).click()
		await page.getByRole('menuitem', { name }).click()
	}
	const connection = (name: string) => button(name, page.getByRole('navigation', { name: 'Connections' }))
	const indices = () => page.getByRole('list', { name: 'Indices' })
	const index = (name: string) => indices().getByRole('button', { name })
	const books = () => new TablePanel(page.getByRole('tabpanel', { name: 'books', exact: true }))
	const editor = () => panel().getByRole('textbox', { name: 'Console' })
	const run = () => panel().getByRole('article').last()
	const saved = () => page.getByRole('list', { name: 'Saved requests' })
	/** Replaces the text of a field. */
	async function fill(field: Locator, text: string): Promise<void> {
		await field.click({ clickCount: 3 })
		await page.keyboard.insertText(text)
	}
	/** Chooses an item of the menu of an element, by its whole label without the shortcut. */
	async function choose(from: Locator, label: string): Promise<void> {
		await from.click({ button: 'right' })
		await page
			.getByRole('menuitem')
			.filter({ has: page.getByText(label, { exact: true }) })
			.click()
		await page.getByRole('menu').waitFor({ state: 'detached' })
	}
	async function settings(name: string): Promise<void> {
		await button('Settings').click()
		await tab(name).click()
	}
	async function close(): Promise<void> {
		await button('Close', sheet()).click()
		await page.getByRole('dialog').waitFor({ state: 'detached' })
	}
	/** Replaces all lines of the console: three clicks select the line below the pointer, whichever that is. */
	async function write(text: string): Promise<void> {
		await editor().click()
		await page.keyboard.press('ControlOrMeta+a')
		await page.keyboard.press('Delete')
		await page.keyboard.insertText(text)
	}

	test('1–4: finds and installs an engine, fills the form from its sample, and opens it', async () => {
		await button('New connection').first().click()
		await fill(sheet().getByRole('searchbox', { name: 'Find an engine' }), 'elastic')
		await button(/Elasticsearch/, sheet()).click()
		await button('Download and install', sheet()).click()
		await button('Use the sample', sheet()).click()
		await sheet().getByText('This connection uses the sample').waitFor()
		await button('Save and open', sheet()).click()
		await index('books').waitFor()
	})

	test('5–7: finds an index in the list, opens it, and reads its fields and settings', async () => {
		await fill(page.getByRole('searchbox', { name: 'Search indices' }), 'boo')
		await index('places').waitFor({ state: 'detached' })
		await index('books').click()
		await books().root.getByRole('gridcell').first().waitFor()
		await choose(index('books'), 'About this index')
		await panel()
			.getByRole('region', { name: 'Fields' })
			.getByRole('cell', { name: 'author.name', exact: true })
			.waitFor()
		await panel().getByRole('region', { name: 'Settings' }).getByText('index.number_of_shards').waitFor()
	})

	test('8: reads the health of the cluster', async () => {
		await choose(connection('Sample'), 'Overview')
		await panel().getByRole('region', { name: 'Health' }).getByText('green').waitFor()
	})

	test('9–10: reads a whole document, also as a tree', async () => {
		await tab(/^books/).click()
		await button('Show the document', books().root).or(button('Document', books().root)).first().click()
		const document = books().root.getByRole('complementary', { name: 'Document' })
		await document.getByText('"title"').first().waitFor()
		await document.getByRole('radio', { name: 'Tree' }).click()
		await document.getByRole('tree').waitFor()
		await button('Close document', document).click()
	})

	test('11–13: opens a console, runs a request, and reads its answer as rows and as JSON', async () => {
		await choose(connection('Sample'), 'New console')
		await write('GET /books/_search\n{"size": 2}')
		await button('Run', panel()).click()
		await run().getByRole('columnheader', { name: 'title' }).waitFor()
		await run().getByRole('radio', { name: 'JSON' }).click()
		await run().getByText('"hits"').first().waitFor()
		// A worker filters the answer. An error of the expression is shown, too.
		const filter = run().getByRole('textbox', { name: /^Filter of the answer/ })
		const json = run().getByRole('textbox', { name: 'the answer', exact: true })
		await filter.fill('length(hits.hits)')
		await expect.poll(() => json.innerText()).toBe('2')
		await filter.fill('hits[')
		await run().getByRole('alert').waitFor()
	})

	test('14–16: renames the console, saves its request, and opens it from the list', async () => {
		await choose(tab('Console'), 'Rename')
		await page.getByRole('textbox', { name: 'Name of Console' }).waitFor()
		await page.keyboard.insertText('First look')
		await editor().click()
		await tab('First look').waitFor()
		await button('Save', panel()).click()
		await fill(sheet().getByLabel('Name'), 'looks/Two books')
		await button('Save', sheet()).click()
		await saved().getByRole('button', { name: 'Two books' }).waitFor()
		await choose(tab('First look'), 'Close')
		await saved().getByRole('button', { name: 'Two books' }).click()
		await editor().getByText('GET /books/_search').waitFor()
	})

	test('17–18: formats a request, and finds a past run', async () => {
		await write('GET /books/_search\n{"size":1,"query":{"match_all":{}}}')
		await more('Format')
		await editor().getByText('"match_all": {}').waitFor()
		await button('History', panel()).click()
		await sheet().getByRole('option').first().waitFor()
		await page.keyboard.insertText('size')
		await sheet().getByRole('option').first().click()
		await editor().getByText('"size": 2').first().waitFor()
	})

	test('19–20: uses a variable in a request', async () => {
		await write('GET /{{which}}/_count')
		await more('Variables')
		expect(await sheet().getByLabel('Name').last().inputValue()).toBe('which')
		await fill(sheet().getByLabel('Value').last(), 'places')
		await button('Save', sheet()).click()
		await button('Run', panel()).click()
		await run().getByText('"count"').first().waitFor()
	})

	test('21–22: closes and reopens a tab, and switches to another', async () => {
		await choose(tab(/^books/), 'Close')
		await tab(/^books/).waitFor({ state: 'detached' })
		await choose(tab('Overview'), 'Open the last closed tab')
		await tab(/^books/).waitFor()
		await books().root.getByRole('gridcell').first().waitFor()
		await tab('Overview').click()
		await panel().getByRole('region', { name: 'Health' }).waitFor()
	})

	test('23–25: duplicates a connection, makes it read only, and gets a refused write', async () => {
		await choose(connection('Sample'), 'Duplicate')
		await choose(connection('Sample copy'), 'Edit')
		await fill(sheet().getByLabel('Name', { exact: true }), 'Guarded')
		await sheet().getByLabel('Writes').selectOption({ label: 'Read only' })
		await button('Save', sheet()).click()
		await choose(connection('Guarded'), 'New console')
		await write('DELETE /books')
		await button('Run', panel()).click()
		await panel()
			.getByText(/is read-only/)
			.first()
			.waitFor()
	})

	test('26: removes a connection after the window listed its data', async () => {
		await choose(connection('Guarded'), 'Remove')
		await sheet().getByText('its consoles with their history', { exact: false }).waitFor()
		await button('Remove Guarded', sheet()).click()
		await connection('Guarded').waitFor({ state: 'detached' })
	})

	test('27–29: chooses a theme, exports connections to a file, and browses drivers', async () => {
		await settings('Appearance')
		await sheet().getByRole('radio', { name: 'Dark' }).click()
		expect(await page.locator('html').getAttribute('style')).toContain('color-scheme: dark')
		await tab('General').click()
		const downloading = page.waitForEvent('download')
		await button('Export connections', sheet()).click()
		const path = await (await downloading).path()
		expect(JSON.parse(await readFile(path, 'utf8')).connections).toHaveLength(1)
		await tab('Plugins').click()
		await sheet().getByRole('radio', { name: 'Installed' }).click()
		await sheet().getByRole('list', { name: 'Installed' }).getByText('Elasticsearch', { exact: true }).waitFor()
		await close()
	})

	test('30–33: pairs an AI client, sets one up and undoes that, reads its activity, and revokes it', async () => {
		await settings('AI access')
		await fill(sheet().getByLabel('Name of the token'), 'assistant')
		await button('Create', sheet()).click()
		await sheet().getByText(/^rh_/).waitFor()
		const cursor = sheet().getByRole('list', { name: 'Clients' }).getByRole('listitem').filter({ hasText: 'Cursor' })
		await button('Set up', cursor).click()
		await button('Write it', page.getByRole('dialog', { name: 'Set up this client' })).click()
		await button('Undo set-up', cursor).click()
		await button('Write it', page.getByRole('dialog', { name: 'Undo the set-up' })).click()
		await button('Set up', cursor).waitFor()
		const tokens = page.getByRole('list', { name: 'Tokens' })
		await button('Revoke', tokens.getByRole('listitem').filter({ hasText: 'assistant' })).click()
		await tab('Activity').click()
		await sheet().getByRole('list', { name: 'Connected clients' }).waitFor()
		await close()
	})

	test('the walk causes no error', () => {
		expect(faults.join('\n')).toBe('')
	})

	test('34: closes and reopens the window, which restores everything', async () => {
		const names = await page.getByRole('tab').allInnerTexts()
		await page.close()
		page = await openPage(browser, roundhouse, faults)
		await expect.poll(() => page.getByRole('tab').allInnerTexts()).toEqual(names)
		await tab(/^books/).click()
		await books().root.getByRole('gridcell').first().waitFor()
		expect(faults.join('\n')).toBe('')
	})
})
