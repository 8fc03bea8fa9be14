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
	const tabs = async () => (await window.page.getByRole('tab').allInnerTexts()).map(text => text.trim())
	const clipboard = () => window.page.evaluate<string>('navigator.clipboard.readText()')

	test('a tab has a menu by right click and by keyboard, which returns the focus', async () => {
		const { page } = window
		await tab('events').click({ button: 'right' })
		await menu('events').waitFor()
		await item('Copy name').click()
		await expect.poll(clipboard).toBe('events')
		await tab('events').focus()
		await page.keyboard.press('Shift+F10')
		await menu('events').waitFor()
		await page.keyboard.press('Escape')
		await menu('events').waitFor({ state: 'detached' })
		await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('events')
		await tab('places').focus()
		await page.keyboard.press('Shift+F10')
		await page.locator('[role=menu]:focus-within').waitFor()
		await item('Close to the right').press('Enter')
		await expect.poll(tabs).toEqual(['places'])
		await tab('places').click({ button: 'right' })
		await item('Open the last closed tab').click()
		await expect.poll(tabs).toEqual(['places', 'books'])
	})

	test('arrow keys move along the tabs, and a list contains all tabs', async () => {
		const { page } = window
		await tab('books').click()
		await page.keyboard.press('ArrowLeft')
		await expect.poll(() => tab('places').getAttribute('aria-selected')).toBe('true')
		await page.getByRole('button', { name: 'All open tabs' }).click()
		await page.getByRole('dialog').getByRole('option', { name: 'books' }).waitFor()
		await page.keyboard.type('bk')
		await page.keyboard.press('Enter')
		await expect.poll(() => tab('books').getAttribute('aria-selected')).toBe('true')
	})

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

	test('the active tab of many is visible', async () => {
		const { page } = window
		await page.setViewportSize({ width: 800, height: 600 })
		for (let count = 0; count < 9; count++)
			await page.keyboard.press('ControlOrMeta+k').then(() => page.keyboard.press('c'))
		await expect.poll(tabs).toHaveLength(11)
		const isInSight = async (name: string) => {
			const [place, strip] = [
				await tab(name).boundingBox(),
				await page.getByRole('tablist', { name: 'Open tables' }).boundingBox(),
			]
			return (
				place !== null && strip !== null && place.x >= strip.x && place.x + place.width <= strip.x + strip.width + 1
			)
		}
		await expect.poll(() => isInSight('Console 9')).toBe(true)
		await page.keyboard.press('ControlOrMeta+1')
		await expect.poll(() => isInSight('places')).toBe(true)
		await page.keyboard.press('ControlOrMeta+2')
		await page.keyboard.press('ControlOrMeta+k').then(() => page.keyboard.press('o'))
		await expect.poll(tabs).toEqual(['books'])
		await page.setViewportSize({ width: 1280, height: 820 })
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

	test('a table and its connection have menus; a connection is removed with all its data after a confirmation', async () => {
		const { page } = window
		const list = page.getByRole('list', { name: 'Indices' })
		await list.getByRole('button', { name: 'places' }).click({ button: 'right' })
		await item('About this index').click()
		await page.getByRole('tabpanel', { name: 'About places' }).waitFor()
		await page.keyboard.press('ControlOrMeta+p')
		await page.keyboard.type('events')
		await page.keyboard.press('Enter')
		await page.getByRole('tabpanel', { name: 'events' }).waitFor()
		const books = await window.openTable('books')
		await books.edit(0, 'author.country', 'XX')
		await list.getByRole('button', { name: 'books' }).getByTitle('Changes not saved').waitFor()
		const [saved] = await window.roundhouse.withHost(host => host.call('connections.list', {}))
		/** What the host has stored for windows. */
		const stored = () =>
			window.roundhouse.withHost(async host =>
				JSON.stringify([await host.call('workspace.read', {}), await host.call('preferences.read', {})]),
			)
		await expect.poll(stored).toContain(saved?.id)
		const connection = page.getByRole('button', { name: 'Sample', exact: true })
		await connection.focus()
		await page.keyboard.press('Shift+F10')
		await item('Disconnect').click()
		await list.waitFor({ state: 'detached' })
		await expect.poll(() => connection.getAttribute('title')).toBe('Not connected')
		await connection.click({ button: 'right' })
		await item('Remove').click()
		const sheet = page.getByRole('dialog', { name: 'Remove Sample?' })
		await sheet.getByText('1 change not saved').waitFor()
		await sheet.getByRole('button', { name: 'Keep it' }).click()
		await books.root.getByText('1 change not saved').waitFor()
		await connection.click({ button: 'right' })
		await item('Remove').click()
		await sheet.getByRole('button', { name: 'Remove Sample' }).click()
		await page.getByRole('heading', { name: 'Nothing connected yet' }).waitFor()
		expect(await page.getByRole('tab').count()).toBe(0)
		// The page sends what is pending when it is left.
		await page.reload()
		await page.getByRole('heading', { name: 'Nothing connected yet' }).waitFor()
		expect(await stored()).not.toContain(saved?.id)
		expect(window.faults).toEqual([])
	})
})
