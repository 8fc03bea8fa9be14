import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { FakeChat, fitsChat, toolResult } from '../testing/fake-chat.ts'

/** The app of groups: a chart, and its numbers as a table. */

const grouped = (by: readonly object[], columns: readonly string[], rows: readonly unknown[][], more: object = {}) => ({
	call: { table: 'books', group_by: by },
	answer: toolResult({ columns: columns.map(name => ({ name })), rows, ...more }),
})

async function show({ call, answer }: ReturnType<typeof grouped>): Promise<FakeChat> {
	const chat = await FakeChat.show('chart')
	chat.call(call)
	chat.give(answer)
	return chat
}
const rowTexts = (index: number) =>
	[...(document.querySelectorAll('tr')[index]?.children ?? [])].map(cell => cell.textContent)
const count = (selector: string) => document.querySelectorAll(selector).length

test('groups have a chart of bars and a table of numbers', async () => {
	const rows = [
		['en', 3],
		['de', 1],
	]
	const chat = await show(grouped([{ column: 'language' }], ['language', 'count'], rows))
	await expect.element(page.getByRole('img', { name: /count by language/ })).toBeVisible()
	await expect.element(page.getByRole('table', { name: 'count by language' })).toBeInTheDocument()
	expect(count('.chart-bar')).toBe(2)
	await fitsChat(chat)
})

test('groups over time have a curve', async () => {
	const rows = [1, 2, 3].map(month => [`2026-0${month}-01T00:00:00.000Z`, month])
	await show(grouped([{ column: 'published', interval: 'month' }], ['published', 'count'], rows))
	await expect.element(page.getByRole('img', { name: /count by published/ })).toBeVisible()
	expect(count('.chart-curve')).toBe(1)
})

test('two groups are stacked: a bar for each of the first has a part for each of the second', async () => {
	const rows = ['en', 'de'].flatMap(language => [true, false].map(isInPrint => [language, isInPrint, 1]))
	const chat = await show(
		grouped([{ column: 'language' }, { column: 'in_print' }], ['language', 'in_print', 'count'], rows),
	)
	const numbers = page.getByRole('table', { name: 'count by language, in_print' })
	await expect.element(numbers).toBeInTheDocument()
	expect(rowTexts(0)).toEqual(['language', 'in_print', 'count'])
	expect(count('.chart-key')).toBeGreaterThan(1)
	await fitsChat(chat)
})

test('columns of equal names stay apart, and notices and all groups are shown', async () => {
	const rows = Array.from({ length: 210 }, (_, n) => [1000 + n, n, 1e308])
	const notices = ['4,766 rows are in groups that are not shown.']
	const chat = await show(grouped([{ column: 'count' }], ['count', 'count', 'x'.repeat(300)], rows, { notices }))
	await expect.element(page.getByText('4,766 rows are in groups that are not shown.')).toBeVisible()
	await expect.element(page.getByText('The least and the most of every 3 of 210')).toBeVisible()
	expect(count('.chart-bar')).toBe(140)
	expect(page.getByRole('row').elements()).toEqual([])
	await page.getByText('Numbers').click()
	await expect.poll(() => rowTexts(8)).toEqual(['1007', '7'])
	expect(count('tr')).toBe(211)
	await fitsChat(chat)
	await page.getByRole('combobox').selectOptions(page.getByRole('option').nth(1))
	await expect.poll(() => rowTexts(8)).toEqual(['1007', '1e+308'])
})

test('null and the text "null" are different groups, also in stacked bars', async () => {
	const keys = [null, 'null', '', '""', 'plain']
	const rows = keys.flatMap(a => ['x', 'y'].map((b, at) => [a, b, at + 1]))
	await show(grouped([{ column: 'a' }, { column: 'b' }], ['a', 'b', 'count'], rows))
	await page.getByText('Numbers').click()
	const firsts = [...document.querySelectorAll('tbody tr')].map(row => row.firstElementChild?.textContent)
	expect([...new Set(firsts)]).toEqual(['null', '"null"', '""', '"\\"\\""', 'plain'])
	const places = [...document.querySelectorAll('.chart-bar')].map(bar => bar.getAttribute('x'))
	expect(new Set(places).size).toBe(keys.length)
})
