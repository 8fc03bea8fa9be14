import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../contract/proves.ts'
import { openBrowser, openPage } from '../../support/browser.ts'
import { Roundhouse } from '../../support/roundhouse.ts'

let browser: Browser
beforeAll(async () => {
	browser = await openBrowser()
})
afterAll(() => browser?.close())

test(
	proves('B.install.browse', 'Settings > Plugins > Browse installs a driver in advance, and removes it again'),
	async () => {
		await using roundhouse = await Roundhouse.make()
		await roundhouse.serve()
		const page = await openPage(browser, roundhouse, [])
		await page.getByRole('button', { name: 'Settings' }).click()
		await page.getByRole('tab', { name: 'Plugins' }).click()
		const plugin = page.getByRole('listitem').filter({ hasText: 'Elasticsearch' })
		await plugin.getByRole('button', { name: 'Install' }).click()
		await plugin.getByText('0.1.0 installed').waitFor()
		expect(await roundhouse.json<{ id: string }[]>(['plugin', 'list'])).toMatchObject([{ id: 'search-engine' }])
		await plugin.getByRole('button', { name: 'Remove' }).click()
		await plugin.getByRole('button', { name: 'Install' }).waitFor()
		expect(await roundhouse.json(['plugin', 'list'])).toEqual([])
	},
)
