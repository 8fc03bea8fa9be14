import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { openBrowser } from '../../../support/browser.ts'
import { Roundhouse } from '../../../support/roundhouse.ts'

/** Inspector takes no port 0, so the kernel picks one that is released for it. */
async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1')
	await once(server, 'listening')
	const address = server.address()
	await new Promise(resolve => server.close(resolve))
	if (typeof address !== 'object' || address === null) throw new Error('The server has no port.')
	return address.port
}

/** Starts the window of Inspector for a server. Returns its address. */
async function startInspector(home: string, options: readonly string[], stack: AsyncDisposableStack): Promise<string> {
	const modules = join(import.meta.dirname, '..', '..', '..', '..', 'node_modules')
	const launcher = join(modules, '@modelcontextprotocol/inspector/clients/launcher/build/index.js')
	const inspector = spawn(process.execPath, [launcher, '--web', '--transport', 'http', ...options], {
		env: {
			...process.env,
			HOME: home,
			CLIENT_PORT: String(await freePort()),
			MCP_SANDBOX_PORT: '0',
			MCP_AUTO_OPEN_ENABLED: 'false',
			MCP_INSPECTOR_SECRET_STORE: 'memory',
		},
		stdio: ['ignore', 'pipe', 'ignore'],
	})
	stack.defer(async () => {
		const ended = once(inspector, 'exit')
		if (inspector.kill()) await ended
	})
	for await (const line of createInterface(inspector.stdout)) {
		const address = /http:\S+MCP_INSPECTOR_API_TOKEN=\S+/.exec(line)?.[0]
		if (address !== undefined) return address
	}
	throw new Error('Inspector ended before it listened.')
}

test('the window of Inspector lists the apps, and shows the rows of a call', async () => {
	await using stack = new AsyncDisposableStack()
	const roundhouse = stack.use(await Roundhouse.make())
	await roundhouse.addSample('--ai-policy', 'allow', '--external-access', 'read-write')
	const { url } = (await roundhouse.serve()).mcp
	const token = await roundhouse.addToken('full', ['core', 'write'])
	const header = ['--header', `Authorization: Bearer ${token}`]
	const home = await mkdtemp(join(tmpdir(), 'roundhouse-inspector-'))
	stack.defer(() => rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
	const address = await startInspector(home, ['--server-url', url, ...header, '--protocol-era', 'modern'], stack)
	const browser = await openBrowser()
	stack.defer(() => browser.close())
	const page = await (await browser.newContext({ viewport: { width: 1400, height: 900 } })).newPage()
	await page.goto(address)
	// The input lies behind a drawn switch.
	await page.getByRole('switch').first().dispatchEvent('click')
	await page.getByText('Connected', { exact: true }).waitFor()
	await page.getByText('Apps', { exact: true }).first().click()
	await page.getByText('MCP Apps (6)').waitFor()
	await page.getByText('Browse table', { exact: true }).first().click()
	await page.getByLabel('table').first().fill('books')
	await page.getByRole('button', { name: 'Open App' }).click()
	const texts = () => Promise.all(page.frames().map(frame => frame.locator('body').innerText()))
	await expect.poll(async () => (await texts()).join('\n')).toMatch(/20 of 3,003 rows.*Mirror of Zadar/s)
})
