import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { NewToken, Sight, ToolGroup } from '../../host/api/api.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'

/** Settings > AI access: the endpoint, the set-up of clients, tokens and their tools. */

let window: FakeWindow
let tokens: readonly NewToken[]

const token: NewToken = {
	id: 't1',
	name: 'assistant',
	scopes: ['tools:read'],
	groups: null,
	connections: null,
	createdAt: '2026-01-01T00:00:00.000Z',
	expiresAt: null,
	revokedAt: null,
	lastUsedAt: null,
	token: 'rh_secret',
}
const client = { id: 'cursor', name: 'Cursor', path: '~/.cursor/mcp.json', isInstalled: false, link: null }

beforeEach(async () => {
	tokens = []
	const groups = new Map<string, readonly ToolGroup[]>()
	const toolOf: Partial<Record<ToolGroup, string>> = {
		core: 'list_connections',
		write: 'insert_rows',
		diagnose: 'get_status',
	}
	const sightOf = (id: string): Sight => {
		const seen = groups.get(id) ?? ['core', 'write']
		const tools = seen.flatMap(group => toolOf[group] ?? [])
		return { groups: seen, tools: tools.map(name => ({ name, description: '', tokens: 100 })) }
	}
	window = await openWindow({
		answers: {
			'tokens.list': () => tokens.map(({ token: _, ...info }) => info),
			'tokens.create': ({ name }) => {
				tokens = [{ ...token, name }]
				return { ...token, name }
			},
			'tokens.revoke': () => {
				tokens = []
				return null
			},
			'tokens.tools': ({ id }) => sightOf(id),
			'tokens.setGroups': ({ id, groups: chosen }) => {
				groups.set(id, chosen)
				return sightOf(id)
			},
			'setup.list': () => ({ clients: [client], snippet: '{}' }),
			'ai.grants': () => ({ access: [], statements: [] }),
		},
	})
})

const sheet = () => page.getByRole('dialog', { name: 'Settings' })
const card = (text: string) =>
	page.getByRole('list', { name: 'Tokens' }).getByRole('listitem').filter({ hasText: text })

async function openAccess(): Promise<void> {
	await page.getByRole('button', { name: 'Settings' }).click()
	await sheet().getByRole('tab', { name: 'AI access' }).click()
}

test('the parts of the page appear together, so that none moves another while it is aimed at', async () => {
	const release = window.host.hold('setup.list')
	await openAccess()
	const last = sheet().getByLabelText('Ask before each export')
	await expect.element(last).toBeInTheDocument()
	expect(last.element().checkVisibility({ visibilityProperty: true, opacityProperty: true })).toBe(false)
	release()
	await expect.element(last).toBeVisible()
	await expect.element(page.getByRole('list', { name: 'Clients' }).getByText('Cursor', { exact: true })).toBeVisible()
})

test('a new token is shown once, is listed, and can be revoked', async () => {
	await openAccess()
	await page.getByLabelText('Name of the token').fill('assistant')
	await page.getByRole('button', { name: 'Create' }).click()
	await expect.element(sheet().getByText('rh_secret')).toBeVisible()
	await sheet().getByRole('tab', { name: 'General' }).click()
	await sheet().getByRole('tab', { name: 'AI access' }).click()
	await expect.element(card('assistant')).toBeVisible()
	await expect.element(sheet().getByText('rh_secret')).not.toBeInTheDocument()
	await card('assistant').getByRole('button', { name: 'Revoke' }).click()
	await expect.element(sheet().getByText('No tokens yet.')).toBeVisible()
	expect(window.host.callsOf('tokens.revoke')).toEqual([{ id: 't1' }])
})

test('a token shows its tools and their cost, and a switched group changes both', async () => {
	tokens = [token]
	await openAccess()
	await card('assistant').getByText('Visible tools').click()
	await expect.element(card('assistant').getByText('2 tools, about 200 tokens of every conversation.')).toBeVisible()
	await expect.element(card('assistant').getByText('list_connections')).toBeVisible()
	const groups = card('assistant').getByRole('group', { name: 'Groups of tools of assistant' })
	await expect.element(groups.getByLabelText('Read and find')).toBeChecked()
	await expect.element(groups.getByLabelText('Diagnose')).not.toBeChecked()
	await groups.getByLabelText('Diagnose').click()
	await expect.element(card('assistant').getByText('get_status')).toBeVisible()
	await expect.element(card('assistant').getByText('3 tools, about 300 tokens of every conversation.')).toBeVisible()
})

test('clients without a token have groups of tools too', async () => {
	await openAccess()
	const bridge = card('Clients without a token')
	await bridge.getByText('Visible tools').click()
	await expect.element(bridge.getByText('insert_rows')).toBeVisible()
	await bridge.getByLabelText('Write').click()
	await expect.element(bridge.getByText('insert_rows')).not.toBeInTheDocument()
	expect(window.host.callsOf('tokens.setGroups')).toEqual([{ id: 'bridge', groups: ['core'] }])
})

test('a client is set up after the preview of the change, and the change can be undone', async () => {
	let isInstalled = false
	const plan = { client: 'cursor', path: client.path, before: '', after: '{}', diff: '+ "roundhouse": {}' }
	window.host.answer({
		'setup.list': () => ({ clients: [{ ...client, isInstalled }], snippet: '{}' }),
		'setup.plan': () => plan,
		'setup.apply': ({ kind }) => {
			isInstalled = kind === 'install'
			return null
		},
		'setup.test': () => ({ name: 'roundhouse', version: '1.0.0' }),
	})
	await openAccess()
	const cursor = page.getByRole('list', { name: 'Clients' }).getByRole('listitem').filter({ hasText: 'Cursor' })
	await cursor.getByRole('button', { name: 'Set up' }).click()
	const preview = page.getByRole('dialog', { name: 'Set up this client' })
	await expect.element(preview.getByText('+ "roundhouse": {}')).toBeVisible()
	// The sheet below keeps its focus until this one has it.
	await expect.poll(() => preview.query()?.contains(document.activeElement)).toBe(true)
	expect(window.host.callsOf('setup.apply')).toEqual([])
	await preview.getByRole('button', { name: 'Write it' }).click()
	await expect.element(page.getByText('Done. Restart the client.')).toBeVisible()
	await page.getByRole('button', { name: 'Test connection' }).click()
	await expect.element(page.getByText('The bridge reaches roundhouse 1.0.0.')).toBeVisible()
	await cursor.getByRole('button', { name: 'Undo set-up' }).click()
	await page.getByRole('button', { name: 'Write it' }).click()
	await expect.element(page.getByText('Undone. The original file is restored.')).toBeVisible()
	expect(window.host.callsOf('setup.apply').map(({ kind }) => kind)).toEqual(['install', 'uninstall'])
})

test('a switch of the endpoint is stored', async () => {
	await openAccess()
	await sheet().getByLabelText('Serve AI clients').click()
	await expect.element(sheet().getByLabelText('Serve AI clients')).not.toBeChecked()
	await sheet().getByLabelText('Keep statements in Activity').click()
	await expect
		.poll(() => window.host.callsOf('settings.write'))
		.toEqual([
			{ key: 'mcp.enabled', value: false },
			{ key: 'mcp.keepStatements', value: false },
		])
})

test('a setting that could not be stored is reported, and shows its stored value', async () => {
	window.host.fail('settings.write', 'The disk is full.')
	await openAccess()
	await sheet().getByLabelText('Ask in Roundhouse too').click()
	await expect.element(sheet().getByRole('alert').filter({ hasText: 'The disk is full.' })).toBeVisible()
	await expect.element(sheet().getByLabelText('Ask in Roundhouse too')).not.toBeChecked()
})

test('a machine policy that switches off AI access is shown with its file', async () => {
	window.host.answer({
		'app.info': () => ({
			name: 'Roundhouse',
			version: '0.0.0',
			api: 1,
			home: '/home/test',
			secretStore: 'a file',
			mcp: { url: '', port: 1, refusal: 'The machine policy, /etc/policy.json, switches off AI access.' },
		}),
	})
	await openAccess()
	await expect.element(sheet().getByText('/etc/policy.json, switches off AI access')).toBeVisible()
})

test('a permission and a consent for a while are listed, and each is ended alone', async () => {
	const access = {
		grantee: 'g1',
		token: 'assistant',
		connection: 'Shop',
		connectionId: 'c7',
		grantedAt: '2026-01-01T00:00:00.000Z',
	}
	const expiresAt = '2026-01-01T10:00:00.000Z'
	const consent = {
		id: 's1',
		token: 'assistant',
		client: 'Cursor',
		target: 'orders',
		connection: 'Shop',
		rowsLeft: 1_200,
		expiresAt,
	}
	window.host.answer({
		'ai.grants': () => ({ access: [access], statements: [consent] }),
		'ai.revokeAccess': () => null,
		'ai.endGrant': () => null,
	})
	await openAccess()
	const allowed = page.getByRole('list', { name: 'Allowed' })
	await expect.element(allowed.getByText('“assistant” may use Shop')).toBeVisible()
	await expect.element(allowed.getByText('by Cursor with “assistant”, 1,200 more rows at most')).toBeVisible()
	await allowed.getByRole('button', { name: 'Revoke' }).click()
	await allowed.getByRole('button', { name: 'End now' }).click()
	await expect.poll(() => window.host.callsOf('ai.endGrant')).toEqual([{ id: 's1' }])
	expect(window.host.callsOf('ai.revokeAccess')).toEqual([{ grantee: 'g1', connectionId: 'c7' }])
})

test('each part shows why it could not be read, and reads it again alone', async () => {
	for (const method of ['settings.read', 'ai.grants', 'tokens.list', 'setup.list'] as const) {
		window.host.fail(method, 'The disk is full.')
	}
	await openAccess()
	const said = sheet().getByRole('alert').filter({ hasText: 'The disk is full.' })
	// Two parts read the settings.
	await expect.poll(() => said.elements().length).toBe(5)
	window.host.answer({ 'tokens.list': () => [] })
	await sheet().getByRole('group', { name: 'Tokens' }).getByRole('button', { name: 'Try again' }).click()
	await expect.element(sheet().getByText('No tokens yet.')).toBeVisible()
	await expect.poll(() => said.elements().length).toBe(4)
})
