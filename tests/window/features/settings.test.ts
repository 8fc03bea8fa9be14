import { readFile } from 'node:fs/promises'
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

test('the theme follows the system until the user chooses one, which is kept at the next launch', async () => {
	await using roundhouse = await Roundhouse.make()
	await roundhouse.serve()
	const page = await openPage(browser, roundhouse, [])
	const canvas = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
	await page.emulateMedia({ colorScheme: 'light' })
	const light = await canvas()
	await page.getByRole('button', { name: 'Settings' }).click()
	const box = () => page.getByRole('dialog', { name: 'Settings' }).boundingBox()
	const tab = (name: string) => page.getByRole('tab', { name }).click()
	await tab('Plugins')
	await page.getByRole('listitem').filter({ hasText: 'Elasticsearch' }).waitFor()
	const before = await box()
	for (const name of ['General', 'AI access', 'Activity', 'Appearance']) {
		await tab(name)
		await expect.poll(box).toEqual(before)
	}
	await page.getByLabel('Dark').check()
	const dark = await canvas()
	expect(dark).not.toBe(light)
	await expect.poll(() => readFile(`${roundhouse.home}/preferences.json`, 'utf8').catch(() => '')).toContain('dark')

	await page.close()
	await roundhouse.stop()
	await roundhouse.serve()
	const again = await openPage(browser, roundhouse, [])
	expect(await again.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(dark)
})
