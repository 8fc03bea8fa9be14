import { beforeEach, expect, test } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import type { WindowQuestion } from '../../host/api/api.ts'
import { violations } from '../testing/axe.ts'
import { fakeBooks } from '../testing/books.ts'
import { fakeManifest, fakeOffer } from '../testing/fake-engine.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'
import { press, type } from '../testing/keys.ts'

/** axe finds no violation in connections, palettes, facts, settings, questions and messages, in both themes. */

let window: FakeWindow

const token = {
	id: 't1',
	name: 'assistant',
	scopes: ['tools:read' as const],
	groups: null,
	connections: null,
	createdAt: '2026-01-01T00:00:00.000Z',
	expiresAt: null,
	revokedAt: null,
	lastUsedAt: null,
}

beforeEach(async () => {
	window = await openWindow({
		tables: [fakeBooks()],
		connection: { isProduction: true, aiPolicy: 'ask' },
		manifest: { hasFacts: true },
		answers: {
			'tables.find': () => [{ name: 'b-alias', kind: 'alias', detail: '1 table' }],
			'facts.read': () => [
				{ title: 'Health', facts: [{ name: 'State', value: 'green', state: 'good' }] },
				{ title: 'Fields', list: { columns: ['Field'], rows: [{ cells: ['title'] }] } },
			],
			'connections.test': () => {
				throw new Error('No answer from 127.0.0.1.')
			},
			'tokens.list': () => [token],
			'tokens.tools': () => ({ groups: ['core'], tools: [{ name: 'list_connections', description: '', tokens: 100 }] }),
			'setup.list': () => ({ clients: [], snippet: '{}' }),
			'ai.grants': () => ({ access: [], statements: [] }),
		},
	})
})

const seen = (locator: Locator) => expect.element(locator.first()).toBeVisible()
const dialog = () => page.getByRole('dialog')
const button = (name: string) => page.getByRole('button', { name, exact: true }).first()
const settings = () => page.getByRole('dialog', { name: 'Settings' })

async function openSettings(title: string): Promise<void> {
	await button('Settings').click()
	await settings().getByRole('tab', { name: title }).click()
	await seen(settings().getByRole('tabpanel', { name: title }))
	await expect.element(settings().getByText('Loading …')).not.toBeInTheDocument()
}
async function openDrivers(): Promise<void> {
	await page.getByRole('button', { name: 'New connection' }).first().click()
	await seen(dialog().getByRole('button', { name: 'Shop' }))
}
async function openForm(): Promise<void> {
	await openDrivers()
	await dialog().getByRole('button', { name: 'Shop' }).click()
	await seen(dialog().getByLabelText('Host'))
}
function ask(question: Partial<WindowQuestion>): void {
	const asked = {
		id: 'q1',
		askedAt: '2026-01-01T00:00:00.000Z',
		rowNoun: { one: 'row', many: 'rows' },
		asker: { id: 't1', name: 'assistant' },
		connection: { id: 'c1', name: 'Sample', driverId: 'shop' },
		...question,
	}
	// Each kind of question has its own members, which the tests give.
	window.host.answer({ 'consent.pending': () => [asked as WindowQuestion] })
	window.host.emit('consent.changed', null)
}
function askForToken(): void {
	const program = { id: 'p1', client: 'Editor', redirect: undefined, expiresAt: '2026-01-01T00:00:00.000Z' }
	window.host.answer({ 'pairing.pending': () => [program], 'pairing.approve': () => ({ code: 'the-code' }) })
	window.host.emit('pairing.changed', null)
}

test.for([
	['the start page', () => seen(button('Sample'))],
	['the list of tables', () => window.openConnection()],
	[
		'a connection menu',
		async () => {
			await button('Sample').click({ button: 'right' })
			await seen(page.getByRole('menuitem'))
		},
	],
	[
		'the removal of a connection',
		async () => {
			await button('Sample').click({ button: 'right' })
			await page.getByRole('menuitem', { name: 'Remove' }).click()
			await seen(dialog().getByText('Remove Sample?'))
		},
	],
	[
		'the commands',
		async () => {
			await window.openTable('books')
			await press('ControlOrMeta+Shift+p')
			await type('col')
			await seen(page.getByRole('option'))
		},
	],
	[
		'quick open',
		async () => {
			await window.openConnection()
			await press('ControlOrMeta+p')
			await type('b')
			await seen(page.getByRole('option'))
		},
	],
	[
		'the facts of a connection',
		async () => {
			await window.openConnection()
			await button('Overview').click()
			await seen(page.getByRole('region', { name: 'Health' }).getByText('green'))
		},
	],
	[
		'two panes',
		async () => {
			await window.openTable('books')
			await press('ControlOrMeta+t')
			await seen(page.getByRole('tab', { name: 'Console' }))
			await press('ControlOrMeta+k')
			await press('s')
			await expect.poll(() => document.querySelector('.panes.split')).not.toBeNull()
		},
	],
	[
		'the facts of a table',
		async () => {
			const books = await window.openTable('books')
			await books.more('About this table')
			await seen(page.getByRole('region', { name: 'Fields' }).getByRole('table'))
		},
	],
	['the general settings', () => openSettings('General')],
	['the plugins', () => openSettings('Plugins')],
	['the access of AI', () => openSettings('AI access')],
	[
		'the tools of a token',
		async () => {
			await openSettings('AI access')
			await settings().getByText('Visible tools').last().click()
			await seen(settings().getByText('list_connections'))
		},
	],
	['the activity', () => openSettings('Activity')],
	['the appearance', () => openSettings('Appearance')],
	['the choice of a driver', openDrivers],
	['the form of a connection', openForm],
	[
		'a connection that cannot be reached',
		async () => {
			await openForm()
			await dialog().getByLabelText('Host').fill('127.0.0.1')
			await dialog().getByRole('button', { name: 'Test' }).click()
			await seen(dialog().getByRole('alert'))
		},
	],
	[
		'the question before typed text is lost',
		async () => {
			await openForm()
			await dialog().getByLabelText('Host').fill('127.0.0.1')
			await press('Escape')
			await seen(page.getByRole('alertdialog'))
		},
	],
	[
		'names that the search of the sidebar finds',
		async () => {
			await window.openConnection()
			await page.getByRole('searchbox', { name: 'Search tables' }).fill('b*')
			await seen(page.getByRole('list', { name: 'Found by name' }))
		},
	],
	[
		'the first use of a connection by an AI client',
		async () => {
			ask({ kind: 'access' })
			await seen(dialog().getByText('wants to use a connection'))
		},
	],
	[
		'a write of an AI client',
		async () => {
			const statement = 'update books set title = null'
			ask({ kind: 'statement', statement, shown: statement, summary: 'Changes rows.', access: 'write' })
			await seen(dialog().getByText(statement))
		},
	],
	[
		'a destructive statement of an AI client',
		async () => {
			const statement = 'drop table books'
			const destroys = 'the table books'
			ask({ kind: 'statement', statement, shown: statement, summary: 'Drops.', access: 'destructive', destroys })
			await seen(dialog().getByText('It destroys the table books'))
		},
	],
	[
		'a program that asks for a token',
		async () => {
			askForToken()
			await seen(dialog().getByText('A program asks for access'))
		},
	],
	[
		'the code for a program',
		async () => {
			askForToken()
			await dialog().getByRole('button', { name: 'Pair' }).click()
			await seen(dialog().getByText('Give this code to the program'))
		},
	],
	[
		'a host that stopped',
		async () => {
			window.host.lose()
			await seen(page.getByText('Roundhouse stopped.'))
		},
	],
] as const)('%s: no violation', async ([, show]) => {
	await show()
	expect(await violations()).toEqual([])
})

test.for([
	['without a connection', () => seen(page.getByRole('main').getByRole('button', { name: 'New connection' }))],
	[
		'with a driver that is not installed',
		async () => {
			await page.getByRole('main').getByRole('button', { name: 'New connection' }).click()
			await seen(dialog().getByRole('button', { name: 'Shop' }).getByText('Not installed'))
		},
	],
	[
		'with the offer of a download',
		async () => {
			await page.getByRole('main').getByRole('button', { name: 'New connection' }).click()
			await dialog().getByRole('button', { name: 'Shop' }).click()
			await seen(page.getByRole('button', { name: 'Download and install' }))
		},
	],
] as const)('the first start %s: no violation', async ([, show]) => {
	const { installedVersion: _, ...offer } = fakeOffer(fakeManifest())
	window.host.answer({
		'drivers.browse': () => ({ offers: [{ ...offer, state: 'available' }], notices: [] }),
		'drivers.installed': () => [],
	})
	window.setConnections([])
	await window.open()
	await show()
	expect(await violations()).toEqual([])
})
