import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeBooks } from '../testing/books.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'
import { press } from '../testing/keys.ts'

/** Actions of facts: a statement of the driver that the user confirms. */

let window: FakeWindow
let jobs: string[]

beforeEach(async () => {
	jobs = ['put dora']
	window = await openWindow({ tables: [fakeBooks()], manifest: { hasFacts: true } })
	window.host.answer({
		'facts.read': () => [
			{ title: 'Book', facts: [{ name: 'Open accounts', value: '3' }] },
			{
				title: 'Work',
				list: {
					columns: ['Job'],
					rows: jobs.map(job => ({ cells: [job], actions: [{ label: 'Repeat', statement: job }] })),
				},
			},
		],
		'console.analyse': ({ text }) => [{ start: 0, end: text.length, summary: text, access: 'write' }],
		'console.review': ({ statements }) => ({
			review: 'reviewed',
			statements: statements.map(({ text }) => ({ text, access: 'write' })),
		}),
		'console.run': ({ statement }) => {
			jobs.push(statement.text)
			return { status: 'OK', isSuccess: true, tookMs: 1, notices: [], body: { view: 'text' } }
		},
	})
	await page.getByRole('button', { name: 'Sample', exact: true }).click()
	await page.getByRole('button', { name: 'Overview', exact: true }).click()
})

const work = () => page.getByRole('tabpanel', { name: 'Overview', exact: true }).getByRole('region', { name: 'Work' })
const repeat = () => work().getByRole('button', { name: 'Repeat' }).first().click()
const sheet = () => page.getByRole('dialog')

test('the overview shows the facts of the driver', async () => {
	const book = page.getByRole('region', { name: 'Book' })
	await expect.element(book.getByText('Open accounts')).toBeVisible()
	await expect.element(work().getByRole('row', { name: 'put dora' })).toBeVisible()
})

test('an action shows its statement first, and sends nothing if the user leaves it', async () => {
	await repeat()
	await expect.element(sheet().getByText('put dora')).toBeVisible()
	await sheet().getByRole('button', { name: 'Leave it' }).click()
	await expect.element(sheet()).not.toBeInTheDocument()
	expect(window.host.callsOf('console.run')).toEqual([])
})

test('a confirmed action is sent with its review, and the facts are read again', async () => {
	await repeat()
	await sheet().getByRole('button', { name: 'Repeat' }).click()
	await expect.poll(() => work().getByRole('row', { name: 'put dora' }).elements().length).toBe(2)
	expect(window.host.callsOf('console.run')).toMatchObject([{ statement: { text: 'put dora' }, review: 'reviewed' }])
})

test('an action that fails shows why in its question', async () => {
	window.host.fail('console.run', 'it cannot be repeated')
	await repeat()
	await sheet().getByRole('button', { name: 'Repeat' }).click()
	await expect.element(sheet().getByRole('alert').getByText('it cannot be repeated')).toBeVisible()
})

test('an action of which the engine says nothing ends with a message', async () => {
	await repeat()
	await sheet().getByRole('button', { name: 'Repeat' }).click()
	const messages = page.getByRole('region', { name: 'Messages' })
	await expect.element(messages.getByText('Repeat: done.')).toBeVisible()
})

test('the status of a refused action and what the engine says are sentences', async () => {
	const refused = { status: '403 Forbidden', isSuccess: false, tookMs: 1, notices: ['0 of 9 rows.', '9 rows failed.'] }
	window.host.answer({ 'console.run': () => ({ ...refused, body: { view: 'text' } }) })
	await repeat()
	await sheet().getByRole('button', { name: 'Repeat' }).click()
	await expect.element(sheet().getByText('403 Forbidden. 0 of 9 rows. 9 rows failed.')).toBeVisible()
})

test('the question about an action counts its statements', async () => {
	jobs = ['put one;put two']
	window.host.answer({
		'console.analyse': ({ text }) =>
			[...text.matchAll(/[^;]+/g)].map(({ 0: found, index }) => ({
				start: index,
				end: index + found.length,
				summary: found,
				access: 'write' as const,
			})),
	})
	await page.getByRole('tabpanel', { name: 'Overview', exact: true }).getByRole('button', { name: 'Reload' }).click()
	await expect.element(work().getByRole('row', { name: 'put one;put two' })).toBeVisible()
	await repeat()
	await expect.element(sheet().getByText('These statements are sent:')).toBeVisible()
	await sheet().getByRole('button', { name: 'Repeat' }).click()
	await expect.element(sheet()).not.toBeInTheDocument()
	expect(window.host.callsOf('console.run').map(({ statement }) => statement.text)).toEqual(['put one', 'put two'])
})

const stopped = 'Repeat: stopped. Changes that were made are kept.'

test('an action that runs is stopped by its button, which says what is kept', async () => {
	using _running = { [Symbol.dispose]: window.host.hold('console.run') }
	await repeat()
	await sheet().getByRole('button', { name: 'Repeat' }).click()
	await expect.element(sheet().getByRole('button', { name: 'Leave it' })).not.toBeInTheDocument()
	await sheet().getByRole('button', { name: 'Stop' }).click()
	await expect.element(page.getByText(stopped)).toBeVisible()
	await expect.element(sheet()).not.toBeInTheDocument()
})

test('Escape asks before it stops an action that runs', async () => {
	using _running = { [Symbol.dispose]: window.host.hold('console.run') }
	await repeat()
	await sheet().getByRole('button', { name: 'Repeat' }).click()
	await expect.element(sheet().getByRole('button', { name: 'Stop' })).toBeVisible()
	await press('Escape')
	const question = page.getByRole('alertdialog', { name: 'Repeat: stop it?' })
	await question.getByRole('button', { name: 'Go on' }).click()
	await expect.element(sheet()).toBeVisible()
	await press('Escape')
	await question.getByRole('button', { name: 'Stop' }).click()
	await expect.element(page.getByText(stopped)).toBeVisible()
})
