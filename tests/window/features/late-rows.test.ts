import { expect, test } from 'vitest'
import { ArithmeticWindow } from '../../support/arithmetic-window.ts'

/** While the rows of another sort are loading, the previous rows are in view, and keys refer to them. */
test('an action on the rows in view does not apply to the rows that replace them', async () => {
	await using window = await ArithmeticWindow.open({ delayMs: 1500 })
	const table = await window.openTable('small')
	const press = (keys: string) => window.page.keyboard.press(keys)
	const staged = table.root.getByText('not saved')
	await (await table.cell(0, 'c0')).click()
	await table.header('n').click({ button: 'right' })
	await window.page.getByRole('menuitem', { name: 'Sort descending' }).click()
	expect(await (await table.cell(0, 'id')).innerText()).toBe('r0')
	await (await table.cell(0, 'c0')).click()
	await press('Delete')
	await table.root.getByText(/The selected rows are being replaced|The rows were reloaded/).waitFor()
	await expect.poll(async () => (await table.cell(0, 'id')).innerText()).toBe('r199')
	expect(await staged.count()).toBe(0)
	await (await table.cell(0, 'c0')).click()
	await press('Delete')
	await staged.waitFor()
	expect(await table.root.locator('[role=row][aria-rowindex="2"]').getAttribute('class')).toContain('deleted')
	expect(window.faults).toEqual([])
})

test('keys that follow an action whose rows are still loading run after it, and none is lost', async () => {
	await using window = await ArithmeticWindow.open({ delayMs: 3000 })
	const table = await window.openTable('small')
	const { keyboard } = window.page
	await (await table.cell(0, 'c0')).click()
	// The last of them are not loaded yet.
	for (let screen = 0; screen < 4; screen++) await keyboard.press('Shift+PageDown')
	await keyboard.press('Delete')
	await keyboard.press('ControlOrMeta+z')
	await table.root.getByText('All changes are undone').waitFor()
	await keyboard.press('ControlOrMeta+Shift+z')
	await keyboard.press('ControlOrMeta+Shift+s')
	await window.page.getByRole('dialog', { name: /^Save \d+ changes on / }).waitFor()
	expect(window.faults).toEqual([])
})

test('a row that is still loading cannot be edited, and a message says so', async () => {
	await using window = await ArithmeticWindow.open({ delayMs: 3000 })
	const table = await window.openTable('endless')
	await (await table.cell(0, 'n')).click()
	await window.page.keyboard.press('ControlOrMeta+End')
	await window.page.keyboard.press('F2')
	await table.root.getByText('This row is still loading.').waitFor()
	expect(window.faults).toEqual([])
})

test('a filter by a row that is still loading follows as soon as the row is there', async () => {
	await using window = await ArithmeticWindow.open({ delayMs: 1500 })
	const table = await window.openTable('small')
	await (await table.cell(0, 'id')).click()
	await window.page.keyboard.press('ControlOrMeta+End')
	await window.page.keyboard.press('Home')
	await window.page.keyboard.press('=')
	await table.root.getByText('id is r199', { exact: true }).waitFor()
	expect(window.faults).toEqual([])
})
