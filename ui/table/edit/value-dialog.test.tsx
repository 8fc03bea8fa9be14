import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { FakeTable } from '../../testing/fake-tables.ts'
import { openWindow, type TablePanel } from '../../testing/fake-window.tsx'
import { press, type } from '../../testing/keys.ts'

/** One value in a dialog: a long text, JSON, and a date by its parts; and the card with the rest of a cell. */

let stored: FakeTable
let table: TablePanel

beforeEach(async () => {
	stored = new FakeTable('books', {
		columns: {
			id: { isReadOnly: true },
			summary: {},
			attributes: { kind: 'json', isSortable: false },
			published: { kind: 'date' },
			isbn: { kind: 'number' },
		},
		rows: [
			[
				'long',
				'one\r\ntwo\ttabbed\nthree',
				{ json: '{"shelf":{"row":1}}' },
				'2024-07-01T22:30:00.120Z',
				{ number: '9223372036854775807' },
			],
		],
	})
	table = await (await openWindow({ tables: [stored] })).openTable('books')
})

const dialog = () => page.getByRole('dialog')
const card = () => page.getByRole('tooltip')
const value = (column: string) => stored.value('["long"]', column)
const keep = () => dialog().getByRole('button', { name: 'Keep', exact: true })

async function open(column: string): Promise<void> {
	await table.cell(0, column).click()
	await press('Alt+Enter')
	await expect.element(dialog()).toBeVisible()
	await expect.poll(() => document.activeElement?.matches('.cm-content, input')).toBe(true)
}

test('a long text opens with its lines, and parts that are not edited do not change', async () => {
	await open('summary')
	const numbers = [...document.querySelectorAll('.cm-lineNumbers .cm-gutterElement')]
	expect(numbers.map(({ textContent }) => textContent)).toContain('3')
	await press('ControlOrMeta+End')
	await type('!')
	await keep().click()
	await table.save()
	await expect.poll(() => value('summary')).toBe('one\r\ntwo\ttabbed\nthree!')
})

test('invalid JSON cannot be kept, and Escape returns to the grid with the old value', async () => {
	await open('attributes')
	await press('ControlOrMeta+a')
	await press('Delete')
	await userEvent.keyboard('{{"shelf":')
	await expect.element(dialog().getByText(/This is not JSON/)).toBeVisible()
	await expect.element(keep()).toBeDisabled()
	await press('Escape')
	await dialog().getByRole('button', { name: 'Discard' }).click()
	await table.isStaged(0)
	await press('Alt+Enter')
	await expect.element(dialog()).toBeVisible()
})

test('a date is edited by its parts in a time zone, and keeps its own offset and digits', async () => {
	await open('published')
	await dialog().getByLabelText('Zone').selectOptions('Asia/Tokyo')
	await expect.element(dialog().getByLabelText('Date')).toHaveValue('2024-07-02')
	await expect.element(dialog().getByLabelText('Time')).toHaveValue('07:30:00')
	await dialog().getByLabelText('Time').fill('08:45:10')
	await press('Tab')
	await expect.element(dialog().getByLabelText('Value of published')).toHaveValue('2024-07-01T23:45:10.120Z')
	await keep().click()
	await table.save()
	await expect.poll(() => value('published')).toBe('2024-07-01T23:45:10.120Z')
})

test('a value that cannot be changed opens for reading', async () => {
	await open('id')
	await expect.element(dialog().getByRole('textbox', { name: 'Value of id' })).toBeVisible()
	expect(keep().query()).toBeNull()
})

test('the card of a date shows its local and relative time', async () => {
	await table.cell(0, 'published').hover()
	await expect.element(card().getByText(/2024.* in .+, \d+ years? ago/)).toBeVisible()
	await page.getByRole('button', { name: 'Settings' }).hover()
	await expect.element(card()).not.toBeInTheDocument()
})

test('the card of a number shows its separators, also to the focus of the keyboard', async () => {
	await table.cell(0, 'published').click()
	await press('ArrowRight')
	await expect.element(card().getByText('9,223,372,036,854,775,807')).toBeVisible()
})

test('the card of a cut text shows the rest, and covers nothing below the grid', async () => {
	stored.setValue('["long"]', 'summary', `${'word '.repeat(100)}end`)
	await table.more('Reload')
	await expect.poll(() => table.texts('summary')[0]).toMatch(/^word/)
	await table.cell(0, 'summary').hover()
	await expect.element(card().getByText(/end$/)).toBeVisible()
	const bottom = (element: Element) => element.getBoundingClientRect().bottom
	expect(bottom(card().element())).toBeLessThanOrEqual(bottom(table.grid.element()))
})
