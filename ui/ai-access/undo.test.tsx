import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { ActivityEntry, KeptChangeView, UndoView } from '../../host/api/api.ts'
import { fakeBooks } from '../testing/books.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'

/** What an AI client changed, before and after, and its undo: in the activity, and in the message after a run. */

let window: FakeWindow
const change = 'a'.repeat(32)
const entry = (changes: Partial<ActivityEntry> = {}): ActivityEntry => ({
	action: 'tool.update_rows',
	outcome: 'success',
	client: 'Editor',
	token: 'assistant',
	connection: 'c1',
	connectionName: 'Sample',
	verdict: 'write',
	rows: 2,
	change,
	sequence: 2,
	time: new Date().toISOString(),
	previous: '0'.repeat(64),
	hash: '0'.repeat(64),
	...changes,
})
const kept: KeptChangeView = {
	table: 'books',
	count: 3,
	undone: 0,
	canUndo: true,
	rows: [
		{
			kind: 'update',
			id: '["1"]',
			isUndone: false,
			isCut: false,
			values: [
				{ name: 'title', before: '"Ficciones"', after: '"Labyrinths"' },
				{ name: 'pages', before: '174', after: '256' },
			],
		},
		{ kind: 'insert', id: '["9"]', isUndone: false, isCut: false, values: [{ name: 'title', after: '"New"' }] },
		{
			kind: 'delete',
			id: '["4"]',
			isUndone: false,
			isCut: false,
			cannot: 'A deleted row cannot be inserted again as it was.',
			values: [{ name: 'title', before: '"Gone"' }],
		},
	],
}
const preview: UndoView = {
	table: 'books',
	requests: ['delete from books where id = 9', "update books set title = 'Ficciones' where id = 1"],
	rows: 2,
	stays: [{ row: 2, id: '["4"]', why: 'A deleted row cannot be inserted again as it was.', isConflict: false }],
	isDestructive: true,
	review: 'r1',
}

beforeEach(async () => {
	window = await openWindow({
		tables: [fakeBooks()],
		answers: {
			'activity.list': () => [entry()],
			'activity.clients': () => [],
			'undo.change': () => kept,
			'undo.preview': () => preview,
			'undo.apply': () => ({
				rows: 2,
				outcomes: [{ status: 'applied' }, { status: 'applied' }],
				stays: preview.stays,
				lost: [{ row: 0, id: '["1"]', columns: ['changed_at'] }],
			}),
		},
	})
})

const settings = () => page.getByRole('dialog', { name: 'Settings' })
const undoSheet = () => page.getByRole('dialog', { name: /^Undo a change/ })
const messages = () => page.getByRole('region', { name: 'Messages' })

async function openActivity() {
	await page.getByRole('button', { name: 'Settings' }).click()
	await page.getByRole('tab', { name: 'Activity' }).click()
}

test('an entry shows before and after, and its undo shows what is sent and what stays', async () => {
	await openActivity()
	await settings().getByRole('button', { name: 'Before and after' }).click()
	const rows = settings().getByRole('table')
	await expect.element(rows.getByText('3 rows of books')).toBeVisible()
	await expect.element(rows.getByText('"Ficciones"')).toBeVisible()
	await expect.element(rows.getByText('"Labyrinths"')).toBeVisible()
	await expect.element(rows.getByText(/cannot be undone: A deleted row/)).toBeVisible()
	await settings().getByRole('button', { name: 'Undo …' }).click()
	await expect.element(undoSheet().getByText("update books set title = 'Ficciones' where id = 1")).toBeVisible()
	await expect.element(undoSheet().getByText(/^1 \w+ stays as it is\. \["4"\]: A deleted row/)).toBeVisible()
	expect(window.host.callsOf('undo.apply')).toEqual([])
	await undoSheet().getByRole('button', { name: 'Undo', exact: true }).click()
	await expect.element(undoSheet()).not.toBeInTheDocument()
	expect(window.host.callsOf('undo.apply')).toEqual([{ connection: 'c1', change, review: 'r1', typed: undefined }])
	await expect.element(messages().getByText(/^Undid 2 \w+ of books\. Not as before: changed_at\.$/)).toBeVisible()
	await expect.element(settings()).toBeVisible()
})

test('an entry is read again after an undo, and says what is undone', async () => {
	await openActivity()
	await settings().getByRole('button', { name: 'Before and after' }).click()
	window.host.answer({ 'undo.change': () => ({ ...kept, undone: 3, canUndo: false }) })
	window.host.emit('activity.entry', entry({ action: 'change.undone', sequence: 3, change: 'b'.repeat(32) }))
	await expect.element(settings().getByRole('table').getByText('· undone')).toBeVisible()
	await expect.element(settings().getByRole('button', { name: 'Undo …' })).not.toBeInTheDocument()
})

test('a change that is not kept any more says so', async () => {
	window.host.answer({ 'undo.change': () => null })
	await openActivity()
	await settings().getByRole('button', { name: 'Before and after' }).click()
	await expect.element(settings().getByText('What it replaced is not kept any more.')).toBeVisible()
})

test('a statement that wrote says that it has no undo', async () => {
	const { change: _, ...statement } = entry({ action: 'tool.execute_query' })
	window.host.answer({ 'activity.list': () => [statement] })
	await openActivity()
	await expect.element(settings().getByText(/a statement cannot be undone/)).toBeVisible()
	await expect.element(settings().getByRole('button', { name: 'Before and after' })).not.toBeInTheDocument()
})

test('the message after a run offers the undo, and nothing is sent before the user agrees', async () => {
	window.host.emit('activity.entry', entry())
	await messages().getByRole('button', { name: 'Undo …' }).click()
	await expect.element(undoSheet().getByText('delete from books where id = 9')).toBeVisible()
	await undoSheet().getByRole('button', { name: 'Cancel' }).click()
	await expect.element(undoSheet()).not.toBeInTheDocument()
	expect(window.host.callsOf('undo.apply')).toEqual([])
})

test('a conflict at the undo is shown, and the sheet reads again what can be undone', async () => {
	window.host.answer({
		'undo.apply': () => ({
			rows: 0,
			outcomes: [{ status: 'conflict', message: 'The row was changed meanwhile.' }, { status: 'not_sent' }],
			stays: [],
			lost: [],
		}),
	})
	window.host.emit('activity.entry', entry())
	await messages().getByRole('button', { name: 'Undo …' }).click()
	await undoSheet().getByRole('button', { name: 'Undo', exact: true }).click()
	await expect
		.element(undoSheet().getByRole('alert').getByText('Nothing was undone. The row was changed meanwhile.'))
		.toBeVisible()
	await expect.poll(() => window.host.callsOf('undo.preview').length).toBe(2)
})

test('what cannot be undone now says why', async () => {
	window.host.fail('undo.preview', 'Nothing of this change can be undone: The row was changed since.')
	window.host.emit('activity.entry', entry())
	await messages().getByRole('button', { name: 'Undo …' }).click()
	await expect.element(undoSheet().getByText(/The row was changed since/)).toBeVisible()
	await undoSheet().getByRole('button', { name: 'Close' }).last().click()
	await expect.element(undoSheet()).not.toBeInTheDocument()
})

test('an open table says what a client changed in it, with the undo, until its rows are read again', async () => {
	const books = await window.openTable('books')
	const notice = books.root.getByRole('status').filter({ hasText: /“Editor” changed 3 \w+ here\./ })
	window.host.emit('activity.entry', entry({ connection: 'another' }))
	window.host.emit('activity.entry', entry())
	await expect.element(notice).toBeVisible()
	await notice.getByRole('button', { name: 'Undo …' }).click()
	await undoSheet().getByRole('button', { name: 'Undo', exact: true }).click()
	await expect.element(undoSheet()).not.toBeInTheDocument()
	await expect.element(notice).not.toBeInTheDocument()
	window.host.answer({ 'undo.change': () => ({ ...kept, table: 'authors' }) })
	window.host.emit('activity.entry', entry())
	await expect.poll(() => window.host.callsOf('undo.change').length).toBe(2)
	await expect.element(notice).not.toBeInTheDocument()
})
