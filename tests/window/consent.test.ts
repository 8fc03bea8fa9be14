import { createHash } from 'node:crypto'
import type { Client } from '@modelcontextprotocol/client'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { timeToHappen } from '../support/absence.ts'
import { openBrowser, openPage } from '../support/browser.ts'
import { overHttp, overStdio } from '../support/clients.ts'
import { type Ready, Roundhouse } from '../support/roundhouse.ts'

const digestOf = (statement: string) => createHash('sha256').update(statement).digest('hex')

/** The window shows questions of AI clients, and nothing runs before the user answers. */
describe('consent in the window', () => {
	let browser: Browser
	let roundhouse: Roundhouse
	let ready: Ready
	let page: Page
	let client: Client
	let connection = ''
	let clusterUrl = ''
	const faults: string[] = []

	beforeAll(async () => {
		roundhouse = await Roundhouse.make()
		connection = await roundhouse.addSample('--external-access', 'read-write', '--ai-policy', 'ask')
		const token = await roundhouse.addToken('full')
		ready = await roundhouse.serve()
		browser = await openBrowser()
		page = await openPage(browser, roundhouse, faults)
		client = await overHttp(ready.mcp.url, token)
	})
	afterAll(async () => {
		await client?.close()
		await browser?.close()
		await roundhouse?.[Symbol.asyncDispose]()
	})

	const call = (name: string, args: Record<string, unknown>) =>
		client.callTool({ name, arguments: { connection_id: connection, ...args } })
	/** Waits until the question is gone: a client may have its result before the window has removed the question. */
	const answer = async (button: string | RegExp) => {
		await dialog().getByRole('button', { name: button }).click()
		await dialog().waitFor({ state: 'detached' })
	}
	const refuse = () => answer('Refuse')
	const textOf = (result: { content?: unknown }) => (result.content as { text: string }[])[0]?.text ?? ''
	const dialog = () => page.getByRole('dialog')
	const country = async () => {
		const book = (await (await fetch(`${clusterUrl}/books/_doc/1`)).json()) as {
			_source: { author: { country: string } }
		}
		return book._source.author.country
	}
	/** The scope of a temporary consent. */
	const target = 'POST /books/_update'
	const update = (value: string) =>
		call('execute_query', { query: `POST /books/_update/1\n{"doc":{"author":{"country":"${value}"}}}` })

	test('the first use of a connection is asked once, and the answer is stored', async () => {
		const listing = call('list_tables', {})
		await dialog().getByText('wants to use a connection').waitFor()
		await dialog().getByText('roundhouse-tests').waitFor()
		await dialog().getByRole('button', { name: 'Allow' }).click()
		expect(textOf(await listing)).toContain('books')
		expect((await call('list_tables', {})).isError ?? false).toBe(false)
	})

	test('a write shows its statement and waits for the answer', async () => {
		await page.getByRole('button', { name: 'Sample', exact: true }).click()
		await page.getByRole('list', { name: 'Indices' }).waitFor()
		clusterUrl = await sampleUrl()
		const before = await country()
		const writing = update('ZZ')
		await dialog().locator('pre').waitFor()
		expect(await country()).toBe(before)
		await answer(/^Run once/)
		expect((await writing).isError ?? false).toBe(false)
		expect(await country()).toBe('ZZ')
	})

	test('a refusal runs nothing, and closing the sheet is a refusal', async () => {
		const refused = update('AA')
		await refuse()
		expect(textOf(await refused)).toMatch(/^denied/)
		const closed = update('BB')
		await dialog().locator('pre').waitFor()
		await expect.poll(() => page.evaluate('document.activeElement.closest("[role=dialog]") !== null')).toBe(true)
		await dialog()
			.getByRole('button', { name: /^Run once/ })
			.and(page.locator(':enabled'))
			.waitFor()
		await page.keyboard.press('Escape')
		await dialog().waitFor({ state: 'detached' })
		expect(textOf(await closed)).toMatch(/^denied/)
		expect(await country()).toBe('ZZ')
	})

	test('a consent for 15 minutes covers the next write, is listed, and can be ended', async () => {
		const first = update('CC')
		await answer(`Allow ${target} for 15 minutes`)
		expect((await first).isError ?? false).toBe(false)
		expect((await update('DD')).isError ?? false).toBe(false)
		expect(await country()).toBe('DD')

		await page.getByRole('button', { name: 'Settings' }).click()
		await page.getByRole('tab', { name: 'AI access' }).click()
		await page.getByText('may use').waitFor()
		await page.getByRole('listitem').filter({ hasText: target }).getByRole('button', { name: 'End now' }).click()
		await page.getByText(target).waitFor({ state: 'detached' })
		await page.keyboard.press('Escape')
		const asked = update('EE')
		await refuse()
		expect(textOf(await asked)).toMatch(/^denied/)
	})

	test('a user who is typing keeps the focus, and typed keys do not answer', async () => {
		await page.locator('input[type=search]').first().focus()
		const asked = update('FF')
		await dialog().locator('pre').waitFor()
		await page.keyboard.type('lo ')
		await page.keyboard.press('Enter')
		await page.keyboard.press('Escape')
		expect(await page.evaluate('document.activeElement.tagName')).toBe('INPUT')
		expect(await dialog().count()).toBe(1)
		// F6 moves to the sheet, where keys in the first second have no effect either.
		await page.keyboard.press('F6')
		expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('dialog')
		await refuse()
		expect(textOf(await asked)).toMatch(/^denied/)
	})

	test('in the first second keys do not answer, and no button consents', async () => {
		const asked = update('GG')
		await dialog().locator('pre').waitFor()
		const early = await page.evaluate(`(() => {
			const sheet = document.querySelector('.question')
			const [refuse, ...yes] = sheet.querySelectorAll('footer button')
			refuse.focus()
			refuse.click() // as Enter does: no pointer
			sheet.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
			return yes.map(button => button.disabled)
		})()`)
		expect(early).toEqual([true, true])
		expect(await dialog().count()).toBe(1)
		await refuse()
		expect(textOf(await asked)).toMatch(/^denied/)
	})

	test('400 blank lines do not hide the rest of a statement, and the user must scroll to its end', async () => {
		const doc = JSON.stringify({ doc: { note: 'x' } }, null, 2).replace('{', `{${'\n'.repeat(400)}`)
		const blank = call('execute_query', { query: `POST /books/_update/1\n${doc}` })
		await expect.poll(() => dialog().locator('pre').textContent()).toContain('blank lines')
		expect(await dialog().locator('pre').textContent()).toContain('"note": "x"')
		await refuse()
		await blank
		const long = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`field${i}`, i]))
		const asked = call('execute_query', {
			query: `POST /books/_update/1\n${JSON.stringify({ doc: long }, null, 1)}`,
		})
		await dialog().getByText('Read the statement to its end').waitFor()
		await timeToHappen(1200)
		expect(
			await dialog()
				.getByRole('button', { name: /^Run once/ })
				.isDisabled(),
		).toBe(true)
		await dialog()
			.locator('pre')
			.evaluate(box => box.scrollTo(0, box.scrollHeight))
		await dialog()
			.getByRole('button', { name: /^Run once/ })
			.and(page.locator(':enabled'))
			.waitFor()
		await refuse()
		await asked
	})

	test('a call that its client cancels removes its question', async () => {
		const abort = new AbortController()
		const given = client.callTool(
			{ name: 'execute_query', arguments: { connection_id: connection, query: 'POST /books/_update/1\n{"doc":{}}' } },
			{ signal: abort.signal },
		)
		await dialog().locator('pre').waitFor()
		abort.abort()
		await expect(given).rejects.toThrow()
		await dialog().waitFor({ state: 'detached' })
	})

	test('a write through the bridge is approved in the window, runs in the cluster, and is logged', async () => {
		const bridge = await overStdio(roundhouse)
		const query = 'POST /books/_update/1\n{"doc":{"author":{"country":"BR"}}}'
		const writing = bridge.callTool({ name: 'execute_query', arguments: { connection_id: connection, query } })
		await dialog().getByText('wants to use a connection').waitFor()
		await dialog().getByRole('button', { name: 'Allow' }).click()
		await dialog().locator('pre').getByText('"BR"').waitFor()
		await answer(/^Run once/)
		expect((await writing).isError ?? false).toBe(false)
		await bridge.close()
		expect(await country()).toBe('BR')

		const entries = await roundhouse.run(['activity', '--json'])
		const last = entries.stdout
			.trim()
			.split('\n')
			.map(line => JSON.parse(line))
			.findLast(entry => entry.statement)
		expect(last).toMatchObject({
			action: 'tool.execute_query',
			outcome: 'success',
			connection,
			statement: digestOf(query),
		})
		expect(last).toMatchObject({ text: query, verdict: 'write', agreed: 'window', connectionName: expect.any(String) })
		expect(await roundhouse.json(['activity', 'verify'])).toMatchObject({ ok: true })
	})

	test('the question for a destructive statement states the loss', async () => {
		const destroying = call('confirm_destructive_operation', { query: 'DELETE /books' })
		await dialog()
			.getByText(/It destroys the index books with 3,00\d documents, and cannot be undone\./)
			.waitFor()
		await refuse()
		expect(textOf(await destroying)).toMatch(/^denied/)
		expect(faults).toEqual([])
	})

	/** Returns the port of the running host's sample, as its process reports it. */
	async function sampleUrl(): Promise<string> {
		await page.getByRole('button', { name: 'New connection' }).first().click()
		await page.getByRole('button', { name: 'Elasticsearch' }).click()
		await dialog().getByRole('button', { name: 'Use the sample' }).click()
		await dialog().getByText('This connection uses the sample').waitFor()
		const url = await dialog().getByLabel('Hosts').inputValue()
		await page.keyboard.press('Escape')
		await dialog().waitFor({ state: 'detached' })
		return url
	}
})
