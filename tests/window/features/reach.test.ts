import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, openPage } from '../../support/browser.ts'
import { Roundhouse } from '../../support/roundhouse.ts'
import { temporaryServer } from '../../support/temporary-server.ts'
import { TestRegistry } from '../../support/test-registry.ts'

/**
 * A driver that connects to the address in its form, and then to another one, like a driver that discovers nodes of a
 * cluster.
 */
const wandering = `
	const read = async (context, address) => {
		let text = ''
		for await (const chunk of await context.connect(address)) text += chunk
		return text
	}
	export default {
		async connect({ server }, context) {
			const [host, port] = server.split(':')
			const next = await read(context, { host, port: Number(port) })
			await read(context, { host: '127.0.0.1', port: Number(next) })
			return {
				info: () => ({ product: 'Wanderer', version: '1', notices: [] }),
				listTables: async () => [{ name: 'only' }],
				close: async () => {},
			}
		},
	}`

describe('a driver that requests an address outside of its connection', () => {
	let browser: Browser
	let roundhouse: Roundhouse
	let registry: TestRegistry
	let page: Page
	const faults: string[] = []
	const servers = new AsyncDisposableStack()
	let first = 0
	let second: Awaited<ReturnType<typeof temporaryServer>>

	beforeAll(async () => {
		registry = await TestRegistry.make()
		await registry.add(wandering, '1.0.0', {
			displayName: 'Wanderer',
			permissions: { network: 'connections' },
			form: [{ key: 'server', label: 'Server', type: 'text', required: true, addresses: { defaultPort: 1 } }],
		})
		second = servers.use(await temporaryServer(socket => socket.end('here')))
		first = servers.use(await temporaryServer(socket => socket.end(String(second.port)))).port
		roundhouse = await Roundhouse.make()
		await roundhouse.serve(['--registry', registry.source.url, '--registry-key', registry.source.fingerprint])
		browser = await openBrowser()
		page = await openPage(browser, roundhouse, faults)
	})
	afterAll(async () => {
		await browser?.close()
		await roundhouse?.[Symbol.asyncDispose]()
		await registry?.[Symbol.asyncDispose]()
		await servers.disposeAsync()
	})

	const form = () => page.getByRole('dialog', { name: /Wanderer|connection/i }).first()
	const question = () => page.getByRole('dialog', { name: 'A driver wants to reach another address' })
	const answer = async (name: 'Allow' | 'Refuse') => {
		await question().getByText(`127.0.0.1:${second.port}`).waitFor()
		await question().getByRole('button', { name }).click()
		await question().waitFor({ state: 'detached' })
	}

	test('asks the user, and a refusal is reported', async () => {
		await page.getByRole('main').getByRole('button', { name: 'New connection' }).click()
		await page.getByRole('button', { name: 'Wanderer' }).click()
		await page.getByText('addresses that you allow when asked').waitFor()
		await page.getByRole('button', { name: 'Download and install' }).click()
		await form().getByLabel('Name').fill('Mine')
		await form().getByLabel('Server').fill(`127.0.0.1:${first}`)
		await form().getByRole('button', { name: 'Test', exact: true }).click()
		await answer('Refuse')
		await form().getByText('Wanderer was not allowed to reach').waitFor()
		expect(second.visits).toBe(0)
	})

	test('keeps a permission from the connection test for the saved connection', async () => {
		await form().getByRole('button', { name: 'Test', exact: true }).click()
		await answer('Allow')
		await form().getByText('Connected to Wanderer 1.').waitFor()
		await form().getByRole('button', { name: 'Save and open' }).click()
		await page.getByRole('list', { name: 'Tables' }).getByRole('button', { name: 'only' }).waitFor()
		expect(second.visits).toBe(2)
		expect(faults).toEqual([])
	})
})
