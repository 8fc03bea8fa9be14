import { expect, test } from 'vitest'
import { openBrowser, openPage } from '../support/browser.ts'
import { DevelopedDriver } from '../support/developed-driver.ts'

test('the window shows a saved change in open tabs, and why a build does not run', async () => {
	await using driver = await DevelopedDriver.make()
	driver.start()
	const host = await driver.host()
	await using stack = new AsyncDisposableStack()
	const browser = await openBrowser()
	stack.defer(() => browser.close())
	const page = await openPage(browser, { enter: () => host.call('app.entry', {}) }, [])
	await page.getByText(`Development: ${driver.folder}`).waitFor()
	expect(await page.title()).toBe('Roundhouse (development)')
	await page.getByRole('button', { name: 'Development', exact: true }).click()
	await page.getByRole('list', { name: 'Tables' }).getByRole('button', { name: 'notes' }).click()
	const grid = page.getByRole('grid', { name: 'notes' })
	await grid.getByText('Written by').waitFor()

	await driver.edit('driver.ts', 'Written by ', 'Rewritten by ')
	await grid.getByText('Rewritten by').waitFor()

	await driver.edit('driver.ts', 'function requireTable', 'null.length\nfunction requireTable')
	const alert = page.getByRole('alert').filter({ hasText: 'The last build does not run.' })
	await alert.getByText('TypeError: Cannot read properties of null').waitFor()
	await grid.getByText('Rewritten by').waitFor()

	await driver.edit('driver.ts', 'null.length\n', '')
	await alert.waitFor({ state: 'hidden' })
})
