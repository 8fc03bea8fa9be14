import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { FakeTable } from '../../testing/fake-tables.ts'
import { openWindow } from '../../testing/fake-window.tsx'

/** Columns without a value in the first rows. */

/** A wide table whose columns but two are empty in the first rows. The index has one value by the driver's word. */
function wide(): FakeTable {
	const names = Array.from({ length: 23 }, (_, at) => `c${at}`)
	return new FakeTable('wide', {
		columns: {
			id: { kind: 'number' },
			index: { isUniform: true },
			...Object.fromEntries(names.map(name => [name, {}])),
		},
		rows: Array.from({ length: 300 }, (_, at) => [at, 'one', ...names.map(() => (at === 250 ? 'late' : null))]),
	})
}

test('a column is shown although its first rows are empty, unless the user hides those', async () => {
	const window = await openWindow({ tables: [wide()] })
	const table = await window.openTable('wide')
	await expect.poll(() => table.columns()).toContain('c0')
	expect(table.columns()).not.toContain('index')
	const button = table.root.getByRole('button', { name: /^(Hidden|Shown): / })
	await expect.element(button).toHaveTextContent('Hidden: 1 column with one value')
	await button.click()
	await expect.poll(() => table.columns()).toContain('index')
	await expect.element(button).toHaveTextContent('Shown: 24 columns with one value, 23 with other values below')
	await button.click()
	await expect.poll(() => table.columns()).toEqual(['id'])
	await window.open()
	const again = page.getByRole('button', { name: /^Hidden: 24 columns/ })
	await expect.element(again).toBeVisible()
})
