import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { FileConnection } from '../../host/api/api.ts'
import { violations } from '../testing/axe.ts'
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

test('the form says that a passphrase is remembered, and forgets it', async () => {
	const question = "Enter passphrase for key '/home/me/.ssh/id': "
	window.setConnections(
		window.connections.map(one => (one.name === 'Other' ? { ...one, passphrases: [question] } : one)),
	)
	window.host.answer({ 'connections.forgetPassphrases': () => null })
	await choose('Sample', 'Edit')
	await expect.element(sheet().getByRole('button', { name: 'Save', exact: true })).toBeVisible()
	await expect.element(sheet().getByText('remembers the passphrase')).not.toBeInTheDocument()
	await press('Escape')
	await expect.element(sheet()).not.toBeInTheDocument()
	await choose('Other', 'Edit')
	await expect.element(sheet().getByText('This machine remembers the passphrase of an SSH key')).toBeVisible()
	await sheet().getByRole('button', { name: 'Forget', exact: true }).click()
	await expect.element(sheet().getByText('The passphrase is forgotten.')).toBeVisible()
	const other = window.connections.find(({ name }) => name === 'Other')
	expect(window.host.callsOf('connections.forgetPassphrases')).toEqual([{ id: other?.id }])
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

const fileField = () => {
	const found = document.querySelector('input[aria-label="Connections file"]')
	if (!found) throw new Error('There is no field for the file.')
	return found
}
const fromFile = (name: string, members: Partial<FileConnection> = {}): FileConnection => ({
	name,
	group: '',
	engine: 'Engine',
	address: 'db:1/shop as ann',
	left: [],
	hasSecret: false,
	isSaved: false,
	needsDriver: false,
	...members,
})

async function chooseFile(connections: readonly FileConnection[], text = 'any') {
	window.host.answer({
		'connections.readFile': file => {
			if (file.text === 'bad') throw new Error('No connection was imported, because the file cannot be used: Line 2.')
			return { source: 'Other Program', connections }
		},
		'connections.importFile': ({ chosen }) => {
			const added = chosen.map(place => fakeConnection({ id: `f${place}`, name: connections[place]?.name ?? '' }))
			window.setConnections([...window.connections, ...added])
			return added
		},
	})
	await page.getByRole('button', { name: 'Settings' }).click()
	await page.getByRole('tab', { name: 'General' }).click()
	await expect.poll(() => document.querySelector('input[aria-label="Connections file"]')).not.toBeNull()
	await userEvent.upload(fileField(), new File([text], 'file.json'))
}
const importSheet = () => page.getByRole('dialog', { name: 'Import from Other Program' })
const box = (name: RegExp) => importSheet().getByRole('checkbox', { name })

test('a file of connections is shown first: the new ones are chosen, and the others say why they are not', async () => {
	await chooseFile([
		fromFile('Shop', { group: 'Team', ssh: 'ann@hop', left: ['certificates'], needsDriver: true }),
		fromFile('Books', { isSaved: true }),
		fromFile('Old', { fault: 'no driver is known for oracle' }),
		fromFile('Logs'),
	])
	await expect.element(box(/^Shop/)).toBeChecked()
	await expect
		.element(importSheet().getByText('Engine · db:1/shop as ann · through SSH: ann@hop · group Team'))
		.toBeVisible()
	await expect.element(importSheet().getByText('Not taken over: certificates.')).toBeVisible()
	await expect.element(importSheet().getByText('Downloads its driver.')).toBeVisible()
	await expect.element(box(/^Books.*Is there already/)).not.toBeChecked()
	await expect.element(box(/^Old.*no driver is known for oracle/)).toBeDisabled()
	expect(window.host.callsOf('connections.importFile')).toEqual([])
	expect(await violations()).toEqual([])
	await box(/^Logs/).click()
	await importSheet().getByRole('button', { name: 'Import 1 connection' }).click()
	await expect.element(sheet().getByText('Added 1 connection.')).toBeVisible()
	await expect.element(importSheet()).not.toBeInTheDocument()
	await press('Escape')
	await expect.poll(names).toEqual(['Sample', 'Other', 'Shop'])
	const file = { text: 'any', fileName: 'file.json' }
	expect(window.host.callsOf('connections.importFile')).toEqual([{ ...file, chosen: [0], takesSecrets: false }])
})

test('passwords of a file are taken over only if the user says so', async () => {
	await chooseFile([fromFile('Shop', { hasSecret: true }), fromFile('Logs')])
	const passwords = () => importSheet().getByRole('checkbox', { name: 'Take over passwords' })
	await expect.element(passwords()).not.toBeChecked()
	await expect.element(importSheet().getByText('The file has the passwords of 1 connection in clear.')).toBeVisible()
	await box(/^Shop/).click()
	await expect.element(passwords()).not.toBeInTheDocument()
	await box(/^Shop/).click()
	await passwords().click()
	await importSheet().getByRole('button', { name: 'Import 2 connections' }).click()
	await expect.poll(() => window.host.callsOf('connections.importFile')).toMatchObject([{ takesSecrets: true }])
})

test('a file of connections that cannot be used shows why', async () => {
	await chooseFile([], 'bad')
	await expect.element(sheet().getByRole('alert').getByText('No connection was imported')).toBeVisible()
	await expect.element(importSheet()).not.toBeInTheDocument()
})

test('a connection that is edited offers no sample in place of its server', async () => {
	window = await openWindow({ tables: [fakeBooks()], manifest: { hasSample: true }, answers: consoleAnswers() })
	await choose('Sample', 'Edit')
	await expect.element(sheet().getByLabelText('Name', { exact: true })).toBeVisible()
	await expect.element(sheet().getByRole('button', { name: 'Use the sample' })).not.toBeInTheDocument()
})
