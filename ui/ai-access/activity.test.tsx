import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { ActivityEntry } from '../../host/api/api.ts'
import { ConsolePanel } from '../testing/console-panel.ts'
import { consoleAnswers } from '../testing/fake-console.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'

/** Settings > Activity: what AI clients did. */

let window: FakeWindow

const entry = (sequence: number, changes: Partial<ActivityEntry>): ActivityEntry => ({
	action: 'token.created',
	outcome: 'success',
	sequence,
	time: new Date().toISOString(),
	previous: '0'.repeat(64),
	hash: '0'.repeat(64),
	...changes,
})
const query = entry(2, {
	action: 'tool.query',
	client: 'Editor',
	token: 'assistant',
	connection: 'c1',
	connectionName: 'Sample',
	verdict: 'read',
	rows: 3,
	durationMs: 1_200,
	text: 'select 1',
})
const seen = '2026-01-01T00:00:00.000Z'

beforeEach(async () => {
	window = await openWindow({
		answers: {
			...consoleAnswers(),
			'activity.list': () => [query, entry(1, {})],
			'activity.clients': () => [
				{ name: 'Editor', version: '1', token: 'assistant', firstSeen: seen, lastSeen: seen, requests: 2 },
			],
			'activity.verify': () => ({ ok: true, entries: 2 }),
		},
	})
	await page.getByRole('button', { name: 'Settings' }).click()
	await page.getByRole('tab', { name: 'Activity' }).click()
	await expect.element(line('query')).toBeVisible()
})

const today = () => new Date().toLocaleDateString('en-US', { dateStyle: 'full' })
const line = (text: string) =>
	page
		.getByRole('list', { name: `Activity of ${today()}` })
		.getByRole('listitem')
		.filter({ hasText: text })
const sheet = () => page.getByRole('dialog', { name: 'Settings' })

test('an entry shows its client, connection, verdict, rows, duration and statement', async () => {
	await expect
		.element(line('query').getByText('Editor · “assistant” · Sample · read · 3 rows · 1,200 ms'))
		.toBeVisible()
	await expect.element(line('query').getByText('select 1')).toBeVisible()
	await expect.element(page.getByRole('list', { name: 'Connected clients' }).getByText('Editor 1')).toBeVisible()
})

test('"Repeat in console" opens a console with the statement, and runs nothing', async () => {
	await line('query').getByRole('button', { name: 'Repeat in console' }).click()
	await expect.element(sheet()).not.toBeInTheDocument()
	const panel = new ConsolePanel()
	await expect.poll(() => panel.text()).toBe('select 1')
	expect(window.host.callsOf('console.run')).toEqual([])
	expect(window.host.callsOf('console.analyse')).toEqual([])
})

test('entries are found by their text and by their client', async () => {
	await page.getByRole('searchbox', { name: 'Search activity' }).fill('no such thing')
	await expect.element(sheet().getByText('No entry matches.')).toBeVisible()
	await page.getByRole('searchbox', { name: 'Search activity' }).fill('')
	await sheet().getByLabelText('Client', { exact: true }).selectOptions('Editor')
	await expect.element(line('query')).toBeVisible()
	await expect.element(line('Created a token')).not.toBeInTheDocument()
	await sheet().getByLabelText('Client', { exact: true }).selectOptions('All clients')
	await expect.element(line('Created a token')).toBeVisible()
})

test('a new entry appears at once', async () => {
	window.host.emit('activity.entry', entry(3, { action: 'tool.count_rows' }))
	await expect.element(line('count_rows')).toBeVisible()
})

test('the log is verified, and a failure can be retried', async () => {
	window.host.fail('activity.verify', 'The disk is full.')
	await sheet().getByRole('button', { name: 'Check log' }).click()
	await expect.element(sheet().getByRole('alert').getByText('The disk is full.')).toBeVisible()
	window.host.answer({ 'activity.verify': () => ({ ok: true, entries: 2 }) })
	await sheet().getByRole('button', { name: 'Check log' }).click()
	await expect.element(sheet().getByText('Complete and unchanged: 2 entries.')).toBeVisible()
})

test('a list that could not be read shows why, and is read again', async () => {
	window.host.fail('activity.list', 'The disk is full.')
	await page.getByRole('tab', { name: 'General' }).click()
	await page.getByRole('tab', { name: 'Activity' }).click()
	await expect.element(sheet().getByRole('alert').getByText('The disk is full.')).toBeVisible()
	window.host.answer({ 'activity.list': () => [query] })
	await sheet().getByRole('button', { name: 'Try again' }).click()
	await expect.element(line('query')).toBeVisible()
})

test('a list of the latest entries says that there are others', async () => {
	window.host.answer({ 'activity.list': () => Array.from({ length: 2_000 }, (_, at) => entry(2_000 - at, {})) })
	await window.open()
	await page.getByRole('button', { name: 'Settings' }).click()
	await page.getByRole('tab', { name: 'Activity' }).click()
	await expect
		.element(sheet().getByText('These are the latest 2,000 entries. The files of the log have all.'))
		.toBeVisible()
})
