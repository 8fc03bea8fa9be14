import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SampleWindow } from '../../support/window.ts'

/** The actions of an element are in its menu, which opens by a right click and by keyboard. */
describe('menus', () => {
	let window: SampleWindow
	beforeAll(async () => {
		window = await SampleWindow.open()
		await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
		for (const name of ['places', 'events', 'books']) await window.openTable(name)
	})
	afterAll(() => window?.[Symbol.asyncDispose]())

	const menu = (name: string) => window.page.getByRole('menu', { name })
	const item = (name: string) => window.page.getByRole('menuitem', { name })
	const tab = (name: string) => window.page.getByRole('tab', { name })
	const clipboard = () => window.page.evaluate<string>('navigator.clipboard.readText()')

	test('a menu stays with the item it was opened on while the list is reloaded', async () => {
		const { page } = window
		const list = page.getByRole('list', { name: 'Indices' })
		const reload = page.locator('.tables-head').getByRole('button', { name: 'Reload' })
		await window.cluster('/a-first', { method: 'PUT', body: {} })
		await reload.click()
		const line = list.getByRole('button', { name: 'a-first' })
		await line.waitFor()
		await window.cluster('/a-first', { method: 'DELETE', body: {} })
		await window.pauseCluster(async () => {
			await reload.click()
			await list.getByRole('button', { name: 'places' }).click({ button: 'right' })
			await menu('places').waitFor()
		})
		await line.waitFor({ state: 'detached' })
		expect(await menu('places').count()).toBe(1)
		await item('Copy name').click()
		await expect.poll(clipboard).toBe('places')
	})

	test('a console is duplicated with its text', async () => {
		const { page } = window
		await page.keyboard.press('ControlOrMeta+t')
		await page.getByRole('tabpanel', { name: 'Console' }).waitFor()
		await page.keyboard.insertText('GET /_cat/health')
		await tab('Console').click({ button: 'right' })
		await item('Duplicate').click()
		await page.getByRole('tabpanel', { name: 'Console 2' }).getByText('GET /_cat/health').waitFor()
		await page.keyboard.press('ControlOrMeta+Enter')
		const run = page.getByRole('article', { name: 'GET /_cat/health' })
		await run.getByText('200 OK').waitFor()
		await run.getByText('GET /_cat/health').click({ button: 'right' })
		await page.getByRole('menuitem', { name: 'Copy the request', exact: true }).click()
		await expect.poll(clipboard).toBe('GET /_cat/health')
		await run.getByText('GET /_cat/health').click({ button: 'right' })
		await item('Remove').click()
		await run.waitFor({ state: 'detached' })
	})
})
