import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inCheckout } from '../../scripts/layout.ts'
import { SampleWindow, type TablePanel } from '../support/window.ts'

/** An open window outlives its host. It finds the next host, and trusts no other program at its address. */
describe('a restarted host', () => {
	let window: SampleWindow
	let books: TablePanel
	beforeEach(async () => {
		window = await SampleWindow.open()
		books = await window.openTable('books')
	})
	afterEach(() => window?.[Symbol.asyncDispose]())

	const stopped = () => window.page.getByText('Roundhouse stopped.').first()

	test('is found by the window, which keeps all changes that were made meanwhile', async () => {
		const { page, roundhouse } = window
		await books.edit(0, 'author.country', 'XX')
		await roundhouse.stop('SIGKILL')
		await stopped().waitFor()
		await books.edit(1, 'author.country', 'YY')
		await roundhouse.serve()
		await stopped().waitFor({ state: 'detached' })
		await books.root.getByText('2 changes not saved').waitFor()
		await expect.poll(() => readFile(join(roundhouse.home, 'workspace.json'), 'utf8')).toContain('"YY"')
		await books.save()
		await books.dismissMessage('Saved 2 documents.')
		expect(await page.getByRole('tab').count()).toBe(1)
	})

	test('of another version loads its own page, and no staged change is lost', async () => {
		const { page, roundhouse } = window
		const { version } = JSON.parse(await readFile(inCheckout('package.json'), 'utf8'))
		// The page of an older release: its script has another version.
		await page.route('**/*.js', async route => {
			const script = await readFile(inCheckout('dist', 'ui', basename(route.request().url())), 'utf8')
			await route.fulfill({ contentType: 'text/javascript', body: script.replaceAll(`"${version}"`, '"0.0.9"') })
		})
		await page.reload()
		await page.unroute('**/*.js')
		await books.edit(0, 'author.country', 'XX')
		await page.evaluate('window.isOlder = true')
		await roundhouse.stop('SIGKILL')
		await stopped().waitFor()
		await books.edit(1, 'author.country', 'YY')
		await roundhouse.serve()
		await expect.poll(() => page.evaluate('window.isOlder ?? false')).toBe(false)
		await books.root.getByText('2 changes not saved').waitFor()
		expect(await page.evaluate('window.isOlder ?? false')).toBe(false)
	})

	test('is not confused with a program that took its port, which receives neither cookie nor path', async () => {
		const { page, roundhouse } = window
		const { port, pathname } = new URL(page.url())
		await roundhouse.stop('SIGKILL')
		const seen: { readonly url: string | undefined; readonly cookie: string | undefined }[] = []
		const impostor = createServer(({ url, headers: { cookie } }, response) => {
			seen.push({ url, cookie })
			response.writeHead(200, { 'content-type': 'application/json' }).end('{"challenge":"c","proof":"p"}')
		})
		await once(impostor.listen(Number(port), '127.0.0.1'), 'listening')
		await expect.poll(() => seen.length).toBeGreaterThan(1)
		impostor.closeAllConnections()
		impostor.close()
		expect(seen.filter(({ url, cookie }) => cookie !== undefined || url?.includes(pathname))).toEqual([])
		expect(seen.filter(({ url }) => url?.includes('answer'))).toEqual([])
		// When the port is free again, the window finds the host.
		await roundhouse.serve()
		await stopped().waitFor({ state: 'detached' })
	})
})
