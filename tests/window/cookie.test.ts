import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, openPage } from '../support/browser.ts'
import { Roundhouse } from '../support/roundhouse.ts'

/**
 * Attack: a program of this machine listens on another port of 127.0.0.1, and any page makes the browser with the open
 * window request that port by a link or an image. A browser sends a cookie to every port of its host. The cookie of the
 * window must not reach another program.
 */

let browser: Browser
beforeAll(async () => {
	browser = await openBrowser()
})
afterAll(() => browser?.close())

test.each([
	'url',
	'fallbackUrl',
] as const)('after entering by the %s, the browser sends the cookie to no other port of this machine', async way => {
	await using roundhouse = await Roundhouse.make()
	await roundhouse.serve()
	const seen: { readonly url: string | undefined; readonly headers: IncomingHttpHeaders }[] = []
	const thief = createServer(({ url, headers }, response) => {
		seen.push({ url, headers })
		response.writeHead(200, { 'content-type': 'text/html' }).end('<img src="/a.png"><script>fetch("/b")</script>')
	})
	thief.listen(0, '127.0.0.1')
	await once(thief, 'listening')
	try {
		const context = await browser.newContext()
		const page = await context.newPage()
		const entry = (await roundhouse.enter())[way]
		await page.goto(entry)
		await page.getByRole('navigation', { name: 'Connections' }).waitFor()
		expect(await context.cookies()).toMatchObject([{ name: 'roundhouse', httpOnly: true, sameSite: 'Strict' }])

		const { port } = thief.address() as AddressInfo
		for (const host of ['127.0.0.1', 'localhost', 'other.localhost']) {
			const visit = await context.newPage()
			await visit.goto(`http://${host}:${port}/enter`, { waitUntil: 'networkidle' })
			await visit.close()
		}
		expect(seen.length).toBeGreaterThanOrEqual(9)
		expect(seen.filter(({ headers }) => headers.cookie !== undefined)).toEqual([])
		// The window still works, also after a reload.
		await page.reload()
		await page.getByRole('navigation', { name: 'Connections' }).waitFor()
		await context.close()
	} finally {
		thief.closeAllConnections()
		thief.close()
	}
})

test('the clipboard works under the window’s name, because browsers treat the name as this machine', async () => {
	await using roundhouse = await Roundhouse.make()
	await roundhouse.serve()
	const faults: string[] = []
	const page = await openPage(browser, roundhouse, faults)
	expect(await page.evaluate('isSecureContext')).toBe(true)
	expect(faults).toEqual([])
})
