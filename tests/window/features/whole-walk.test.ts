import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveRegistry } from '../../../registry/publisher/serve.ts'
import { openBrowser, openPage } from '../../support/browser.ts'
import { someOf } from '../../support/cases.ts'
import { type Hand, hands } from '../../support/hands.ts'
import { builtRegistry } from '../../support/registry.ts'
import { Roundhouse } from '../../support/roundhouse.ts'
import { TablePanel } from '../../support/window.ts'

/**
 * All tasks of a user outside of the grid (by-keyboard.test.ts, by-mouse.test.ts test the grid), from an empty folder
 * to an AI client: once without keys except for texts, once without a pointer. Each task starts where the previous one
 * ended, and needs only the texts of the window.
 */
describe.each(someOf<(typeof hands)[number]>(hands))('the whole window %s', (_, handOf) => {
	let browser: Browser
	let roundhouse: Roundhouse
	let registry: Awaited<ReturnType<typeof serveRegistry>>
	let person = ''
	let page: Page
	let hand: Hand
	const faults: string[] = []

	beforeAll(async () => {
		person = await mkdtemp(join(tmpdir(), 'roundhouse-person-'))
		browser = await openBrowser()
		roundhouse = await Roundhouse.make({ HOME: person })
		registry = await serveRegistry((await builtRegistry()).folder)
		await roundhouse.serve(['--registry', registry.url, '--registry-key', (await builtRegistry()).fingerprint])
		page = await openPage(browser, roundhouse, faults)
		hand = handOf(page)
	})
	afterAll(async () => {
		await browser?.close()
		await roundhouse?.[Symbol.asyncDispose]()
		await registry?.close()
		await rm(person, { recursive: true, force: true })
	})

	const press = (keys: string) => page.keyboard.press(keys)
	const sheet = () => page.getByRole('dialog').last()
	const button = (name: string | RegExp, within: Page | Locator = page) =>
		within.getByRole('button', { name, exact: typeof name === 'string' })
	const tab = (name: string | RegExp) => page.getByRole('tab', { name, exact: typeof name === 'string' })
	const panel = () => page.getByRole('tabpanel').filter({ visible: true }).first()
	const connection = (name: string) => button(name, page.getByRole('navigation', { name: 'Connections' }))
	const indices = () => page.getByRole('list', { name: 'Indices' })
	const index = (name: string) => indices().getByRole('button', { name })
	const books = () => new TablePanel(page.getByRole('tabpanel', { name: 'books', exact: true }))
	const editor = () => panel().getByRole('textbox', { name: 'Console' })
	const run = () => panel().getByRole('article').last()
	const saved = () => page.getByRole('list', { name: 'Saved requests' })
	async function settings(name: string): Promise<void> {
		await hand.use(button('Settings'))
		await hand.use(tab(name))
	}
	async function close(): Promise<void> {
		await hand.use(button('Close', sheet()))
		await page.getByRole('dialog').waitFor({ state: 'detached' })
	}
	async function write(text: string): Promise<void> {
		await hand.fill(editor(), text)
	}

	test('1–4: finds and installs an engine, fills the form from its sample, and opens it', async () => {
		await hand.use(button('New connection').first())
		await hand.fill(sheet().getByRole('searchbox', { name: 'Find an engine' }), 'elastic')
		await hand.use(button(/Elasticsearch/, sheet()))
		await hand.use(button('Download and install', sheet()))
		await hand.use(button('Use the sample', sheet()))
		await sheet().getByText('This connection uses the sample').waitFor()
		await hand.use(button('Save and open', sheet()))
		await index('books').waitFor()
	})

	test('5–7: finds an index in the list, opens it, and reads its fields and settings', async () => {
		await hand.fill(page.getByRole('searchbox', { name: 'Search indices' }), 'boo')
		await index('places').waitFor({ state: 'detached' })
		await hand.use(index('books'))
		await books().root.getByRole('gridcell').first().waitFor()
		await hand.choose(index('books'), 'About this index')
		await panel()
			.getByRole('region', { name: 'Fields' })
			.getByRole('cell', { name: 'author.name', exact: true })
			.waitFor()
		await panel().getByRole('region', { name: 'Settings' }).getByText('index.number_of_shards').waitFor()
	})

	test('8: reads the health of the cluster', async () => {
		await hand.choose(connection('Sample'), 'Overview')
		await panel().getByRole('region', { name: 'Health' }).getByText('green').waitFor()
	})

	test('9–10: reads a whole document, also as a tree', async () => {
		await hand.use(tab(/^books/))
		await hand.use(button('Show the document', books().root).or(button('Document', books().root)).first())
		const document = books().root.getByRole('complementary', { name: 'Document' })
		await document.getByText('"title"').first().waitFor()
		await hand.use(document.getByRole('radio', { name: 'Tree' }))
		await document.getByRole('tree').waitFor()
		await hand.use(button('Close document', document))
	})

	test('11–13: opens a console, runs a request, and reads its answer as rows and as JSON', async () => {
		await hand.choose(connection('Sample'), 'New console')
		await write('GET /books/_search\n{"size": 2}')
		await hand.use(button('Run', panel()))
		await run().getByRole('columnheader', { name: 'title' }).waitFor()
		await hand.use(run().getByRole('radio', { name: 'JSON' }))
		await run().getByText('"hits"').first().waitFor()
	})

	test('14–16: renames the console, saves its request, and opens it from the list', async () => {
		await hand.choose(tab('Console'), 'Rename')
		await page.getByRole('textbox', { name: 'Name of Console' }).waitFor()
		await page.keyboard.insertText('First look')
		await (hand.name === 'mouse' ? editor().click() : press('Enter'))
		await tab('First look').waitFor()
		await hand.use(button('Save', panel()))
		await hand.fill(sheet().getByLabel('Name'), 'looks/Two books')
		await hand.use(button('Save', sheet()))
		await saved().getByRole('button', { name: 'Two books' }).waitFor()
		await hand.choose(tab('First look'), 'Close')
		await hand.use(saved().getByRole('button', { name: 'Two books' }))
		await editor().getByText('GET /books/_search').waitFor()
	})

	test('17–18: formats a request, and finds a past run', async () => {
		await write('GET /books/_search\n{"size":1,"query":{"match_all":{}}}')
		await hand.use(button('Format', panel()))
		await editor().getByText('"match_all": {}').waitFor()
		await hand.use(button('History', panel()))
		await sheet().getByRole('option').first().waitFor()
		await page.keyboard.insertText('size')
		await (hand.name === 'mouse' ? sheet().getByRole('option').first().click() : press('Enter'))
		await editor().getByText('"size": 2').first().waitFor()
	})

	test('19–20: uses a variable in a request', async () => {
		await write('GET /{{which}}/_count')
		await hand.use(button('Variables', panel()))
		expect(await sheet().getByLabel('Name').last().inputValue()).toBe('which')
		await hand.fill(sheet().getByLabel('Value').last(), 'places')
		await hand.use(button('Save', sheet()))
		await hand.use(button('Run', panel()))
		await run().getByText('"count"').first().waitFor()
	})

	test('21–22: closes and reopens a tab, and switches to another', async () => {
		await hand.choose(tab(/^books/), 'Close')
		await tab(/^books/).waitFor({ state: 'detached' })
		await hand.choose(tab('Overview'), 'Open the last closed tab')
		await tab(/^books/).waitFor()
		await books().root.getByRole('gridcell').first().waitFor()
		await hand.use(tab('Overview'))
		await panel().getByRole('region', { name: 'Health' }).waitFor()
	})

	test('23–25: duplicates a connection, makes it read only, and gets a refused write', async () => {
		await hand.choose(connection('Sample'), 'Duplicate')
		await hand.choose(connection('Sample copy'), 'Edit')
		await hand.fill(sheet().getByLabel('Name', { exact: true }), 'Guarded')
		await hand.pick(sheet().getByLabel('Writes'), 'Read only')
		await hand.use(button('Save', sheet()))
		await hand.choose(connection('Guarded'), 'New console')
		await write('DELETE /books')
		await hand.use(button('Run', panel()))
		await panel()
			.getByText(/is read-only/)
			.first()
			.waitFor()
	})

	test('26: removes a connection after the window listed its data', async () => {
		await hand.choose(connection('Guarded'), 'Remove')
		await sheet().getByText('its consoles with their history', { exact: false }).waitFor()
		await hand.use(button('Remove Guarded', sheet()))
		await connection('Guarded').waitFor({ state: 'detached' })
	})

	test('27–29: chooses a theme, exports connections to a file, and browses drivers', async () => {
		await settings('Appearance')
		await hand.use(sheet().getByRole('radio', { name: 'Dark' }))
		expect(await page.locator('html').getAttribute('style')).toContain('color-scheme: dark')
		await hand.use(tab('General'))
		const downloading = page.waitForEvent('download')
		await hand.use(button('Export connections', sheet()))
		const path = await (await downloading).path()
		expect(JSON.parse(await readFile(path, 'utf8')).connections).toHaveLength(1)
		await hand.use(tab('Plugins'))
		await hand.use(sheet().getByRole('radio', { name: 'Installed' }))
		await sheet().getByRole('list', { name: 'Installed' }).getByText('Elasticsearch', { exact: true }).waitFor()
		await close()
	})

	test('30–33: pairs an AI client, sets one up and undoes that, reads its activity, and revokes it', async () => {
		await settings('AI access')
		await hand.fill(sheet().getByLabel('Name of the token'), 'assistant')
		await hand.use(button('Create', sheet()))
		await sheet().getByText(/^rh_/).waitFor()
		const cursor = sheet().getByRole('list', { name: 'Clients' }).getByRole('listitem').filter({ hasText: 'Cursor' })
		await hand.use(button('Set up', cursor))
		await hand.use(button('Write it', page.getByRole('dialog', { name: 'Set up this client' })))
		await hand.use(button('Undo set-up', cursor))
		await hand.use(button('Write it', page.getByRole('dialog', { name: 'Undo the set-up' })))
		await button('Set up', cursor).waitFor()
		const tokens = page.getByRole('list', { name: 'Tokens' })
		await hand.use(button('Revoke', tokens.getByRole('listitem').filter({ hasText: 'assistant' })))
		await hand.use(tab('Activity'))
		await sheet().getByRole('list', { name: 'Connected clients' }).waitFor()
		await close()
	})

	test('the walk causes no error', () => {
		expect(faults.join('\n')).toBe('')
	})

	test('34: closes and reopens the window, which restores everything', async () => {
		await page.waitForTimeout(500)
		const names = await page.getByRole('tab').allInnerTexts()
		await page.close()
		page = await openPage(browser, roundhouse, faults)
		hand = handOf(page)
		await expect.poll(() => page.getByRole('tab').allInnerTexts()).toEqual(names)
		await hand.use(tab(/^books/))
		await books().root.getByRole('gridcell').first().waitFor()
		expect(faults.join('\n')).toBe('')
	})
})
