import { stat } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ArithmeticWindow } from '../../support/arithmetic-window.ts'
import type { TablePanel } from '../../support/window.ts'

/** Text that is too long for an editor is shown in parts, with a notice, and copied and saved completely. */
describe('documents and answers of many megabytes', () => {
	let window: ArithmeticWindow
	let table: TablePanel
	const panel = () => window.page.getByRole('complementary', { name: 'Row' })
	const text = () => panel().getByRole('textbox', { name: 'Row as JSON' })
	const choose = async (row: number) => (await table.cell(row, 'id')).click()

	beforeAll(async () => {
		window = await ArithmeticWindow.open()
		table = await window.openTable('documents')
		await choose(3)
		await window.page.keyboard.press('Space')
		await text().getByText('small').waitFor()
	})
	afterAll(() => window?.[Symbol.asyncDispose]())

	test('a document of twenty megabytes shows its beginning, and more on request', async () => {
		await choose(1)
		await text().getByText('of many megabytes').waitFor()
		await panel().getByText('The first part of 20 MB is shown.').waitFor()
		const lines = () => text().evaluate(element => element.closest('.cm-editor')?.scrollHeight ?? 0)
		const before = await lines()
		await panel().getByRole('button', { name: 'Show more' }).click()
		await expect
			.poll(() =>
				panel()
					.locator('.cm-content')
					.evaluate(content => content.clientHeight),
			)
			.toBeGreaterThan(before)
		expect(await text().getAttribute('aria-readonly')).toBe('true')
	})

	test('a text of twenty megabytes is cut in the view, and saved completely', async () => {
		await choose(2)
		await text().getByText('one long text').waitFor()
		await text().getByText('20,000,000 bytes in total').waitFor()
		await panel().getByText('Copy and Save use the complete values').waitFor()
		const saving = window.page.waitForEvent('download')
		await panel().getByRole('button', { name: 'Save the row to a file' }).click()
		const path = await (await saving).path()
		expect((await stat(path ?? '')).size).toBeGreaterThan(20_000_000)
	})

	test('a tree of 100,000 names opens in parts', async () => {
		await choose(0)
		await text().getByText('"value of 0"').waitFor()
		await panel().getByText('Tree', { exact: true }).click()
		const tree = panel().getByRole('tree')
		await expect.poll(() => tree.getByRole('treeitem').count()).toBe(201)
		await tree.focus()
		await window.page.keyboard.press('End')
		await window.page.keyboard.press('Enter')
		await expect.poll(() => tree.getByRole('treeitem').count()).toBe(401)
		await tree.getByText('"value of 399"').waitFor()
	})

	test('an expression selects a part of an answer of many megabytes', async () => {
		// Beside the document of the test before, the sidebar is folded.
		await window.page.keyboard.press('ControlOrMeta+t')
		const root = window.page.getByRole('tabpanel', { name: 'Console' })
		await root.getByRole('textbox', { name: 'Console' }).click()
		await window.page.keyboard.insertText('answer 12')
		await window.page.keyboard.press('ControlOrMeta+Enter')
		const answer = root.getByRole('textbox', { name: 'the answer', exact: true })
		await answer.getByText('of the answer').waitFor()
		await root.getByRole('textbox', { name: /^Filter of the answer/ }).fill('items[1].inner.inner.tags[2].c')
		await expect.poll(() => answer.innerText()).toBe('6')
		expect(window.faults).toEqual([])
	})
})
