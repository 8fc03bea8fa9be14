import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeBooks } from '../testing/books.ts'
import { FakeDownloads } from '../testing/downloads.ts'
import { consoleAnswers } from '../testing/fake-console.ts'
import { fakeConnection } from '../testing/fake-engine.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'
import { press } from '../testing/keys.ts'

/** A user tests, duplicates, sorts, edits, exports and imports connections. */

let window: FakeWindow

beforeEach(async () => {
	window = await openWindow({
		tables: [fakeBooks()],
		others: [{ name: 'Other' }],
		answers: {
			...consoleAnswers(),
			'connections.test': () => ({ product: 'Shop', version: '8.1', notices: [] }),
			'connections.export': () => ({ format: 'roundhouse-connections', version: 1, connections: [] }),
		},
	})
})

const sheet = () => page.getByRole('dialog')
const sidebar = () => page.getByRole('navigation', { name: 'Connections' })
const named = (name: string) => sidebar().getByRole('button', { name, exact: true })
const names = () => [...sidebar().element().querySelectorAll('.connection-text')].map(({ textContent }) => textContent)
const tabs = () => page.getByRole('tab').elements()

async function choose(connection: string, entry: string): Promise<void> {
	await named(connection).click({ button: 'right' })
	await page.getByRole('menuitem', { name: entry, exact: true }).click()
}

async function save(): Promise<void> {
	await sheet().getByRole('button', { name: 'Save', exact: true }).click()
	await expect.element(sheet()).not.toBeInTheDocument()
}

test('the menu of a connection tests it, and shows which server answers or why none does', async () => {
	const messages = page.getByRole('region', { name: 'Messages' })
	await choose('Sample', 'Test')
	await expect.element(messages.getByText('Sample answers: Shop 8.1.')).toBeVisible()
	window.host.fail('connections.test', 'No server listens there.')
	await choose('Sample', 'Test')
	await expect.element(messages.getByText('Sample does not answer: No server listens there.')).toBeVisible()
})

test('a copy appears below the original and can be moved up', async () => {
	await choose('Sample', 'Duplicate')
	await expect.poll(names).toEqual(['Sample', 'Sample copy', 'Other'])
	await choose('Sample copy', 'Move up')
	await expect.poll(names).toEqual(['Sample copy', 'Sample', 'Other'])
	await choose('Sample copy', 'Move down')
	await expect.poll(names).toEqual(['Sample', 'Sample copy', 'Other'])
})

test('a new console belongs to the connection that the user turned to last', async () => {
	await window.openTable('books')
	await named('Other').click()
	await expect.element(named('Other')).toHaveAttribute('aria-expanded', 'true')
	await expect.element(page.getByRole('list', { name: 'Tables' })).toBeVisible()
	await press('ControlOrMeta+k')
	await press('c')
	await expect.poll(() => tabs().at(-1)?.getAttribute('title')).toBe('Console · Other')
	await page.getByRole('tab', { name: 'books' }).click()
	await press('ControlOrMeta+k')
	await press('c')
	await expect.poll(() => tabs().at(-1)?.getAttribute('title')).toBe('Console · Sample')
})

test('the form sets a group, a colour and a long name, which the sidebar cuts', async () => {
	const long = 'A connection with a name that is far longer than the sidebar is wide'
	await choose('Other', 'Edit')
	await sheet().getByLabelText('Name', { exact: true }).fill(long)
	await sheet().getByRole('radio', { name: 'Pink' }).click()
	await sheet().getByLabelText('Group').fill('Work')
	await save()
	await expect.element(sidebar().getByRole('heading', { name: 'Work' })).toBeVisible()
	await expect.poll(names).toEqual(['Sample', long])
	const text = named(long).element().querySelector('.connection-text')
	expect([text?.getAttribute('title'), (text?.scrollWidth ?? 0) > (text?.clientWidth ?? 0)]).toEqual([long, true])
	expect(window.host.callsOf('connections.update')).toMatchObject([
		{ id: 'c2', draft: { colour: 'pink', group: 'Work' } },
	])
})

test('the form switches off groups of tools for all AI clients', async () => {
	await choose('Sample', 'Edit')
	await sheet().getByRole('group', { name: 'Tools' }).getByLabelText('Write', { exact: true }).click()
	await save()
	expect(window.host.callsOf('connections.update')).toMatchObject([
		{ id: 'c1', draft: { hiddenToolGroups: ['write'] } },
	])
})

test('the form sets when a write of AI clients is tried, and when it is destructive', async () => {
	await choose('Sample', 'Edit')
	expect(sheet().getByLabelText('Changed rows before').query()).toBeNull()
	await sheet().getByLabelText('External access').selectOptions('read-write')
	await sheet().getByLabelText('Changed rows before').fill('a few')
	await sheet().getByRole('button', { name: 'Save', exact: true }).click()
	await expect.element(sheet().getByText('Enter a whole number of at most nine digits.')).toBeVisible()
	await sheet().getByLabelText('Changed rows before').fill('5')
	await sheet().getByLabelText('Try writes before asking').click()
	await save()
	expect(window.host.callsOf('connections.update')).toMatchObject([
		{ draft: { mostChangedRows: 5, triesWrites: false } },
	])
})

test('connections are exported to a file', async () => {
	const downloads = new FakeDownloads()
	await page.getByRole('button', { name: 'Settings' }).click()
	await page.getByRole('tab', { name: 'General' }).click()
	await sheet().getByRole('button', { name: 'Export connections' }).click()
	await expect.poll(() => downloads.names).toEqual(['roundhouse-connections.json'])
	expect(JSON.parse(await downloads.text())).toEqual({ format: 'roundhouse-connections', version: 1, connections: [] })
})

test('a file of connections is imported, and an invalid file shows why', async () => {
	const added = fakeConnection({ id: 'c3', name: 'Third' })
	window.host.answer({
		'connections.import': ({ file }) => {
			if (typeof file === 'string') throw new Error('No connection was imported: the file is not JSON.')
			window.setConnections([...window.connections, added])
			return [added]
		},
	})
	await page.getByRole('button', { name: 'Settings' }).click()
	await page.getByRole('tab', { name: 'General' }).click()
	const field = () => {
		const found = document.querySelector('input[aria-label="Connections file"]')
		if (!found) throw new Error('There is no field for the file.')
		return found
	}
	await expect.poll(() => document.querySelector('input[aria-label="Connections file"]')).not.toBeNull()
	await userEvent.upload(field(), new File(['{"connections":[]}'], 'file.json'))
	await expect.element(sheet().getByText('Added 1 connection.')).toBeVisible()
	await userEvent.upload(field(), new File(['no JSON'], 'file.json'))
	await expect.element(sheet().getByRole('alert').getByText('No connection was imported')).toBeVisible()
	await press('Escape')
	await expect.poll(names).toEqual(['Sample', 'Other', 'Third'])
	expect(window.host.callsOf('connections.import')).toEqual([{ file: { connections: [] } }, { file: 'no JSON' }])
})
