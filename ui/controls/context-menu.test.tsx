import { cleanup, render } from '@solidjs/testing-library'
import Copy from 'lucide-solid/icons/copy'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeBooks } from '../testing/books.ts'
import { openWindow } from '../testing/fake-window.tsx'
import { type MenuEntry, WithMenu } from './context-menu.tsx'

// The window of another file would leave no room for the line.
beforeEach(cleanup)
afterEach(async () => {
	await userEvent.keyboard('{Escape}')
	cleanup()
})

const run = () => {}
const menu = () => page.getByRole('menu')
const parts = (selector: string) => [...menu().element().querySelectorAll<HTMLElement>(selector)]
const leftsOfLabels = () => parts('.menu-label').map(label => Math.round(label.getBoundingClientRect().left))

async function openMenu(entries: readonly MenuEntry[]): Promise<void> {
	const { container } = render(() => (
		<WithMenu menu={() => ({ label: 'Actions', entries })}>
			<p>A line</p>
		</WithMenu>
	))
	await page.elementLocator(container).getByText('A line').click({ button: 'right' })
	await expect.element(menu()).toBeVisible()
}

test('the label of an entry without an icon is aligned with those of entries that have one', async () => {
	await openMenu([
		{ label: 'Copy', Icon: Copy, run },
		{ label: 'Move', run },
	])
	const [first, second] = leftsOfLabels()
	expect(second).toBe(first)
	const [icon] = parts('.menu-icon > svg')
	expect(icon?.getBoundingClientRect().right).toBeLessThan(first ?? 0)
})

test('a menu without icons has no column for them', async () => {
	await openMenu([{ label: 'Move', run }])
	expect(parts('.menu-icon').map(({ offsetWidth }) => offsetWidth)).toEqual([0])
})

test.each([
	['a cell', 'gridcell', 'Book 1', ['Filter for this', 'Filter out', 'Edit', 'Copy as TSV', 'More']],
	['a column', 'columnheader', 'title', ['Sort ascending', 'Pin to the left', 'Copy name', 'Hide column']],
] as const)('the entries of %s have icons', async (_, role, name, labels) => {
	const window = await openWindow({ tables: [fakeBooks()] })
	const books = await window.openTable('books')
	await books.root.getByRole(role, { name }).first().click({ button: 'right' })
	await expect.element(menu()).toBeVisible()
	const withIcon = parts('[role=menuitem]:has(> .menu-icon > svg) > .menu-label').map(label => label.innerText)
	expect(withIcon).toEqual(expect.arrayContaining([...labels]))
})
