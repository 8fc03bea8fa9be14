import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { FakeTable } from '../../testing/fake-tables.ts'
import { type FakeWindow, openWindow } from '../../testing/fake-window.tsx'
import { chooseMore } from '../../testing/menu.ts'

test('an export of a table whose rows could not be read has all columns, and says what its count means', async () => {
	const table = new FakeTable('events', { columns: { id: {}, note: {} }, rows: [['1', 'a']] })
	const window = await openWindow({
		tables: [table],
		answers: {
			'rows.count': () => ({ value: 1, isExact: true, notice: 'at: a date without a time is its whole day in UTC.' }),
			'exports.begin': () => ({ id: 'e' }),
		},
	})
	window.host.fail('grid.open', 'The server is busy.')
	await window.openConnection()
	await page.getByRole('list', { name: 'Tables' }).getByRole('button', { name: 'events' }).first().click()
	await expect.element(page.getByText('The server is busy.').first()).toBeVisible()
	await chooseMore(page, 'Export')
	const dialog = page.getByRole('dialog')
	await dialog.getByLabelText('Format').selectOptions('csv')
	await expect.element(dialog.getByText('CSV, all columns')).toBeInTheDocument()
	await expect.element(dialog.getByText(/^at: a date .* in UTC\./)).toBeVisible()
	await dialog.getByRole('button', { name: 'Export 1 row' }).click()
	await expect.poll(() => window.host.callsOf('exports.begin').length).toBe(1)
	expect(window.host.callsOf('exports.begin')[0]?.options).not.toHaveProperty('columns')
})

test('a CSV of documents says that null and an absent value are one in it', async () => {
	const window = await openWindow({
		tables: [new FakeTable('events', { columns: { id: {} }, rows: [['1']] })],
		manifest: { removesFields: true },
	})
	const table = await window.openTable('events')
	await table.more('Export')
	const dialog = page.getByRole('dialog')
	const words = dialog.getByText('In CSV, null and an absent value are both empty.')
	await expect.element(dialog.getByLabelText('Format')).toHaveValue('ndjson')
	expect(words.elements()).toEqual([])
	await dialog.getByLabelText('Format').selectOptions('csv')
	await expect.element(words).toBeVisible()
})

const asked = { connection: 'c1', query: { table: 'events', filters: [], sort: [] }, options: { format: 'csv' } }
const events = () => new FakeTable('events', { columns: { id: {} }, rows: [['1']] })
const kept = ({ records }: FakeWindow) =>
	Object.keys(records)
		.filter(key => key.startsWith('export/'))
		.sort()
const messages = () => page.getByRole('region', { name: 'Messages' })

test('an export that the host did not finish is listed with Start again, also after the window was closed', async () => {
	const window = await openWindow({
		tables: [events()],
		records: { 'export/c1/gone': asked, 'export/c1/runs': asked },
		answers: { 'exports.running': () => ['runs'], 'exports.begin': () => ({ id: 'again' }) },
	})
	await expect
		.element(messages().getByText('The export of events was interrupted. Its file is not whole.'))
		.toBeVisible()
	expect(messages().getByRole('listitem').elements()).toHaveLength(1)
	await messages().getByRole('button', { name: 'Start again' }).click()
	await expect.poll(() => window.host.callsOf('exports.begin')).toEqual([asked])
	await expect.poll(() => kept(window)).toEqual(['export/c1/again', 'export/c1/runs'])
})

test('an interrupted export that the user dismisses is forgotten', async () => {
	const window = await openWindow({
		tables: [events()],
		records: { 'export/c1/gone': asked },
		answers: { 'exports.running': () => [] },
	})
	await messages().getByRole('button', { name: 'Dismiss' }).click()
	await expect.poll(() => kept(window)).toEqual([])
})

test('an export whose host stops says so in its sheet, and is kept until its end is shown', async () => {
	const window = await openWindow({
		tables: [events()],
		answers: { 'rows.count': () => ({ value: 1, isExact: true }), 'exports.begin': () => ({ id: 'e9' }) },
	})
	const table = await window.openTable('events')
	await table.more('Export')
	const sheet = page.getByRole('dialog')
	await sheet.getByRole('button', { name: /^Export/ }).click()
	await expect.poll(() => kept(window)).toEqual(['export/c1/e9'])
	window.host.lose()
	await expect.element(sheet.getByText('The export failed: Roundhouse stopped.')).toBeVisible()
	window.host.emit('export.changed', { id: 'e9', state: 'cancelled', rows: 0 })
	await expect.poll(() => kept(window)).toEqual([])
})

test('an export begins with the format of the last one', async () => {
	const window = await openWindow({
		tables: [events()],
		manifest: { removesFields: true },
		answers: { 'exports.begin': () => ({ id: 'e' }) },
	})
	const table = await window.openTable('events')
	const sheet = page.getByRole('dialog')
	const format = sheet.getByLabelText('Format')
	await table.more('Export')
	await expect.element(format).toHaveValue('ndjson')
	await format.selectOptions('csv')
	await sheet.getByRole('button', { name: /^Export/ }).click()
	await expect.poll(() => window.host.callsOf('exports.begin').length).toBe(1)
	window.host.emit('export.changed', { id: 'e', state: 'done', rows: 1 })
	await expect.element(sheet.getByText(/^Exported 1 /)).toBeVisible()
	await sheet.getByRole('button', { name: 'Close' }).last().click()
	await expect.element(sheet).not.toBeInTheDocument()
	await table.more('Export')
	await expect.element(format).toHaveValue('csv')
})
