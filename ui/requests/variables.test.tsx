import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeBooks } from '../testing/books.ts'
import { ConsolePanel } from '../testing/console-panel.ts'
import { consoleAnswers } from '../testing/fake-console.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'
import { press, type } from '../testing/keys.ts'

/** Variables of a connection: a statement runs with their values, and is judged with them. */

let window: FakeWindow
let panel: ConsolePanel

beforeEach(async () => {
	window = await openWindow({ tables: [fakeBooks()], answers: consoleAnswers({ variables: { what: 'places' } }) })
	await window.openConnection()
	panel = await ConsolePanel.open()
})

const values = () => page.getByRole('dialog', { name: 'Variables of Sample' })
const sent = () => window.host.callsOf('console.run').map(({ statement }) => statement.text)

test('a variable without a value is asked for, and the statements run with it', async () => {
	await panel.write('select 1; select {{size}} from {{table}}')
	await press('ControlOrMeta+Shift+Enter')
	await expect.element(values().getByLabelText('Value of size')).toHaveFocus()
	await type('3')
	await press('Tab')
	await type('books')
	await press('Enter')
	await expect.element(values()).not.toBeInTheDocument()
	await expect.poll(sent).toEqual(['select 1', 'select 3 from books'])
})

test('a user who gives no value gets the reason, and can open the variables from there', async () => {
	await panel.write('select {{size}}')
	await press('ControlOrMeta+Shift+Enter')
	await expect.element(values().getByRole('button', { name: 'Save and run' })).toBeVisible()
	await press('Escape')
	await expect.element(values()).not.toBeInTheDocument()
	const alert = panel.root.getByRole('alert')
	await expect.element(alert.getByText('There is no value for {{size}}')).toBeVisible()
	await alert.getByRole('button', { name: 'Variables' }).click()
	await expect.element(values().getByRole('button', { name: 'Save', exact: true })).toBeVisible()
	expect(sent()).toEqual([])
})

test('a variable is added by the menu of the connection', async () => {
	await page.getByRole('button', { name: 'Sample', exact: true }).click({ button: 'right' })
	await page.getByRole('menuitem', { name: 'Variables' }).click()
	await values().getByRole('button', { name: 'Add' }).click()
	await values().getByLabelText('Name of variable 2').fill('size')
	await values().getByLabelText('Value of size').fill('3')
	await press('Enter')
	await expect.element(values()).not.toBeInTheDocument()
	expect(window.host.callsOf('variables.write')).toEqual([{ connection: 'c1', values: { what: 'places', size: '3' } }])
})

test('the resulting statement is judged: a destructive one is shown with its value', async () => {
	await panel.write('drop {{what}}')
	await press('ControlOrMeta+Enter')
	await expect.element(page.getByRole('dialog').getByText('drop places')).toBeVisible()
	await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
	expect(sent()).toEqual([])
})

test('a value that the host refuses runs nothing, and shows why', async () => {
	window.host.fail('console.fillIn', 'With its values, this is no longer one statement.')
	await panel.write('select {{what}}')
	await press('ControlOrMeta+Enter')
	await expect.element(panel.root.getByRole('alert').getByText('is no longer one statement')).toBeVisible()
	expect(sent()).toEqual([])
})

test('names of variables are completed', async () => {
	await panel.write('select ')
	await type('{{wh')
	// For a moment a key would still go to the editor.
	await page.getByRole('option', { name: 'what' }).click()
	await expect.poll(() => panel.text()).toBe('select {{what}}')
})
