import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeBooks } from '../testing/books.ts'
import { ConsolePanel } from '../testing/console-panel.ts'
import { consoleAnswers } from '../testing/fake-console.ts'
import { fakeLanguage } from '../testing/fake-engine.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'
import { press } from '../testing/keys.ts'

/** A console asks before destructive statements, and before every write on a connection that asks. */

let window: FakeWindow
let panel: ConsolePanel

async function open(options: Parameters<typeof openWindow>[0] = {}): Promise<void> {
	const answers = consoleAnswers({
		judge: text => (text.startsWith('call') ? { access: 'destructive', reason: 'A procedure may delete rows.' } : {}),
		destroys: text => (text.startsWith('drop') ? 'the table books with 60 rows' : undefined),
	})
	window = await openWindow({ tables: [fakeBooks()], answers, ...options })
	await window.openConnection()
	panel = await ConsolePanel.open()
}
beforeEach(() => open())

const sheet = () => page.getByRole('dialog')
const sent = () => window.host.callsOf('console.run').map(({ statement }) => statement.text)
const runOne = () => panel.root.getByRole('button', { name: 'Run', exact: true }).click()
const runAll = () => panel.root.getByRole('button', { name: 'Run all' }).click()

test('a destructive statement asks, and Cancel runs nothing', async () => {
	await panel.write('drop books')
	await runOne()
	await expect.element(sheet().getByText('drop books')).toBeVisible()
	await expect.element(sheet().getByRole('button', { name: 'Cancel' })).toHaveFocus()
	await press('Enter')
	await expect.element(sheet()).not.toBeInTheDocument()
	expect(sent()).toEqual([])
})

test('a write on a free connection does not ask', async () => {
	await panel.run('insert 1')
	expect(sent()).toEqual(['insert 1'])
})

test('code whose effect its text does not show runs unasked on a free connection, and asks in production', async () => {
	const answers = consoleAnswers({ judge: () => ({ access: 'destructive', isOpaque: true, reason: 'Anything.' }) })
	await open({ answers })
	await panel.run('call p')
	expect(sent()).toEqual(['call p'])
	await open({ answers, connection: { isProduction: true } })
	await panel.write('call p')
	await runOne()
	await expect.element(sheet().getByLabelText('Type Sample to confirm')).toBeVisible()
})

test('all writes of a run are confirmed once as a list on a connection that asks', async () => {
	await open({ connection: { safeMode: 'ask' }, answers: consoleAnswers() })
	await panel.write('insert 1; select 2; insert 3')
	await runAll()
	await expect.element(sheet().getByText('insert 1')).toBeVisible()
	expect(sheet().getByRole('listitem').elements()).toHaveLength(2)
	await sheet().getByRole('button', { name: 'Cancel' }).click()
	await expect.element(sheet()).not.toBeInTheDocument()
	expect(sent()).toEqual([])
	await runAll()
	await sheet().getByRole('button', { name: 'Run all 3' }).click()
	await expect.poll(sent).toEqual(['insert 1', 'select 2', 'insert 3'])
	expect(window.host.callsOf('console.run').map(({ review }) => review)).toEqual(Array(3).fill('reviewed'))
})

test('a read on a connection that asks is not delayed', async () => {
	await open({ connection: { safeMode: 'ask' }, answers: consoleAnswers() })
	await panel.run('select 1')
	expect(sent()).toEqual(['select 1'])
})

test('a destructive statement in production states the loss, and requires the name of the connection', async () => {
	await open({ connection: { isProduction: true, safeMode: 'ask' } })
	await panel.write('drop books')
	await runOne()
	await expect.element(sheet().getByRole('heading', { name: 'Delete data on Sample' })).toBeVisible()
	await expect.element(sheet().getByText('This deletes the table books with 60 rows.')).toBeVisible()
	await expect.element(sheet().getByRole('button', { name: 'Run it' })).toBeDisabled()
	await sheet().getByLabelText('Type Sample to confirm').fill('Sample')
	await press('Enter')
	await expect.poll(sent).toEqual(['drop books'])
	expect(window.host.callsOf('console.run')).toMatchObject([{ typed: 'Sample' }])
})

test('a statement that may delete is not headed as one that deletes', async () => {
	await panel.write('call cleanup')
	await runOne()
	await expect.element(sheet().getByRole('heading', { name: 'Run a destructive statement on Sample' })).toBeVisible()
	await expect.element(sheet().getByText('A procedure may delete rows. It cannot be undone.')).toBeVisible()
	await sheet().getByRole('button', { name: 'Cancel' }).click()
	await expect.element(sheet()).not.toBeInTheDocument()
	await panel.write('call cleanup; drop books')
	await runAll()
	await expect.element(sheet().getByRole('heading', { name: 'Change or delete data on Sample' })).toBeVisible()
})

const judgedUndone = (text: string) =>
	text.startsWith('drop')
		? ({ transaction: 'undone' } as const)
		: text === 'commit'
			? ({ transaction: 'commits' } as const)
			: {}

test('what a rollback undoes waits for its commit on a free connection, and asks if the run commits it', async () => {
	await open({
		manifest: { console: fakeLanguage({ transaction: { begin: 'begin', commit: 'commit', rollback: 'rollback' } }) },
		answers: consoleAnswers({ judge: judgedUndone }),
	})
	await panel.root.getByRole('radiogroup', { name: 'Commit' }).getByText('Manual').click()
	await panel.run('drop books')
	expect(sent()).toEqual(['begin', 'drop books'])
	expect(window.host.callsOf('console.run').at(-1)).toMatchObject({ inTransaction: true })
	await panel.write('drop books; commit')
	await runAll()
	await expect.element(sheet().getByText('It cannot be undone.')).toBeVisible()
})

test('an engine with transactions says whether a rollback undoes it', async () => {
	await open({
		connection: { safeMode: 'ask' },
		manifest: { console: fakeLanguage({ transaction: { commit: 'commit', rollback: 'rollback' } }) },
		answers: consoleAnswers({ judge: judgedUndone }),
	})
	await panel.write('begin; drop books')
	await runAll()
	await expect.element(sheet().getByText('A rollback of the transaction undoes it.')).toBeVisible()
})

test('a refused write of a read-only connection shows the setting, and asks nothing', async () => {
	await open({ connection: { safeMode: 'read-only' } })
	window.host.fail('console.run', '"Sample" is read-only. To allow writes, select Edit.')
	await panel.run('insert 1')
	await expect.element(panel.runs.first().getByText('"Sample" is read-only')).toBeVisible()
	expect(window.host.callsOf('console.review')).toEqual([])
})
