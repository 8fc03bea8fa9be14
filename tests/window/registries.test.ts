import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, openPage } from '../support/browser.ts'
import { Roundhouse } from '../support/roundhouse.ts'
import { TestRegistry } from '../support/test-registry.ts'

let browser: Browser
beforeAll(async () => {
	browser = await openBrowser()
})
afterAll(() => browser?.close())

const kept = (roundhouse: Roundhouse) =>
	readFile(join(roundhouse.home, 'settings.json'), 'utf8').then(
		text => JSON.parse(text).registries,
		() => [],
	)

async function openPlugins(page: Page) {
	await page.getByRole('button', { name: 'Settings' }).click()
	await page.getByRole('tab', { name: 'Plugins' }).click()
	const line = (text: string) =>
		page.getByRole('list', { name: 'Registries' }).getByRole('listitem').filter({ hasText: text })
	const add = async (url: string, fingerprint = '') => {
		await page.getByLabel('Address of the registry').fill(url)
		await page.getByLabel('Fingerprint', { exact: true }).fill(fingerprint)
		await page.getByRole('button', { name: 'Add registry' }).click()
	}
	return { line, add }
}

test('a registry is added after its fingerprint was compared, works immediately, and its removal lists its drivers', async () => {
	await using registry = await TestRegistry.withDriver(undefined, '1.0.0', { name: 'The shelf' })
	await using roundhouse = await Roundhouse.make()
	await roundhouse.serve()
	const page = await openPage(browser, roundhouse, [])
	const { line, add } = await openPlugins(page)
	await line('default').getByText('up to date').waitFor()
	expect(await line('default').getByRole('button').count()).toBe(0)

	await add(registry.source.url)
	const question = page.getByRole('alertdialog', { name: 'Compare the fingerprint' })
	await question.getByText(registry.fingerprint.slice(0, 8)).waitFor()
	await question.getByRole('button', { name: 'No' }).click()
	expect(await kept(roundhouse)).toEqual([])

	await add(registry.source.url)
	await question.getByRole('button', { name: 'Trust this registry' }).click()
	await line('The shelf').getByText('1 driver · valid until').waitFor()
	expect(await kept(roundhouse)).toMatchObject([{ fingerprint: registry.fingerprint }])

	const plugin = page.getByRole('list', { name: 'Browse' }).getByRole('listitem').filter({ hasText: 'Tiny' })
	await plugin.getByRole('button', { name: 'Install' }).click()
	await plugin.getByText('Version 1.0.0 is installed').waitFor()
	await line('The shelf').getByRole('button', { name: 'Remove' }).click()
	const removal = page.getByRole('alertdialog', { name: 'Remove The shelf' })
	await removal.getByText('Tiny', { exact: true }).waitFor()
	await roundhouse.json(['connection', 'add', '--driver', 'tiny', '--name', 'Orders'])
	await removal.getByText('Tiny, used by Orders').waitFor()
	await removal.getByRole('button', { name: 'Remove registry' }).click()
	await line('The shelf').waitFor({ state: 'detached' })
	expect(await kept(roundhouse)).toEqual([])
})

test('a fingerprint that the user enters is compared, and another one is refused', async () => {
	await using registry = await TestRegistry.make({ name: 'The shelf' })
	await using roundhouse = await Roundhouse.make()
	await roundhouse.serve()
	const page = await openPage(browser, roundhouse, [])
	const { line, add } = await openPlugins(page)
	await add(registry.source.url, 'ab'.repeat(32))
	await page.getByText('has another fingerprint than you entered').waitFor()
	expect(await kept(roundhouse)).toEqual([])
	await add(registry.source.url, registry.fingerprint)
	await line('The shelf').getByText('0 drivers').waitFor()
})
