import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { FakeTable } from '../testing/fake-tables.ts'
import { openWindow } from '../testing/fake-window.tsx'

const books = () =>
	new FakeTable('books', {
		columns: { id: { kind: 'number' }, title: {}, country: {}, born: { kind: 'number' } },
		rows: [
			[1, 'Ficciones', 'AR', 1899],
			[2, 'Things Fall Apart', 'NG', 1930],
			[3, 'Half of a Yellow Sun', 'NG', 1977],
			[4, 'Kokoro', 'JP', 1867],
		],
	})

test('keys filter by the focused cell and filter it out', async () => {
	const window = await openWindow({ tables: [books()] })
	const panel = await window.openTable('books')
	await panel.cell(1, 'country').click()
	await userEvent.keyboard('=')
	await expect.element(page.getByRole('button', { name: 'country is NG', exact: true })).toBeVisible()
	await expect.poll(() => panel.texts('country')).toEqual(['NG', 'NG'])
	expect(window.host.unanswered).toEqual(new Set())
})

test('an edit is reviewed, saved and shown', async () => {
	const table = books()
	const window = await openWindow({ tables: [table] })
	const panel = await window.openTable('books')
	await panel.edit(0, 'title', 'Labyrinths')
	await panel.save()
	await expect.poll(() => table.value('["1"]', 'title')).toBe('Labyrinths')
	await expect.poll(() => panel.texts('title')[0]).toBe('Labyrinths')
})
