import { readdir, readFile, readlink } from 'node:fs/promises'
import type { Client } from '@modelcontextprotocol/client'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, openPage } from '../support/browser.ts'
import { overHttp } from '../support/clients.ts'
import { run } from '../support/process.ts'
import { type Ready, Roundhouse } from '../support/roundhouse.ts'
import { nothingLoads } from '../support/window.ts'

/**
 * A driver that crashes fails its calls with a clear message. The window, the endpoint and the next call still work.
 */
describe('killing the driver while the grid is open', () => {
	let browser: Browser
	let roundhouse: Roundhouse
	let ready: Ready
	let page: Page
	let client: Client
	let connection = ''

	beforeAll(async () => {
		roundhouse = await Roundhouse.make()
		connection = await roundhouse.addSample('--ai-policy', 'allow')
		const token = await roundhouse.addToken('read-only')
		ready = await roundhouse.serve()
		browser = await openBrowser()
		page = await openPage(browser, roundhouse, [])
		client = await overHttp(ready.mcp.url, token)
	})
	afterAll(async () => {
		await client?.close()
		await browser?.close()
		await roundhouse?.[Symbol.asyncDispose]()
	})

	/** The driver has two processes. That of the sample has accepted sockets, that of the connections has none. */
	async function drivers(): Promise<{ readonly connections: number; readonly sample: number }> {
		// An idle socket is closed, and tells the processes apart no more.
		await browse()
		const children = (await run('ps', ['-o', 'pid=,args=', '--ppid', String(ready.pid)])).trim().split('\n')
		const pids = children.filter(line => line.includes('driver-runtime.js')).map(line => Number.parseInt(line, 10))
		const sockets = (await readFile('/proc/net/tcp', 'utf8'))
			.split('\n')
			.map(line => line.trim().split(/\s+/))
			.map(([, local = '', , state, ...rest]) => ({ port: local.split(':')[1], state, inode: rest[5] }))
		const listening = new Set(sockets.filter(({ state }) => state === '0A').map(({ port }) => port))
		const accepted = new Set(
			sockets
				.filter(({ port, state }) => state === '01' && listening.has(port))
				.map(({ inode }) => `socket:[${inode}]`),
		)
		const serves = async (pid: number) => {
			const open = (await readdir(`/proc/${pid}/fd`)).map(fd => readlink(`/proc/${pid}/fd/${fd}`).catch(() => ''))
			return (await Promise.all(open)).some(target => accepted.has(target))
		}
		const [first = 0, second = 0] = pids
		return (await serves(first)) ? { sample: first, connections: second } : { sample: second, connections: first }
	}

	const browse = () =>
		client.callTool({ name: 'browse_table', arguments: { connection_id: connection, table: 'events', max_rows: 2 } })
	const grid = () => page.getByRole('grid', { name: 'events' })

	test('shows an error in the window, and the next request works again', async () => {
		await page.getByRole('button', { name: 'Sample', exact: true }).click()
		await page.getByRole('list', { name: 'Indices' }).getByRole('button', { name: 'events' }).click()
		// A log opens at its last minutes, without ids.
		await page.getByLabel('Time range').selectOption('All time')
		await page.getByRole('button', { name: 'Columns', exact: true }).click()
		await page.getByRole('checkbox', { name: '_id', exact: true }).click()
		await page.keyboard.press('Escape')
		await grid().getByText('ev-24000', { exact: true }).waitFor()
		// A page that is fetched ahead would reopen the connection before the test can see the loss.
		await nothingLoads(page)
		process.kill((await drivers()).connections, 'SIGKILL')
		await page.getByRole('alert').getByText('The driver was lost').waitFor()

		await grid().evaluate(element => element.scrollTo(0, 28 * 5000))
		await grid().getByText('ev-19000', { exact: true }).waitFor()
		await page.getByRole('alert').waitFor({ state: 'detached' })
	})

	test('Try again restarts a lost sample', async () => {
		await nothingLoads(page)
		process.kill((await drivers()).sample, 'SIGKILL')
		const alert = page.getByRole('alert').filter({ hasText: 'The sample was lost' })
		await alert.getByRole('button', { name: 'Try again' }).click()
		await alert.waitFor({ state: 'detached' })
		await grid().evaluate(element => element.scrollTo(0, 0))
		await grid().getByText('ev-24000', { exact: true }).waitFor()
	})

	test('an AI client gets an error, and its next call works again', async () => {
		expect((await browse()).isError ?? false).toBe(false)
		const { sample, connections } = await drivers()
		// The paused cluster keeps the call in flight.
		process.kill(sample, 'SIGSTOP')
		const slow = browse()
		// If the call is not there yet, it fails the same way later.
		await new Promise(resolve => setTimeout(resolve, 300))
		process.kill(connections, 'SIGKILL')
		process.kill(sample, 'SIGCONT')
		const lost = await slow
		expect(lost.isError, JSON.stringify(lost)).toBe(true)
		expect((lost.content as { text: string }[])[0]?.text).toMatch(/^not_connected.*was lost/s)
		expect((await browse()).isError ?? false).toBe(false)
	})
})
