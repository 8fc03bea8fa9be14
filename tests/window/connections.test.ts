import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SampleWindow } from '../support/window.ts'

/** The user can manage connections like files: edit, test, duplicate, sort, group, export and import them. */
describe('connections', () => {
	let window: SampleWindow
	const sheet = () => window.page.getByRole('dialog')
	const sidebar = () => window.page.getByRole('navigation', { name: 'Connections' })
	const named = (name: string) => sidebar().getByRole('button', { name, exact: true })
	const names = () => sidebar().locator('.connection-text').allInnerTexts()
	const messages = () => window.page.getByRole('region', { name: 'Messages' })
	async function choose(connection: string, entry: string): Promise<void> {
		await named(connection).click({ button: 'right' })
		await window.page.getByRole('menuitem', { name: entry, exact: true }).click()
	}

	beforeAll(async () => {
		window = await SampleWindow.open()
		await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
	})
	afterAll(() => window?.[Symbol.asyncDispose]())

	test('the menu of a connection tests it and shows which server answers', async () => {
		await choose('Sample', 'Test')
		await messages()
			.getByText(/^Sample answers: Elasticsearch 8/)
			.waitFor()
	})

	test('a copy appears below the original and can be moved up', async () => {
		await choose('Sample', 'Duplicate')
		await named('Sample copy').waitFor()
		expect(await names()).toEqual(['Sample', 'Sample copy'])
		await choose('Sample copy', 'Move up')
		await expect.poll(names).toEqual(['Sample copy', 'Sample'])
	})

	test('a new console belongs to the connection that the user turned to last', async () => {
		await window.openTable('books')
		await named('Sample copy').click()
		await window.page.getByRole('list', { name: 'Indices' }).getByRole('button').first().waitFor()
		const tabs = window.page.getByRole('tab')
		await window.page.keyboard.press('ControlOrMeta+k')
		await window.page.keyboard.press('c')
		await expect.poll(() => tabs.last().getAttribute('title')).toBe('Console · Sample copy')
		await tabs.first().click()
		await window.page.keyboard.press('ControlOrMeta+k')
		await window.page.keyboard.press('c')
		await expect.poll(() => tabs.last().getAttribute('title')).toBe('Console · Sample')
		for (let count = await tabs.count(); count > 0; count--) await tabs.first().press('Delete')
		await named('Sample').click()
	})

	test('the form sets a group, a colour and a long name', async () => {
		await choose('Sample copy', 'Edit')
		const long = 'A connection with a name that is far longer than the sidebar is wide'
		await sheet().getByLabel('Name', { exact: true }).fill(long)
		await sheet().getByRole('radio', { name: 'Pink' }).check()
		await sheet().getByLabel('Group').fill('Work')
		await sheet().getByRole('button', { name: 'Save', exact: true }).click()
		await sidebar().getByRole('heading', { name: 'Work' }).waitFor()
		await expect.poll(names).toEqual(['Sample', long])
		const text = named(long).locator('.connection-text')
		expect(await text.evaluate(element => element.scrollWidth > element.clientWidth)).toBe(true)
		expect(await text.getAttribute('title')).toBe(long)
	})

	test('the form can switch off groups of tools for all AI clients', async () => {
		await choose('Sample', 'Edit')
		await sheet().getByRole('group', { name: 'Tools' }).getByLabel('Write', { exact: true }).uncheck()
		await sheet().getByRole('button', { name: 'Save', exact: true }).click()
		await sheet().waitFor({ state: 'detached' })
		const saved = await window.roundhouse.json<{ name: string }[]>(['connection', 'list'])
		expect(saved.find(({ name }) => name === 'Sample')).toMatchObject({ hiddenToolGroups: ['write'] })
	})

	test('an address that is pasted into the first field fills the form, with its password masked', async () => {
		await window.page.getByRole('button', { name: 'New connection' }).first().click()
		await sheet()
			.getByRole('button', { name: /Elasticsearch/ })
			.first()
			.click()
		await sheet().getByLabel('Name', { exact: true }).focus()
		await window.page.evaluate("navigator.clipboard.writeText('https://me:s%40cret@es.example:9200')")
		await window.page.keyboard.press('ControlOrMeta+v')
		await expect.poll(() => sheet().getByLabel('Hosts').inputValue()).toBe('https://es.example:9200')
		expect(await sheet().getByLabel('Name', { exact: true }).inputValue()).toBe('es.example')
		expect(await sheet().getByLabel('Username').inputValue()).toBe('me')
		expect(await sheet().getByLabel('Password', { exact: true }).inputValue()).toBe('s@cret')
		expect(await sheet().getByLabel('Password', { exact: true }).getAttribute('type')).toBe('password')
		expect(await sheet().getByLabel('SSL mode').inputValue()).toBe('Verify Identity')
	})

	test('Escape asks before a filled form is lost, and closes an untouched one', async () => {
		const { keyboard } = window.page
		const question = window.page.getByRole('alertdialog', { name: 'Discard what you entered?' })
		await keyboard.press('Escape')
		await question.waitFor()
		await keyboard.press('Enter')
		await question.waitFor({ state: 'detached' })
		expect(await sheet().getByLabel('Username').inputValue()).toBe('me')
		await keyboard.press('Escape')
		await question.waitFor()
		await keyboard.press('Escape')
		await question.waitFor({ state: 'detached' })
		await sheet().getByRole('button', { name: 'Close' }).click()
		await question.getByRole('button', { name: 'Discard' }).click()
		await sheet().waitFor({ state: 'detached' })
		await window.page.getByRole('button', { name: 'New connection' }).first().click()
		await sheet()
			.getByRole('button', { name: /Elasticsearch/ })
			.first()
			.click()
		await sheet().getByLabel('Name', { exact: true }).waitFor()
		await keyboard.press('Escape')
		await sheet().waitFor({ state: 'detached' })
	})

	test('a URL that is typed into the field of hosts fills the form as a pasted one does', async () => {
		await window.page.getByRole('button', { name: 'New connection' }).first().click()
		await sheet()
			.getByRole('button', { name: /Elasticsearch/ })
			.first()
			.click()
		await sheet().getByLabel('Hosts').focus()
		await window.page.keyboard.press('ControlOrMeta+a')
		await window.page.keyboard.type('https://me:pass%20word@es.example:9243')
		await window.page.keyboard.press('Tab')
		await expect.poll(() => sheet().getByLabel('Hosts').inputValue()).toBe('https://es.example:9243')
		expect(await sheet().getByLabel('Password', { exact: true }).inputValue()).toBe('pass word')
		expect(await sheet().getByLabel('SSL mode').inputValue()).toBe('Verify Identity')
		await sheet().getByLabel('Hosts').fill('http://es.example:9200')
		await window.page.keyboard.press('Tab')
		await expect.poll(() => sheet().getByLabel('SSL mode').inputValue()).toBe('Disabled')
		await sheet().getByLabel('SSL mode').selectOption('Required (skip verify)')
		await sheet().getByLabel('Hosts').fill('https://es.example')
		await window.page.keyboard.press('Tab')
		await expect.poll(() => sheet().getByLabel('Hosts').inputValue()).toBe('https://es.example')
		expect(await sheet().getByLabel('SSL mode').inputValue()).toBe('Required (skip verify)')
		await window.page.keyboard.press('Escape')
		await window.page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
		await sheet().waitFor({ state: 'detached' })
	})

	test('a file from the export command can be imported, and the window shows the imported connections', async () => {
		const file = await window.roundhouse.json(['connection', 'export'])
		const path = join(window.roundhouse.home, 'exported.json')
		await writeFile(path, JSON.stringify(file))
		await window.roundhouse.json(['connection', 'import', path])
		await named('Sample 2').waitFor()
		await writeFile(path, JSON.stringify({ ...file, version: 2 }))
		const refused = await window.roundhouse.run(['connection', 'import', path])
		expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('No connection was imported')])
	})

	test('the window exports and imports the same file, and shows an error for an invalid file', async () => {
		const { page } = window
		const before = await names()
		await page.getByRole('button', { name: 'Settings' }).click()
		await page.getByRole('tab', { name: 'General' }).click()
		const downloading = page.waitForEvent('download')
		await sheet().getByRole('button', { name: 'Export connections' }).click()
		const path = join(window.roundhouse.home, 'from-the-window.json')
		await (await downloading).saveAs(path)
		const { connections } = JSON.parse(await readFile(path, 'utf8'))
		expect(connections).toHaveLength(before.length)
		await sheet().getByLabel('Connections file').setInputFiles(path)
		await sheet().getByText(`Added ${connections.length} connections.`).waitFor()
		await writeFile(path, 'no JSON')
		await sheet().getByLabel('Connections file').setInputFiles(path)
		await sheet().getByRole('alert').getByText('No connection was imported').waitFor()
		await page.keyboard.press('Escape')
		await expect.poll(names).toHaveLength(2 * before.length)
		expect(window.faults).toEqual([])
	})
})
