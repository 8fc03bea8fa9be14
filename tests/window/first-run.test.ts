import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveRegistry } from '../../registry/publisher/serve.ts'
import { proves } from '../contract/proves.ts'
import { openBrowser, openPage } from '../support/browser.ts'
import { builtRegistry } from '../support/registry.ts'
import { Roundhouse } from '../support/roundhouse.ts'

interface BookHit {
	readonly _source: { readonly author: { readonly country: string } }
}

/** The first session of a new user, in order: each step continues from the previous one. */
describe('the first run', () => {
	let browser: Browser
	let roundhouse: Roundhouse
	let registry: Awaited<ReturnType<typeof serveRegistry>>
	let page: Page
	let clusterUrl = ''
	const faults: string[] = []

	/** A second client of the cluster. */
	const clusterJson = async <T>(path: string) => (await (await fetch(clusterUrl + path)).json()) as T
	const sidebarTable = (name: string) => page.getByRole('list', { name: 'Indices' }).getByRole('button', { name })
	const grid = () => page.getByRole('grid', { name: 'books' })
	async function cell(row: number, column: string) {
		const index = await grid().getByRole('columnheader', { name: column }).getAttribute('aria-colindex')
		return grid().locator(`[role=row][aria-rowindex="${row + 2}"] [role=gridcell][aria-colindex="${index}"]`)
	}
	async function openWindow(): Promise<void> {
		await roundhouse.serve(['--registry', registry.url, '--registry-key', (await builtRegistry()).fingerprint])
		page = await openPage(browser, roundhouse, faults)
	}

	beforeAll(async () => {
		browser = await openBrowser()
		roundhouse = await Roundhouse.make()
		registry = await serveRegistry((await builtRegistry()).folder)
		await openWindow()
	})
	afterAll(async () => {
		await browser?.close()
		await roundhouse?.[Symbol.asyncDispose]()
		await registry?.close()
	})

	test(
		proves('B.install.offer', 'choosing an engine that is not installed offers the download before the form'),
		async () => {
			await page.getByRole('main').getByRole('button', { name: 'New connection' }).click()
			const engine = page.getByRole('button', { name: 'Elasticsearch' })
			await engine.getByText('Not installed').waitFor()
			await engine.click()
			const sheet = page.getByRole('dialog')
			for (const fact of ['Version', 'Download', 'Publisher', 'May use'])
				await sheet.getByText(fact, { exact: true }).waitFor()
			expect(await sheet.getByLabel('Hosts').count()).toBe(0)
			await sheet.getByRole('button', { name: 'Download and install' }).click()
			await sheet.getByLabel('Hosts').waitFor()
		},
	)

	test('the sample cluster fills the form, and the connection opens', async () => {
		const sheet = page.getByRole('dialog')
		await sheet.getByRole('button', { name: 'Use the sample' }).click()
		await sheet.getByText('This connection uses the sample').waitFor()
		clusterUrl = await sheet.getByLabel('Hosts').inputValue()
		await sheet.getByRole('button', { name: 'Save and open' }).click()
		await sidebarTable('books').waitFor()
	})

	test(proves('B.sidebar.hidden', 'the sidebar lists the indices, except those that begin with a dot'), async () => {
		const all = await clusterJson<{ index: string }[]>('/_cat/indices?format=json&expand_wildcards=all')
		expect(all.some(({ index }) => index.startsWith('.'))).toBe(true)
		const shown = await page.getByRole('list', { name: 'Indices' }).getByRole('button').allInnerTexts()
		const names = shown.map(text => text.split('\n')[0])
		expect(names.sort()).toEqual(
			all
				.map(({ index }) => index)
				.filter(name => !name.startsWith('.'))
				.sort(),
		)
	})

	test(
		proves('B.columns.mapping', 'an index opens in the grid with columns from the mapping and the id as its key'),
		async () => {
			await sidebarTable('books').click()
			await grid().getByRole('gridcell').first().waitFor()
			const names = async () => {
				const header = (index: number) =>
					grid().locator(`[role=columnheader][aria-colindex="${index}"] .grid-header-name`)
				return Promise.all([1, 2, 3].map(index => header(index).innerText()))
			}
			// Columns with one value in all rows are folded into one label.
			expect((await names())[0]).toBe('_id')
			const folded = page.getByRole('button', { name: /^(Hidden|Shown): \d+ column/ })
			await folded.click()
			await expect.poll(names).toEqual(['_id', '_index', '_score'])
			await folded.click()
			expect(await (await cell(0, '_id')).getAttribute('aria-readonly')).toBe('true')
		},
	)

	test(
		proves('B.calls.update', 'an edit is staged, reviewed and saved, and a second client of the cluster sees it'),
		async () => {
			const id = await (await cell(1, '_id')).innerText()
			await (await cell(1, 'author.country')).dblclick()
			await page.keyboard.press('ControlOrMeta+a')
			await page.keyboard.type('IS')
			await page.keyboard.press('Enter')
			await page.getByText('1 change not saved').waitFor()
			const before = await clusterJson<BookHit>(`/books/_doc/${id}`)
			expect(before._source.author.country).not.toBe('IS')

			await page.getByRole('button', { name: 'Review and save' }).click()
			expect(await page.getByRole('dialog').locator('pre').innerText()).toMatch(`POST /books/_update/${id}`)
			await page
				.getByRole('dialog')
				.getByRole('button', { name: /^Save \d+ changes?$/ })
				.click()
			await page.getByText('Saved 1 document.').waitFor()
			const after = await clusterJson<BookHit>(`/books/_doc/${id}`)
			expect(after._source).toEqual({ ...before._source, author: { ...before._source.author, country: 'IS' } })
			expect(await page.getByText('not saved').count()).toBe(0)
		},
	)

	test(
		proves('B.install.silent', 'opening a saved connection installs a missing driver without a question'),
		async () => {
			await page.close()
			expect(await roundhouse.stop()).toBe(0)
			await rm(join(roundhouse.home, 'plugins', 'search-engine'), { recursive: true })
			await openWindow()
			await page.getByRole('button', { name: 'Sample', exact: true }).click()
			await sidebarTable('books').click()
			await (await cell(0, 'author.born')).waitFor()
			expect(await page.getByRole('dialog').count()).toBe(0)
		},
	)

	test('the first run causes no error', () => {
		expect(faults).toEqual([])
	})
})
