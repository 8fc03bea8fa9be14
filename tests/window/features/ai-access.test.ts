import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, openPage } from '../../support/browser.ts'
import { overHttp } from '../../support/clients.ts'
import { alterAnswers } from '../../support/host-answers.ts'
import { type Ready, Roundhouse } from '../../support/roundhouse.ts'
import { toggle } from '../../support/window.ts'

/** A user works with Settings > AI access and Activity. */
describe('AI access in the settings', () => {
	let browser: Browser
	let roundhouse: Roundhouse
	let ready: Ready
	let page: Page
	let person = ''
	const faults: string[] = []

	beforeAll(async () => {
		person = await mkdtemp(join(tmpdir(), 'roundhouse-person-'))
		roundhouse = await Roundhouse.make({ HOME: person })
		ready = await roundhouse.serve()
		browser = await openBrowser()
		page = await openPage(browser, roundhouse, faults)
		await page.getByRole('button', { name: 'Settings' }).click()
		await page.getByRole('tab', { name: 'AI access' }).click()
	})
	afterAll(async () => {
		await browser?.close()
		await roundhouse?.[Symbol.asyncDispose]()
		await rm(person, { recursive: true, force: true })
	})

	test('the parts of the page appear together, so that none moves another while it is aimed at', async () => {
		const read = Promise.withResolvers<void>()
		const fresh = await openPage(browser, roundhouse, faults, page =>
			alterAnswers(page, { 'setup.list': result => read.promise.then(() => result) }),
		)
		// The page is not shown after its time limit.
		await fresh.clock.pauseAt(Date.now() + 60_000)
		await fresh.getByRole('button', { name: 'Settings' }).click()
		await fresh.getByRole('tab', { name: 'AI access' }).click()
		const last = fresh.getByLabel('Ask before each export')
		await last.waitFor({ state: 'attached' })
		expect(await last.isVisible()).toBe(false)
		read.resolve()
		await last.waitFor()
		await fresh.getByRole('list', { name: 'Clients' }).getByRole('listitem').first().waitFor()
		await fresh.close()
	})

	let token = ''

	test('a token is created, shown once, and valid until it is revoked', async () => {
		await page.getByLabel('Name of the token').fill('assistant')
		await page.getByRole('button', { name: 'Create' }).click()
		token = await page.getByText(/^rh_/).innerText()
		const client = await overHttp(ready.mcp.url, token)
		expect((await client.listTools()).tools.length).toBeGreaterThan(0)
		await client.close()

		await page.getByRole('tab', { name: 'General' }).click()
		await page.getByRole('tab', { name: 'AI access' }).click()
		await page.getByRole('listitem').filter({ hasText: 'assistant' }).waitFor()
		expect(await page.getByText(token).count()).toBe(0)
		const card = page.getByRole('listitem').filter({ hasText: 'assistant' })
		await card.getByText('Visible tools').click()
		await card.getByText(/^\d+ tools, about [\d,]+ tokens of every conversation\.$/).waitFor()
		await card.getByText('list_connections', { exact: true }).waitFor()
	})

	test('a user switches groups of tools, and the list of tools of the token changes immediately', async () => {
		const card = page.getByRole('listitem').filter({ hasText: 'assistant' })
		const groups = card.getByRole('group', { name: 'Groups of tools of assistant' })
		const cost = () => card.getByText(/ tokens of every/).innerText()
		expect(await groups.getByLabel('Read and find').isChecked()).toBe(true)
		expect(await groups.getByLabel('Diagnose').isChecked()).toBe(false)
		expect(await card.getByText('get_connection_status', { exact: true }).count()).toBe(0)
		const before = await cost()
		await toggle(groups.getByLabel('Diagnose'), true)
		await card.getByText('get_connection_status', { exact: true }).waitFor()
		await expect.poll(cost).not.toBe(before)
		const client = await overHttp(ready.mcp.url, token)
		expect((await client.listTools()).tools.map(({ name }) => name)).toContain('get_connection_status')
		await client.close()
		const bridge = page.getByRole('listitem').filter({ hasText: 'Clients without a token' })
		await bridge.getByText('Visible tools').click()
		await bridge.getByText('insert_rows', { exact: true }).waitFor()
		await toggle(bridge.getByLabel('Write'), false)
		await bridge.getByText('insert_rows', { exact: true }).waitFor({ state: 'detached' })
		expect(await roundhouse.json(['token', 'groups', 'bridge'])).toMatchObject({ groups: ['core', 'custom'] })
		await roundhouse.json(['token', 'groups', 'bridge', 'core', 'write', 'custom'])
	})

	test('the activity log contains the calls of the client, and its chain verifies', async () => {
		const client = await overHttp(ready.mcp.url, token)
		await client.callTool({ name: 'list_connections', arguments: {} })
		await client.close()
		await page.getByRole('tab', { name: 'Activity' }).click()
		await page.getByRole('listitem').filter({ hasText: 'list_connections' }).first().waitFor()
		await page.getByRole('list', { name: 'Connected clients' }).getByText('roundhouse-tests').waitFor()
		await page.getByRole('searchbox', { name: 'Search activity' }).fill('no such thing')
		await page.getByText('Nothing here.').waitFor()
		await page.getByRole('searchbox', { name: 'Search activity' }).fill('')
		const today = new Date().toLocaleDateString('en-US', { dateStyle: 'full' })
		const mine = page.getByRole('list', { name: `Activity of ${today}` })
		await page.getByLabel('Client', { exact: true }).selectOption('roundhouse-tests')
		await mine.getByRole('listitem').filter({ hasText: 'list_connections' }).first().waitFor()
		expect(await mine.getByText('token.created').count()).toBe(0)
		await page.getByLabel('Client', { exact: true }).selectOption('')
		await mine.getByText('token.created').first().waitFor()
		await page.getByRole('button', { name: 'Verify' }).click()
		await page.getByText(/Complete and unchanged: \d+ entries/).waitFor()
		expect(await roundhouse.json(['activity', 'verify'])).toMatchObject({ ok: true })
	})

	test('a revoked token is refused', async () => {
		await page.getByRole('tab', { name: 'AI access' }).click()
		await page.getByRole('listitem').filter({ hasText: 'assistant' }).getByRole('button', { name: 'Revoke' }).click()
		await page.getByText('No tokens yet.').waitFor()
		await expect(overHttp(ready.mcp.url, token)).rejects.toThrow()
	})

	test('a client is set up after the preview of the change, and the change can be undone', async () => {
		const cursor = page.getByRole('list', { name: 'Clients' }).getByRole('listitem').filter({ hasText: 'Cursor' })
		await cursor.getByRole('button', { name: 'Set up' }).click()
		await page
			.getByRole('dialog', { name: 'Set up this client' })
			.locator('pre')
			.getByText('roundhouse')
			.first()
			.waitFor()
		// The sheet below keeps its focus until this one has it.
		const focus = page.getByRole('dialog', { name: 'Set up this client' }).locator(':focus')
		await expect.poll(() => focus.count()).toBe(1)
		await page.getByRole('button', { name: 'Write it' }).click()
		await page.getByText('Done. Restart the client.').waitFor()
		expect(await readFile(join(person, '.cursor', 'mcp.json'), 'utf8')).toContain('roundhouse')
		await page.getByRole('button', { name: 'Test connection' }).click()
		await page.getByText(/The bridge reaches roundhouse/).waitFor()
		await cursor.getByRole('button', { name: 'Undo set-up' }).click()
		await page.getByRole('button', { name: 'Write it' }).click()
		await page.getByText('Undone. The original file is restored.').waitFor()
		await expect(readFile(join(person, '.cursor', 'mcp.json'))).rejects.toThrow('ENOENT')
	})

	test('a program that opens a pairing link gets the token that the user grants', async () => {
		const challenge = createHash('sha256').update('v'.repeat(43)).digest('base64url')
		await page.keyboard.press('Escape')
		await roundhouse.json(['pair', 'link', `roundhouse://pair?client=Editor&challenge=${challenge}`])
		const dialog = page.getByRole('dialog', { name: 'A program asks for access' })
		await dialog.getByText('Editor').waitFor()
		await dialog.getByRole('button', { name: 'Pair' }).click()
		const code = await page.getByRole('dialog', { name: 'Give this code to the program' }).locator('code').innerText()
		const exchange = JSON.stringify({ code, verifier: 'v'.repeat(43) })
		expect(await roundhouse.json(['pair', 'exchange'], exchange)).toMatchObject({
			scopes: ['tools:read', 'resources:read'],
		})
		await page.keyboard.press('Escape')
		await page.getByRole('button', { name: 'Settings' }).click()
		await page.getByRole('tab', { name: 'AI access' }).click()
	})

	test('an endpoint that is switched off refuses all clients, and serves after it is switched on', async () => {
		const ping = async () => (await fetch(ready.mcp.url, { method: 'POST', body: '{}' })).status
		await toggle(page.getByLabel('Serve AI clients'), false)
		await expect.poll(ping).toBe(503)
		await toggle(page.getByLabel('Serve AI clients'), true)
		await expect.poll(ping).toBe(401)
		expect(faults).toEqual([])
	})
})
