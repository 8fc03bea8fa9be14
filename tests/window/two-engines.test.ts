import type { Browser, Locator, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shop } from '../../plugins/postgres/servers/schema.ts'
import { startServer, type TestServer } from '../../plugins/postgres/servers/server.ts'
import { openBrowser, openPage } from '../support/browser.ts'
import { noWordOfDocuments } from '../support/foreign-words.ts'
import { Pictures } from '../support/pictures.ts'
import { serveWithRegistry } from '../support/registry.ts'
import { Roundhouse } from '../support/roundhouse.ts'
import { TablePanel } from '../support/window.ts'

/** Words that an index has others for. A grid has rows and columns for all engines. */
const sqlWord = /\b(SQL|schemas?|PostgreSQL|tables?|statements?|foreign keys?)\b/i

/** The two engines of the tree in one window: a real PostgreSQL server, and the sample of the search engine. */
describe('two engines in one window', () => {
	let browser: Browser
	let roundhouse: Roundhouse
	let registry: Awaited<ReturnType<typeof serveWithRegistry>>
	let server: TestServer
	let page: Page
	let pictures: Pictures
	const faults: string[] = []

	const dialog = () => page.getByRole('dialog')
	const tables = () => page.getByRole('list', { name: 'Tables' })
	const picture = (name: string) => pictures.take(page, name, 'light')
	const noForeignWord = () => noWordOfDocuments(page)

	beforeAll(async () => {
		;[server, browser, roundhouse] = await Promise.all([
			startServer({ schema: `${shop} analyze;` }),
			openBrowser(),
			Roundhouse.make(),
		])
		registry = await serveWithRegistry(roundhouse)
		pictures = await Pictures.into('test-results/window/two-engines')
		page = await openPage(browser, roundhouse, faults)
	})
	afterAll(async () => {
		await browser?.close()
		await roundhouse?.[Symbol.asyncDispose]()
		await registry?.close()
		await server?.stop()
	})

	test('the first start offers both, and a pasted address fills the form', async () => {
		await page.getByRole('main').getByRole('button', { name: 'New connection' }).click()
		await page.getByRole('button', { name: 'Elasticsearch' }).getByText('Not installed').waitFor()
		await page.getByRole('button', { name: 'PostgreSQL' }).getByText('Not installed').waitFor()
		await picture('choice')
		await page.getByRole('button', { name: 'PostgreSQL' }).click()
		await dialog().getByRole('button', { name: 'Download and install' }).click()
		await dialog().getByLabel('Host', { exact: true }).waitFor()
		await picture('form')
		await noForeignWord()
		await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
		const { port, password } = server.settings
		const address = `postgresql://postgres:${encodeURIComponent(String(password))}@127.0.0.1:${port}/postgres`
		await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(address)})`)
		await dialog().getByLabel('Host', { exact: true }).focus()
		await page.keyboard.press('ControlOrMeta+v')
		expect(await dialog().getByLabel('Port').inputValue()).toBe(String(port))
		await dialog().getByLabel('Name', { exact: true }).fill('Shop')
		await dialog().getByRole('button', { name: 'Save and open' }).click()
		await tables().getByRole('button', { name: 'orders' }).waitFor()
		await noForeignWord()
	})

	test('an index and a table are open side by side', async () => {
		await tables().getByRole('button', { name: 'customers' }).click()
		await page.getByRole('tabpanel', { name: 'public.customers', exact: true }).getByRole('gridcell').first().waitFor()
		await page.getByRole('button', { name: 'New connection' }).first().click()
		await page.getByRole('button', { name: 'Elasticsearch' }).click()
		await dialog().getByRole('button', { name: 'Download and install' }).click()
		await dialog().getByRole('button', { name: 'Use the sample' }).click()
		await dialog().getByText('This connection uses the sample').waitFor()
		await dialog().getByRole('button', { name: 'Save and open' }).click()
		await page.getByRole('list', { name: 'Indices' }).getByRole('button', { name: 'books' }).click()
		await page.getByRole('tabpanel', { name: 'books', exact: true }).getByRole('gridcell').first().waitFor()
		await page.keyboard.press('ControlOrMeta+\\')
		await page.getByRole('tablist', { name: 'Open tables on the right' }).waitFor()
		await page.getByRole('tab', { name: /^customers/ }).click()
		const [left, right] = [
			page.getByRole('tabpanel', { name: 'public.customers', exact: true }).getByRole('grid'),
			page.getByRole('grid', { name: 'books' }),
		]
		await Promise.all([left.waitFor(), right.waitFor()])
		await picture('both')
		expect(faults).toEqual([])
	})

	test('no screen of an index has words of SQL', async () => {
		const books = new TablePanel(page.getByRole('tabpanel', { name: 'books', exact: true }))
		/** The texts and hints of a part of the page. */
		const wordsIn = async (part: Locator) => {
			const hints = await part
				.locator('[aria-label], [title], [placeholder]')
				.evaluateAll(elements =>
					elements.flatMap(element =>
						['aria-label', 'title', 'placeholder'].map(name => element.getAttribute(name) ?? ''),
					),
				)
			return [await part.innerText(), ...hints].join('\n')
		}
		const check = async (part: Locator) =>
			expect((await wordsIn(part)).split('\n').filter(line => sqlWord.test(line))).toEqual([])
		await check(books.root)
		await books.edit(0, 'title', 'A new title')
		await books.root.getByRole('button', { name: 'Review and save' }).click()
		await dialog().getByText('_update').first().waitFor()
		await check(dialog())
		await page.keyboard.press('Escape')
		await dialog().waitFor({ state: 'detached' })
		await books.more('Export')
		await check(dialog())
		await page.keyboard.press('Escape')
		await dialog().waitFor({ state: 'detached' })
		for (const [entry, panel] of [
			['Overview', /^Overview/],
			['All indices', /^Indices/],
			['New console', /^Console/],
		] as const) {
			await page.getByRole('button', { name: 'Actions for Sample' }).click()
			await page.getByRole('menuitem', { name: entry }).click()
			await page.getByRole('tabpanel', { name: panel }).filter({ visible: true }).last().waitFor()
			await check(page.getByRole('tabpanel', { name: panel }).filter({ visible: true }).last())
		}
	})
})
