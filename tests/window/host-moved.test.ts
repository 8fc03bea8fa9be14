import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SampleWindow, type TablePanel } from '../support/window.ts'

/**
 * If another program took the port meanwhile, the host starts on one of the next ports, and the open window follows.
 */
describe('a host that is restarted on another port', () => {
	let window: SampleWindow
	let books: TablePanel
	let strangers: Server[] = []
	/** Ports after the host's, held so that no other test gets one meanwhile. */
	const held = new Map<number, TcpServer>()
	/** Data that the window sent to other programs than its host. */
	const seen: string[] = []

	beforeEach(async () => {
		const first = await holdPorts()
		await release(first)
		window = await SampleWindow.open({}, first)
		books = await window.openTable('books')
	})
	afterEach(async () => {
		for (const server of strangers) {
			server.closeAllConnections()
			server.close()
		}
		strangers = []
		await release(...held.keys())
		seen.length = 0
		await window?.[Symbol.asyncDispose]()
	})

	/** Holds four free ports in a row, and returns the first. */
	async function holdPorts(): Promise<number> {
		for (;;) {
			const first = await hold(0)
			const rest = await Promise.allSettled([1, 2, 3].map(offset => hold(first + offset)))
			if (rest.every(({ status }) => status === 'fulfilled')) return first
			await release(...held.keys())
		}
	}
	async function hold(wanted: number): Promise<number> {
		const server = createTcpServer(socket => socket.destroy())
		await once(server.listen(wanted, '127.0.0.1'), 'listening')
		const { port } = server.address() as AddressInfo
		held.set(port, server)
		return port
	}
	async function release(...ports: readonly number[]): Promise<void> {
		await Promise.all(ports.map(at => new Promise(resolve => held.get(at)?.close(resolve) ?? resolve(undefined))))
		for (const at of ports) held.delete(at)
	}

	const port = () => Number(new URL(window.page.url()).port)
	/** Another program, which accepts everything or forwards it to the real host. */
	async function takePort(at: number, relayTo?: () => number | undefined): Promise<void> {
		const server = createServer(async ({ url, headers: { cookie, origin, host } }, response) => {
			seen.push(`${host} ${url} ${cookie ?? ''}`)
			const real = relayTo?.()
			const relayed = real ? await fetch(`http://127.0.0.1:${real}${url}`).catch(() => undefined) : undefined
			const answer = await relayed?.text()
			const headers = { 'content-type': 'application/json', 'access-control-allow-origin': origin ?? '*' }
			response.writeHead(200, headers).end(answer ?? '{"challenge":"c","proof":"p","ticket":"t"}')
		})
		server.on('upgrade', ({ url }, socket) => {
			seen.push(`upgrade ${url}`)
			socket.destroy()
		})
		strangers.push(server)
		await release(at)
		await once(server.listen(at, '127.0.0.1'), 'listening')
	}
	const stopped = () => window.page.getByText('Roundhouse stopped.').first()
	const isThereAgain = async () => {
		await expect.poll(() => new URL(window.page.url()).port).not.toBe(String(before.port))
		await window.page.getByRole('tab', { name: 'books' }).waitFor()
		await books.root.getByRole('gridcell').first().waitFor()
	}
	let before = { port: 0, path: '' }
	const stop = async () => {
		before = { port: port(), path: new URL(window.page.url()).pathname }
		await window.roundhouse.stop('SIGKILL')
		await stopped().waitFor()
	}

	test('is found by the window, with its tabs and the changes that were staged without a host', async () => {
		const { page, roundhouse } = window
		await books.edit(0, 'author.country', 'XX')
		await stop()
		await takePort(before.port)
		await takePort(before.port + 1)
		await books.edit(1, 'author.country', 'YY')
		await release(before.port + 2, before.port + 3)
		await roundhouse.serve()
		await isThereAgain()
		expect(port()).toBeGreaterThan(before.port + 1)
		expect(port()).toBeLessThanOrEqual(before.port + 8)
		expect(new URL(page.url()).pathname).not.toBe(before.path)
		await books.root.getByText('2 changes not saved').waitFor()
		expect(await page.getByRole('tab').count()).toBe(1)
		await books.save()
		await books.dismissMessage('Saved 2 documents.')
		// The strict cookie belongs to the new address, so the page loads again.
		await page.reload()
		await books.root.getByRole('gridcell').first().waitFor()
	})

	test('reveals no path, cookie or answer to a program in between, wherever it forwards the questions', async () => {
		const { roundhouse } = window
		await stop()
		let real: number | undefined
		await takePort(before.port, () => real)
		await takePort(before.port + 1, () => real)
		await expect.poll(() => new Set(seen.map(line => line.split(' ')[0])).size).toBe(2)
		await takePort(before.port + 2)
		real = before.port + 3
		await release(real)
		const { ui } = await roundhouse.serve()
		await isThereAgain()
		expect(port()).toBe(Number(new URL(ui?.url ?? '').port))
		expect(seen.filter(line => line.includes(before.path) || line.includes('roundhouse='))).toEqual([])
		expect(seen.filter(line => line.includes('answer') || line.startsWith('upgrade'))).toEqual([])
		expect(seen.every(line => / \/return\?nonce=[\w-]{43} $/.test(line))).toBe(true)
	})
})
