import { beforeEach, expect, test } from 'vitest'
import { fakeBooks } from '../testing/books.ts'
import { openWindow, type TablePanel } from '../testing/fake-window.tsx'
import { press } from '../testing/keys.ts'
import { emulateMedia } from '../testing/media.ts'

let books: TablePanel
beforeEach(async () => {
	await emulateMedia({ 'forced-colors': 'active' })
	books = await (await openWindow({ tables: [fakeBooks()] })).openTable('books')
})

/** The style of a cell, without what forced colours take away. */
const style = (row: number, column: string) => {
	const { outlineStyle, outlineWidth, backgroundColor } = getComputedStyle(books.cell(row, column).element())
	return { outline: `${outlineWidth} ${outlineStyle}`, backgroundColor }
}

test('with forced colours, the current cell, the selection and a staged value are marked by lines', async () => {
	await books.edit(1, 'title', 'X')
	await books.cell(3, 'id').click()
	await press('Shift+ArrowDown')
	await expect.poll(() => style(4, 'id').outline).toBe('2px solid')
	expect(style(1, 'title').outline).toBe('1px dashed')
	expect(style(3, 'id').backgroundColor).not.toBe(style(2, 'id').backgroundColor)
})
