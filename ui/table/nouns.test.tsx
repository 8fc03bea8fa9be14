import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { ChangeOutcome } from '../../host/api/api.ts'
import { FakeTable } from '../testing/fake-tables.ts'
import { type FakeWindow, openWindow, type TablePanel } from '../testing/fake-window.tsx'
import { press } from '../testing/keys.ts'

/** An engine has its own words for tables and rows, keys that the user enters, and perhaps no query language. */

let window: FakeWindow
let accounts: TablePanel

beforeEach(async () => {
	const table = new FakeTable('accounts', {
		columns: {
			id: { isReadOnly: 'after_insert', isRequired: true },
			balance: { kind: 'number' },
		},
		rows: [
			['ada', { number: '9223372036854775807' }],
			['bob', 12],
		],
	})
	window = await openWindow({
		tables: [table],
		manifest: {
			tableNoun: { one: 'Journal', many: 'Journals' },
			rowNoun: { one: 'account', many: 'accounts' },
			rowKey: 'given',
			rawQuery: undefined,
		},
	})
	accounts = await window.openTable('accounts')
})

const says = (text: string) => expect.element(accounts.root.getByText(text, { exact: true })).toBeVisible()
const form = () => page.getByRole('dialog', { name: 'New account' })

test('the grid counts, opens and exports rows under the term of the engine', async () => {
	await says('2 accounts')
	await expect.poll(() => accounts.texts('balance')).toEqual(['9223372036854775807', '12'])
	await accounts.cell(1, 'balance').click({ button: 'right' })
	await page.getByRole('menuitem', { name: 'Open account' }).click()
	await expect.element(page.getByRole('complementary', { name: 'Account' }).getByText('"bob"')).toBeVisible()
	await page.getByRole('button', { name: 'Close account', exact: true }).click()
	await accounts.more('Export')
	await expect.element(page.getByRole('dialog').getByLabelText('Accounts')).toBeVisible()
})

test('an engine without a query language has no search field', async () => {
	await expect.element(accounts.root.getByRole('button', { name: 'New account' })).toBeVisible()
	expect(accounts.root.getByRole('searchbox', { name: 'Query' }).query()).toBeNull()
})

test('the first filter is by a column of values, not by the key', async () => {
	await accounts.root.getByRole('button', { name: 'Filter', exact: true }).click()
	await expect.element(accounts.root.getByLabelText('Column', { exact: true })).toHaveValue('balance')
})

test('a new row needs the key that the user enters, and keeps it', async () => {
	await accounts.root.getByRole('button', { name: 'New account' }).click()
	await form().getByText('As JSON').click()
	await form().getByLabelText('Account as JSON').fill('{"balance": 7}')
	await form().getByRole('button', { name: 'Add', exact: true }).click()
	await expect.element(form().getByRole('alert').getByText('id is required.')).toBeVisible()
	await form().getByLabelText('id', { exact: true }).fill('cleo')
	await form().getByRole('button', { name: 'Add', exact: true }).click()
	await accounts.save()
	await says('3 accounts')
	await expect.poll(() => accounts.texts('id')).toContain('cleo')
	const key = accounts.cell(0, 'id').element()
	expect(key.getAttribute('aria-readonly')).toBe('true')
	expect(key.getAttribute('title')).toBe('id can be set in a new account only.')
})

test('a conflict has the term of the engine', async () => {
	const conflict: ChangeOutcome = { status: 'conflict', message: 'The account was changed.' }
	window.host.answer({ 'changes.apply': () => [conflict] })
	await accounts.edit(1, 'balance', '13')
	await accounts.save()
	await expect.element(accounts.root.getByText(/An account was changed by another client\./)).toBeVisible()
	await press('ControlOrMeta+z')
	await accounts.isStaged(0)
})
