import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { FakeTable } from '../testing/fake-tables.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'
import { press } from '../testing/keys.ts'

/** A user hides columns from AI clients: in the menu of a column, and in the settings of the connection. */

const people = () =>
	new FakeTable('people', { columns: { id: {}, name: {}, email: {} }, rows: [['1', 'Ann', 'ann@example.org']] })

const login =
	'-- A role.\ncreate role roundhouse_ai login;\ngrant select ("id", "name") on public.people to roundhouse_ai;\n'

const open = () =>
	openWindow({
		tables: [people()],
		answers: {
			'connections.restrictedLogin': () => login,
			'columns.find': ({ text }) =>
				['email', 'phone'].filter(name => name.includes(text)).map(name => ({ table: 'people', name, type: 'text' })),
		},
	})
const marks = (window: FakeWindow) => window.connections[0]?.hiddenColumns
const item = (name: string) => page.getByRole('menuitem', { name, exact: true })

test('the menu of a column hides it, marks its header, and shows it again', async () => {
	const window = await open()
	const table = await window.openTable('people')
	const toMenu = async () => {
		await table.cell(0, 'email').click()
		await press('ArrowUp')
		await press('Shift+F10')
	}
	await toMenu()
	await item('Hide from AI clients').click()
	await expect.poll(() => marks(window)).toEqual([{ table: 'people', column: 'email' }])
	await expect.poll(() => table.header('email').getAttribute('title')).toContain('hidden from AI clients')
	expect(table.header('name').getAttribute('title')).not.toContain('hidden')
	await toMenu()
	await item('Show to AI clients').click()
	await expect.poll(() => marks(window)).toEqual([])
})

test('the settings of a connection list what is hidden, and suggest columns by their names', async () => {
	const window = await open()
	window.changeConnection(window.connections[0]?.id ?? '', { hiddenColumns: [{ table: 'people', column: 'name' }] })
	await page
		.getByRole('navigation', { name: 'Connections' })
		.getByRole('button', { name: window.connections[0]?.name ?? '', exact: true })
		.click({ button: 'right' })
	await item('Edit').click()
	const sheet = page.getByRole('dialog')
	await expect.element(sheet.getByText('Copies of the values in other tables')).toBeVisible()
	await sheet.getByRole('button', { name: 'Suggest columns' }).click()
	await sheet.getByLabelText('people.phone', { exact: true }).click()
	await sheet.getByRole('button', { name: 'Show people.name to AI clients' }).click()
	const mayCount = sheet.getByRole('checkbox', { name: 'AI clients may count and join people.phone' })
	await expect.element(mayCount).not.toBeChecked()
	await mayCount.click()
	await expect.element(mayCount).toBeChecked()
	await expect.element(sheet.getByLabelText('people.email', { exact: true })).toBeVisible()
	await sheet.getByRole('button', { name: 'Prepare a login' }).click()
	await expect.element(sheet.getByText('create role roundhouse_ai login;')).toBeVisible()
	await sheet.getByRole('button', { name: 'Save', exact: true }).click()
	await expect.element(sheet).not.toBeInTheDocument()
	expect(marks(window)).toEqual([{ table: 'people', column: 'phone', mayCount: true }])
})
