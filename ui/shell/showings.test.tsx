import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { PendingShowing } from '../../host/api/api.ts'
import { fakeBooks } from '../testing/books.ts'
import { ConsolePanel } from '../testing/console-panel.ts'
import { consoleAnswers, rowsBody } from '../testing/fake-console.ts'
import { FakeRequests } from '../testing/fake-requests.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'
import { press } from '../testing/keys.ts'
import { chooseOfConnection } from '../testing/menu.ts'

/** A request of an AI client to show data waits in the status line, and changes nothing before the user accepts. */

let window: FakeWindow
let pending: readonly PendingShowing[]
const text = 'select * from books where country = {{country}}'

beforeEach(async () => {
	pending = []
	const files = new FakeRequests()
	files.write('books_of.sql', 'an older one')
	const rows = Array.from({ length: 30 }, (_, n) => [n])
	window = await openWindow({
		tables: [fakeBooks()],
		manifest: { hasFacts: true },
		answers: {
			...consoleAnswers({ run: () => ({ body: rowsBody({ n: { kind: 'number' } }, rows) }) }),
			...files.answers(() => window.host.emit('requests.changed', null)),
			'offers.list': () => [],
			'offers.look': () => ({ text, version: 'v1', names: ['country'], access: 'read' }),
			'facts.read': () => [{ title: 'Health', facts: [{ name: 'Status', value: 'green' }] }],
			'tokens.list': () => [],
			'setup.list': () => ({ clients: [], snippet: '' }),
			'ai.grants': () => ({ access: [], statements: [] }),
			'showings.pending': () => pending,
			'showings.take': ({ id }) => {
				const taken = pending.find(showing => showing.id === id) ?? null
				offer()
				return taken
			},
		},
	})
	await window.openConnection()
})
afterEach(async () => {
	offer()
	await expect.poll(() => messages().getByRole('listitem').elements().length).toBe(0)
	await page.viewport(1280, 820)
})

const messages = () => page.getByRole('region', { name: 'Messages' })
const message = (text: string | RegExp) => messages().getByRole('listitem').filter({ hasText: text })
const sheet = () => page.getByRole('dialog')

function offer(...now: readonly PendingShowing[]): void {
	pending = now
	window.host.emit('showings.changed', null)
}

const about = { asker: { client: 'roundhouse-tests', token: 'assistant' }, connection: { id: 'c1', name: 'Sample' } }
type Shown = Extract<PendingShowing['shown'], { readonly kind: 'table' }>
const books = (changes: Partial<Shown> = {}, id = 'books'): PendingShowing => ({
	...about,
	id,
	title: 'books',
	shown: { kind: 'table', table: 'books', filters: [], match: 'all', sort: [], raw: '', ...changes },
})
const country = (value: string) => ({ column: 'country', operator: 'equals', values: [value], text: value }) as const

test('rows wait for Show, and are then shown as the client requested', async () => {
	offer(books({ filters: [country('NG')], sort: [{ column: 'born', direction: 'desc' }] }))
	await expect.element(message('“roundhouse-tests” wants to show you books on Sample')).toBeVisible()
	expect(page.getByRole('tab').elements()).toEqual([])
	await message(/books/).getByRole('button', { name: 'Show' }).click()
	await expect.element(page.getByRole('button', { name: 'country is NG', exact: true })).toBeVisible()
	await expect.element(page.getByRole('columnheader', { name: 'born' })).toHaveAttribute('aria-sort', 'descending')
	await expect.element(message(/books/)).not.toBeInTheDocument()
})

test("a table that is already open asks before it applies the client's query", async () => {
	await window.openListedTable('books')
	offer(books({ filters: [country('AT')], raw: 'Book' }))
	await expect.element(message(/books/)).toBeVisible()
	await expect.element(page.getByText('60 rows', { exact: true })).toBeVisible()
	await message(/books/).getByRole('button', { name: 'Show' }).click()
	await expect.element(page.getByRole('button', { name: 'country is AT', exact: true })).toBeVisible()
	await expect.element(page.getByRole('searchbox', { name: 'Query' })).toHaveValue('Book')
})

test('a statement is put into a console and does not run', async () => {
	offer({ ...about, id: 's1', title: 'a statement', shown: { kind: 'statement', text: 'delete books' } })
	await message(/a statement on Sample/)
		.getByRole('button', { name: 'Show' })
		.click()
	const panel = new ConsolePanel()
	await expect.poll(() => panel.text()).toBe('delete books')
	expect(window.host.callsOf('console.run')).toEqual([])
})

test('a proposed tool is a saved statement in its console, with its offer filled in and not made', async () => {
	const tool = {
		name: 'books_of',
		description: 'Books of a country.',
		parameters: [{ name: 'country', type: 'text', description: 'Its code' }],
	} as const
	offer({ ...about, id: 't1', title: 'the tool that it proposes, books_of,', shown: { kind: 'tool', text, tool } })
	await message(/wants to show you the tool that it proposes, books_of, on Sample/)
		.getByRole('button', { name: 'Show' })
		.click()
	await expect.element(sheet().getByLabelText('Tool')).toHaveValue('books_of')
	await expect.element(sheet().getByLabelText('Description for the model')).toHaveValue('Books of a country.')
	const parameter = sheet().getByRole('group', { name: '{{country}}' })
	await expect.element(parameter.getByLabelText('Description')).toHaveValue('Its code')
	expect(window.host.callsOf('requests.add')).toMatchObject([{ place: 'own', name: 'books_of 2', text }])
	expect(window.host.callsOf('offers.make')).toEqual([])
	await sheet().getByRole('button', { name: 'Cancel' }).click()
	await expect.element(page.getByRole('tab', { name: /books_of 2/ })).toBeVisible()
	await expect.element(page.getByText('select * from books where country')).toBeVisible()
	expect(window.host.callsOf('console.run')).toEqual([])
})

test('the newest request replaces the previous one, and can be dismissed in all windows', async () => {
	offer(books())
	await expect.element(message(/books/)).toBeVisible()
	offer({ ...books({}, 'newer'), title: 'events' })
	await expect.element(message(/events/)).toBeVisible()
	await expect.element(message(/books/)).not.toBeInTheDocument()
	await message(/events/)
		.getByRole('button', { name: 'Dismiss' })
		.click()
	await expect.element(message(/events/)).not.toBeInTheDocument()
	expect(window.host.callsOf('showings.take')).toEqual([{ id: 'newer' }])
})

/** Returns what the user could click if the messages were not there, as HTML. */
function underMessages(): readonly string[] {
	const controls = 'a, button, input, select, textarea, summary, [role], [tabindex], [contenteditable]'
	const region = messages().element()
	const range = (from: number, to: number) =>
		Array.from({ length: Math.floor((to - from) / 4) }, (_, step) => from + 1 + 4 * step)
	const toasts = [...region.querySelectorAll('li')].map(toast => toast.getBoundingClientRect())
	if (toasts.length === 0) return ['There is no message.']
	const points = toasts.flatMap(({ left, right, top, bottom }) =>
		range(top, bottom).flatMap(y => range(left, right).map(x => ({ x, y }))),
	)
	if (points.some(({ x }) => x > document.documentElement.clientWidth)) return ['A message is cut off.']
	const under = new Set(points.flatMap(({ x, y }) => document.elementsFromPoint(x, y)))
	return [...under]
		.filter(element => element.matches(controls) && !region.contains(element))
		.map(element => element.outerHTML.slice(0, 200))
}

const settings = (title: string) => async () => {
	await page.getByRole('button', { name: 'Settings' }).click()
	await sheet().getByRole('tab', { name: title }).click()
	await expect.element(sheet().getByRole('tabpanel', { name: title })).toBeVisible()
}

test.each<readonly [string, () => Promise<unknown>]>([
	[
		'the last rows above the save bar',
		async () => {
			const panel = await window.openListedTable('books')
			await panel.edit(0, 'country', 'XX')
			await panel.isStaged(1)
			panel.grid.element().focus()
			await press('ControlOrMeta+End')
		},
	],
	[
		'a new row',
		async () => {
			const panel = await window.openListedTable('books')
			await panel.cell(0, 'id').click()
			await press('Insert')
			await expect.element(sheet()).toBeVisible()
		},
	],
	[
		'an export',
		async () => {
			const panel = await window.openListedTable('books')
			await panel.more('Export')
			await expect.element(sheet()).toBeVisible()
		},
	],
	['the settings of AI clients', settings('AI access')],
	['the settings of plugins', settings('Plugins')],
	['general settings', settings('General')],
	[
		'the form of a connection',
		async () => {
			await chooseOfConnection('Sample', 'Edit')
			await expect.element(sheet().getByLabelText('Host', { exact: true })).toBeVisible()
		},
	],
	['an answer of a console', async () => (await ConsolePanel.open()).run('select n')],
	[
		'facts of the connection',
		async () => {
			await page.getByRole('button', { name: 'Overview', exact: true }).click()
			await expect.element(page.getByRole('region', { name: 'Health' })).toBeVisible()
		},
	],
])('a waiting request lies over no control of %s, in any width of the window', async (_, open) => {
	offer({ ...books(), title: 'events' })
	await expect.element(message(/events/)).toBeVisible()
	await open()
	for (const [width, height] of [
		[1440, 900],
		[1024, 768],
		[800, 600],
	] as const) {
		await page.viewport(width, height)
		await expect.poll(underMessages, { message: `at ${width}` }).toEqual([])
	}
})

test('a message that does not fit its line is whole while it has the focus', async () => {
	// The connection of the tab takes a part of the line.
	await window.openListedTable('books')
	offer(books())
	await page.viewport(440, 600)
	const text = message(/books/).getByText(/wants to show you books on Sample/)
	const isCut = () => {
		const element = text.query()
		return element ? element.scrollWidth > element.clientWidth : undefined
	}
	await expect.poll(isCut).toBe(true)
	message(/books/).getByRole('button', { name: 'Dismiss' }).element().focus()
	await expect.poll(isCut).toBe(false)
	const edges = () => message(/books/).element().getBoundingClientRect()
	// It rises to its place.
	await expect.poll(() => edges().bottom).toBeLessThanOrEqual(600)
	expect(edges().right).toBeLessThanOrEqual(440)
})
