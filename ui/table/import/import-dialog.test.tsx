import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { ImportAccount } from '../../../host/api/api.ts'
import { fakeBooks } from '../../testing/books.ts'
import { openWindow } from '../../testing/fake-window.tsx'
import { chooseEntry } from '../../testing/menu.ts'

/** An import that is all or nothing names each bad row, and imports the others if the user wants it. */

const faults = [{ line: 3, outcome: 'failed', message: 'value too long', values: 'XXX, Lost' }] as const
const none: ImportAccount = { state: 'failed', rows: 3, imported: 0, skipped: 0, failed: 1, unknown: 0, faults }
const others: ImportAccount = { ...none, state: 'done', imported: 2 }

test('the other rows of a file are imported after each bad one was named with its values', async () => {
	const table = fakeBooks()
	const columns = table.columns.slice(0, 1)
	const [name = ''] = columns.map(column => column.name)
	let skips: boolean | undefined
	const window = await openWindow({
		tables: [table],
		manifest: { savesWhole: true, imports: { conflicts: [] } },
		answers: {
			'imports.preview': () => ({
				columns,
				fields: [name],
				mapping: { [name]: name },
				rows: [],
				count: { value: 3, isExact: true },
			}),
			'imports.begin': ({ skipsBad }) => {
				skips = skipsBad
				return { id: 'import' }
			},
			'imports.write': () => none,
			'imports.end': () => (skips ? others : none),
		},
	})
	await window.openConnection()
	await page.getByRole('list', { name: 'Tables' }).getByRole('button', { name: 'books' }).click({ button: 'right' })
	await chooseEntry(/^Import/)
	const dialog = page.getByRole('dialog')
	await userEvent.upload(dialog.getByLabelText('File'), new File(['id\n1\n2\n3\n'], 'books.csv'))
	await dialog.getByRole('button', { name: 'Import', exact: true }).click()
	await expect.element(dialog.getByRole('cell', { name: 'XXX, Lost' })).toBeVisible()
	await dialog.getByRole('button', { name: 'Import the other 2' }).click()
	await expect.element(dialog.getByText(/^Imported 2 .*1 failed/)).toBeVisible()
	expect(window.host.callsOf('imports.begin').map(({ skipsBad }) => skipsBad)).toEqual([false, true])
})
