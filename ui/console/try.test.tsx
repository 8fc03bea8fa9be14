import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Assessment } from '../../host/api/api.ts'
import { fakeBooks } from '../testing/books.ts'
import { ConsolePanel } from '../testing/console-panel.ts'
import { consoleAnswers } from '../testing/fake-console.ts'
import { fakeLanguage } from '../testing/fake-engine.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'
import { press } from '../testing/keys.ts'

/** A console tries a statement: it shows what the statement does, and nothing is changed. */

const effect = {
	place: 'shop',
	tables: [
		{
			table: 'shop.books',
			inserted: 0,
			updated: 0,
			deleted: 1,
			rows: { columns: ['id', 'title'], changes: [{ before: ['7', 'Emma'] }] },
		},
		{ table: 'shop.loans', inserted: 0, updated: 2, deleted: 0 },
	],
}

let window: FakeWindow
let panel: ConsolePanel
let assessment: Assessment

async function open(options: Parameters<typeof openWindow>[0] = {}): Promise<void> {
	window = await openWindow({
		tables: [fakeBooks()],
		manifest: { console: fakeLanguage({ canRehearse: true }) },
		answers: { ...consoleAnswers(), 'console.try': () => assessment },
		...options,
	})
	await window.openConnection()
	panel = await ConsolePanel.open()
}
beforeEach(async () => {
	assessment = { effect }
	await open()
})

const sheet = () => page.getByRole('dialog')
const tried = () => window.host.callsOf('console.try').map(({ statement }) => statement.text)
const ran = () => window.host.callsOf('console.run').map(({ statement }) => statement.text)

test('Try shows the rows that a statement changes, and runs nothing', async () => {
	await panel.write('delete from books where id = 7')
	await panel.root.getByRole('button', { name: 'Try' }).click()
	await expect.element(sheet().getByRole('heading', { name: 'Delete 1 and change 2 rows in 2 tables' })).toBeVisible()
	await expect.element(sheet().getByRole('row', { name: 'shop.loans 0 2 0' })).toBeVisible()
	await expect.element(sheet().getByText('checked just now, nothing was changed')).toBeVisible()
	await expect.element(sheet().getByText('Emma')).toBeVisible()
	await sheet().getByRole('button', { name: 'Close', exact: true }).last().click()
	await expect.element(sheet()).not.toBeInTheDocument()
	expect(tried()).toEqual(['delete from books where id = 7'])
	expect(ran()).toEqual([])
})

test('what a statement does is said in the nouns of the engine', async () => {
	const nouns = { tableNoun: { one: 'Index', many: 'Indices' }, rowNoun: { one: 'document', many: 'documents' } }
	await open({ manifest: { console: fakeLanguage({ canRehearse: true }), ...nouns } })
	await panel.write('delete from books where id = 7')
	await panel.root.getByRole('button', { name: 'Try' }).click()
	await expect.element(sheet().getByRole('columnheader', { name: 'Index' })).toBeVisible()
	await expect.element(sheet().getByText('1 of 1 document of shop.books')).toBeVisible()
})

test('a key tries the statement at the cursor, and Run it asks as always', async () => {
	await panel.write('delete from books where id = 7')
	await press('ControlOrMeta+Alt+Enter')
	await sheet().getByRole('button', { name: 'Run it' }).click()
	await expect.element(sheet().getByText('It cannot be undone.')).toBeVisible()
	expect(ran()).toEqual([])
	await sheet().getByRole('button', { name: 'Run it' }).click()
	await expect.poll(ran).toEqual(['delete from books where id = 7'])
})

test('a statement that is not tried says why', async () => {
	assessment = { unrehearsed: 'It calls shop.mail, which acts outside of the transaction.', destroys: 'the table x' }
	await panel.write('delete from books')
	await press('ControlOrMeta+Alt+Enter')
	await expect.element(sheet().getByText('It calls shop.mail, which acts outside')).toBeVisible()
	await expect.element(sheet().getByText('It deletes: the table x.')).toBeVisible()
})

test('a statement that fails shows the error of the engine, and is not offered to run', async () => {
	assessment = { fault: { code: 'query_failed', message: 'relation "bokks" does not exist' } }
	await panel.write('delete from bokks')
	await press('ControlOrMeta+Alt+Enter')
	await expect.element(sheet().getByText('relation "bokks" does not exist')).toBeVisible()
	expect(sheet().getByRole('button', { name: 'Run it' }).query()).toBeNull()
})

test('a read is not tried, since it changes nothing', async () => {
	await panel.write('select 1')
	await press('ControlOrMeta+Alt+Enter')
	await expect.element(sheet().getByText('It only reads, so nothing changes.')).toBeVisible()
	expect(tried()).toEqual([])
})

test('the question before a write shows what a try did, with its numbers as the title', async () => {
	const review = { review: 'reviewed', statements: [{ text: 'delete x', access: 'destructive' as const, effect }] }
	await open({ answers: { ...consoleAnswers(), 'console.review': () => review } })
	await panel.write('delete x')
	await panel.root.getByRole('button', { name: 'Run', exact: true }).click()
	await expect.element(sheet().getByRole('heading', { name: 'Delete 1 and change 2 rows in 2 tables' })).toBeVisible()
	await expect.element(sheet().getByText('Emma')).toBeVisible()
})

test('a driver that cannot rehearse has no Try', async () => {
	await open({ manifest: { console: fakeLanguage({}) } })
	expect(panel.root.getByRole('button', { name: 'Try' }).query()).toBeNull()
})

test('Try shows first what loses rows, and of its rows what changes beside their first column', async () => {
	const row = ['7', 'Emma', '1815', null]
	assessment = {
		effect: {
			place: 'shop',
			tables: [
				{ table: 'shop.audit', inserted: 1, updated: 0, deleted: 0 },
				{
					table: 'shop.books',
					inserted: 0,
					updated: 1,
					deleted: 0,
					rows: {
						columns: ['id', 'title', 'year', 'note'],
						changes: [{ before: row, after: [...row.slice(0, 3), 'old'] }],
					},
				},
			],
		},
	}
	await panel.write("update books set note = 'old' where id = 7")
	await press('ControlOrMeta+Alt+Enter')
	await expect.element(sheet().getByRole('columnheader', { name: 'note' })).toBeVisible()
	const texts = (selector: string) => [...sheet().element().querySelectorAll(selector)].map(one => one.textContent)
	expect(texts('.effect-counts tbody th')).toEqual(['shop.books', 'shop.audit'])
	expect(texts('.effect-rows th')).toEqual(['id', 'note', 'title', 'year'])
	expect(texts('.effect-rows td')).toEqual(['7', 'null old', 'Emma', '1815'])
})
