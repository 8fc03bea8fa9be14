import type { Screen, Stage } from './stage.ts'

/** The grid, its bars, sheets and menus. */
export function gridScreens(stage: Stage): readonly Screen[] {
	const { sheet, press, button, closeSheet, menu, closeMenu, documentText, find } = stage
	return [
		{
			name: 'grid',
			show: stage.openBooks,
		},
		{
			name: 'selected cells',
			show: async () => {
				await (await stage.books.cell(1, '_id')).click()
				await press('Shift+ArrowDown', 'Shift+ArrowRight')
			},
		},
		{
			name: 'whole text of a cell',
			show: async () => {
				await stage.books.scrollTo('summary')
				await (await stage.books.cell(0, 'summary')).hover()
				await stage.window.page.getByRole('tooltip').waitFor()
			},
			leave: async () => {
				await stage.window.page.mouse.move(0, 0)
				await stage.books.grid.evaluate(element => element.scrollTo(0, 0))
			},
		},
		{
			name: 'cell during editing',
			show: async () => {
				await (await stage.books.cell(0, 'author.country')).dblclick()
				await stage.books.root.getByRole('textbox', { name: 'Edit author.country' }).waitFor()
			},
			leave: () => press('Escape'),
		},
		{
			name: 'cell during editing, with an invalid value',
			show: async () => {
				await (await stage.books.cell(0, 'author.born')).dblclick()
				await stage.window.page.keyboard.insertText('never')
				await press('Enter')
				await stage.books.root.locator('.cell-editor-hint.fault').waitFor()
			},
			leave: () => press('Escape'),
		},
		{
			name: 'statistics of a column, and a filter that is changed in place',
			show: async () => {
				await (await stage.books.cell(0, 'author.country')).click()
				await press('=')
				await press('Alt+t')
				await stage.books.root.getByText('Different values', { exact: true }).waitFor()
				await stage.books.root.getByRole('button', { name: /^author\.country is / }).click()
				await stage.books.root.getByRole('form', { name: /^Change author\.country/ }).waitFor()
			},
			leave: async () => {
				await press('Escape')
				await stage.books.root.getByRole('button', { name: /^Remove author\.country/ }).click()
				await stage.books.root.getByRole('button', { name: 'Close the statistics' }).click()
				await stage.books.root.getByText('3,003 documents').waitFor()
			},
		},
		{
			name: 'value sheet',
			show: async () => {
				await (await stage.books.cell(0, 'author.name')).click()
				await press('Alt+Enter')
				await sheet().locator('.cm-content:focus').waitFor()
			},
		},
		{
			name: 'find in a value',
			show: async () => find((await sheet().locator('.cm-content').innerText()).slice(0, 1)),
			leave: async () => {
				await press('Escape')
				await closeSheet()
			},
		},
		{
			name: 'new row as JSON',
			show: async () => {
				await stage.books.root.getByRole('button', { name: 'New document' }).click()
				await sheet().getByText('As JSON').click()
				await sheet().getByLabel('Document as JSON').waitFor()
			},
		},
		{
			name: 'new row by field',
			show: async () => {
				await sheet().getByText('By field').click()
				await sheet().getByLabel('author.name', { exact: true }).waitFor()
			},
			leave: closeSheet,
		},
		{
			name: 'rows that are new, changed and deleted',
			show: async () => {
				await stage.books.edit(0, 'author.country', 'XX')
				await (await stage.books.cell(1, '_id')).click()
				await press('Delete')
				await stage.books.root.getByRole('button', { name: 'New document' }).click()
				await sheet().getByText('As JSON').click()
				await sheet().getByLabel('Document as JSON').fill('{"title": "New"}')
				await sheet().getByRole('button', { name: 'Add', exact: true }).click()
				await stage.books.root.getByText('3 changes not saved').waitFor()
			},
		},
		{
			name: 'review before saving',
			show: async () => {
				await stage.books.root.getByRole('button', { name: 'Review and save' }).click()
				await sheet()
					.getByRole('button', { name: /^(Save|Delete)/ })
					.waitFor()
			},
			leave: closeSheet,
		},
		{
			name: 'conflict',
			show: async () => {
				const id = await (await stage.books.cell(1, '_id')).innerText()
				await stage.window.cluster(`/books/_update/${id}`, {
					method: 'POST',
					body: { doc: { author: { country: 'TT' } } },
				})
				await stage.books.save()
				await stage.books.root.getByText('A document was changed by another client.').waitFor()
			},
		},
		{
			name: 'mine beside theirs',
			show: async () => {
				await stage.books.root.getByRole('button', { name: 'Compare' }).click()
				await sheet().getByText('TT', { exact: true }).waitFor()
			},
			leave: async () => {
				await closeSheet()
				await stage.books.root.getByRole('button', { name: 'Discard' }).click()
				await stage.books.dismissMessage('Discarded 1 change.')
			},
		},
		{
			name: 'time range with its histogram, and a query with completions',
			show: async () => {
				const time = stage.books.root.getByRole('group', { name: 'Time' })
				await time.getByLabel('Time range').selectOption('From … to …')
				await time.getByRole('button', { name: 'Histogram of time' }).click()
				await stage.books.root.getByRole('slider').waitFor()
				await stage.books.root.getByRole('searchbox', { name: 'Query' }).fill('author.country:NG AND auth')
				await stage.books.root.getByRole('listbox', { name: 'Completions' }).waitFor()
			},
			leave: async () => {
				await stage.books.root.getByRole('searchbox', { name: 'Query' }).fill('')
				const time = stage.books.root.getByRole('group', { name: 'Time' })
				await time.getByLabel('Time range').selectOption('All time')
				await time.getByRole('button', { name: 'Histogram of time' }).click()
			},
		},
		{
			name: 'saved views',
			show: async () => {
				await stage.books.root.getByRole('button', { name: 'Saved views' }).click()
				await stage.window.page.getByLabel('Name of the view').fill('All books')
				await press('Enter')
				await stage.window.page.getByRole('button', { name: 'Rename All books' }).waitFor()
			},
			leave: () => press('Escape'),
		},
		{
			name: 'filter bar',
			show: async () => {
				await stage.books.root.getByRole('button', { name: 'Filter', exact: true }).click()
				const bar = stage.books.root.getByRole('form', { name: 'Filters' })
				await bar.getByLabel('Column').selectOption('author.country')
				await bar.getByLabel('Value').fill('PE')
				await bar.getByRole('button', { name: 'Apply' }).click()
				await stage.books.root.getByRole('gridcell').first().waitFor()
			},
		},
		{
			name: 'filters as chips',
			show: async () => {
				await stage.books.root.getByRole('button', { name: 'Filter', exact: true }).click()
				await stage.books.root.getByRole('list', { name: 'Filters' }).waitFor()
			},
		},
		{
			name: 'nothing found, and what a query was read as',
			show: async () => {
				await stage.books.root.getByRole('searchbox', { name: 'Query' }).fill('_id: nowhere and in_print: true')
				await press('Enter')
				await stage.books.root.getByRole('button', { name: 'Search as typed' }).waitFor()
				await stage.books.root.getByText('No documents', { exact: true }).first().waitFor()
			},
		},
		{
			name: 'invalid query',
			show: async () => {
				await stage.books.root.getByRole('searchbox', { name: 'Query' }).fill('title:(')
				await press('Enter')
				await stage.books.root.getByRole('alert').waitFor()
			},
			leave: async () => {
				await stage.books.root.getByRole('searchbox', { name: 'Query' }).fill('')
				await stage.books.root.getByRole('button', { name: /^Remove/ }).click()
				await stage.books.root.getByText(/^3,0\d\d documents$/).waitFor()
			},
		},
		{
			name: 'previous rows after a failed reload',
			show: async () => {
				await stage.books.root.getByRole('searchbox', { name: 'Query' }).fill('title:(')
				await press('Enter')
				await stage.books.root.getByRole('alert').waitFor()
				await stage.books.root.getByRole('gridcell').first().waitFor()
			},
			leave: async () => {
				await stage.books.root.getByRole('searchbox', { name: 'Query' }).fill('')
				await press('Enter')
				await stage.books.root.getByRole('alert').waitFor({ state: 'detached' })
			},
		},
		{
			name: 'closing a tab with staged changes',
			show: async () => {
				await stage.books.edit(0, 'author.country', 'XX')
				await button('Close books').click()
				await sheet().waitFor()
			},
			leave: async () => {
				await closeSheet()
				await stage.books.root.getByRole('button', { name: 'Discard' }).click()
				await stage.books.dismissMessage('Discarded 1 change.')
			},
		},
		{
			name: 'columns',
			show: async () => {
				await stage.books.root.getByRole('button', { name: 'Columns', exact: true }).click()
				await stage.window.page.getByLabel('Search columns').waitFor()
			},
			leave: closeSheet,
		},
		{
			name: 'row panel',
			show: async () => {
				await stage.books.root.getByRole('button', { name: 'Document', exact: true }).click()
				await documentText().waitFor()
			},
		},
		{
			name: 'find in the document',
			show: async () => {
				await documentText().focus()
				await find('a')
			},
			leave: () => press('Escape'),
		},
		{
			name: 'document with invalid JSON',
			show: async () => {
				await documentText().click()
				await stage.window.page.keyboard.type('x')
				await press('ControlOrMeta+Enter')
				await stage.window.page.getByRole('alert').getByText('This is not JSON').waitFor()
			},
			leave: () => press('Escape'),
		},
		{
			name: 'document as a tree',
			show: async () => {
				await stage.window.page.getByText('Tree', { exact: true }).click()
				await stage.window.page.getByRole('treeitem').filter({ hasText: 'country' }).click()
			},
			leave: async () => {
				await stage.window.page.getByText('JSON', { exact: true }).click()
				await button('Close document').click()
			},
		},
		{
			name: 'two documents side by side',
			show: async () => {
				await (await stage.books.cell(0, '_id')).click()
				await press('Shift+ArrowDown')
				await (await stage.books.cell(0, '_id')).click({ button: 'right' })
				await stage.window.page.getByRole('menuitem', { name: 'Compare the two documents' }).click()
				await sheet()
					.getByText(/^\d+ differences$/)
					.waitFor()
			},
			leave: closeSheet,
		},
		{
			name: 'menu of a cell',
			show: async () => (await stage.books.cell(0, 'author.name')).click({ button: 'right' }).then(menu),
			leave: closeMenu,
		},
		{
			name: 'menu of a column',
			show: async () => stage.books.header('author.name').click({ button: 'right' }).then(menu),
			leave: closeMenu,
		},
		{
			name: 'export',
			show: async () => {
				await stage.books.root.getByRole('button', { name: 'Export' }).click()
				await sheet().waitFor()
			},
			leave: closeSheet,
		},
		{
			name: 'copy as',
			show: async () => {
				await (await stage.books.cell(0, 'author.name')).click()
				await press('Control+Shift+c')
				await sheet().waitFor()
			},
			leave: closeSheet,
		},
	]
}
