import { expect, test } from 'vitest'
import { FakeTable } from '../../testing/fake-tables.ts'
import { openWindow, type TablePanel } from '../../testing/fake-window.tsx'
import { press, type } from '../../testing/keys.ts'

/** Find in the loaded rows of a grid: as shown, without a request. The search in all rows is the engine's. */

let straw: TablePanel

async function openStraw(count: number): Promise<void> {
	const table = new FakeTable('straw', {
		columns: { id: { kind: 'number' }, title: {} },
		rows: Array.from({ length: count }, (_, row) => [row, row % 100 === 50 ? `Needle ${row}` : `Straw ${row}`]),
	})
	straw = await (await openWindow({ tables: [table] })).openTable('straw')
	await straw.cell(0, 'title').click()
}

const field = () => straw.root.getByRole('textbox', { name: 'Find in the loaded rows' })
const button = (name: string) => straw.root.getByRole('button', { name })
const says = (text: string | RegExp) => expect.element(straw.root.getByText(text)).toBeVisible()
const found = () => [...document.querySelectorAll('.grid-cell.found')].map(({ textContent }) => textContent)
/** The text of the focused cell. */
const current = () => document.querySelector('.grid-cell.current')?.textContent

test('Find marks the matches of the loaded rows and says how many rows it searched', async () => {
	await openStraw(1000)
	await press('ControlOrMeta+f')
	await type('needle')
	await says(/^1 of \d+$/)
	await says(/^in [\d,]+ loaded of 1,000 rows$/)
	expect(current()).toBe('Needle 50')
	await expect.poll(found).toContain('Needle 50')
	await press('Escape')
	await expect.element(field()).not.toBeInTheDocument()
	expect(found()).toEqual([])
})

test('Enter and F3 step through the matches and wrap around, and Escape returns to the cell', async () => {
	await openStraw(200)
	await press('ControlOrMeta+f')
	await field().fill('needle')
	await says(/^1 of \d+$/)
	await says('in all 200 rows')
	await press('Shift+Enter')
	await expect.poll(current).toBe('Needle 150')
	await press('F3')
	await expect.poll(current).toBe('Needle 50')
	await press('Escape')
	expect(document.activeElement?.getAttribute('role')).toBe('grid')
	expect(current()).toBe('Needle 50')
})

test('a typed change is found as it is shown, and an undone one is not', async () => {
	await openStraw(200)
	await straw.edit(2, 'title', 'Haystack')
	await press('ControlOrMeta+f')
	await field().fill('HAYSTACK')
	await says('1 of 1')
	expect(current()).toBe('Haystack')
	await press('Escape')
	await press('ControlOrMeta+z')
	await press('ControlOrMeta+f')
	await says('Nothing found')
})

test('buttons step through the matches, and the search in all rows is beside them', async () => {
	await openStraw(200)
	await press('ControlOrMeta+f')
	await field().fill('Straw 1')
	await says(/^1 of \d+$/)
	await button('Next match').click()
	await says(/^2 of \d+$/)
	await button('Previous match').click()
	await says(/^1 of \d+$/)
	await button('Search all rows').click()
	await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('Query')
	await button('Close the search').click()
	await expect.element(field()).not.toBeInTheDocument()
})
