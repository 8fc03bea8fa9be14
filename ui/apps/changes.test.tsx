import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { FakeChat, fitsChat, toolResult } from '../testing/fake-chat.ts'

/** The app of changes: every proposed change, then its outcome. */

const hostile = '</script><img src=x onerror="document.title = 1">'
const heading = (name: string, isExact = false) => page.getByRole('heading', { name, exact: isExact })

async function propose(
	kind: 'insert' | 'update' | 'delete',
	args: Readonly<Record<string, unknown>>,
): Promise<FakeChat> {
	const chat = await FakeChat.show('changes', { kind })
	chat.call({ table: 'books', ...args })
	return chat
}

test('every proposed row is shown as text, then what happened', async () => {
	const rows = Array.from({ length: 25 }, (_, n) => ({ title: `${hostile} ${n}`, pages: n }))
	const chat = await propose('insert', { rows })
	await expect.element(heading('Insert 25 rows: books')).toBeVisible()
	await expect.element(page.getByText('Proposed.')).toBeVisible()
	await expect.element(page.getByText(JSON.stringify(`${hostile} 19`))).toBeVisible()
	expect(page.getByRole('listitem').elements()).toHaveLength(20)
	await fitsChat(chat)
	await page.getByRole('button', { name: 'More of 25' }).click()
	await expect.element(page.getByText(JSON.stringify(`${hostile} 24`))).toBeVisible()
	expect(page.getByRole('button').elements()).toEqual([])
	chat.give(toolResult({ applied: 25, outcomes: [] }))
	await expect.element(page.getByText('Applied: 25 of 25.')).toBeVisible()
	expect(page.getByText('applied', { exact: true }).elements()).toHaveLength(25)
})

test('the action is that of the tool, and every value of it is shown', async () => {
	const rows = [{ row_id: '7', version: 'DROP ALL CREDIT LIMITS' }, { row_id: '8' }]
	await propose('insert', { connection_id: 'PRODUCTION', rows })
	await expect.element(heading('Insert 2 rows: books on PRODUCTION')).toBeVisible()
	await expect.element(page.getByText('"DROP ALL CREDIT LIMITS"')).toBeVisible()
})

test('an update shows the id and the version of its row', async () => {
	await propose('update', { updates: [{ row_id: '  ', version: '3:1', set: { a: 1 } }] })
	await expect.element(heading('"  " version 3:1')).toBeVisible()
})

test('deletions are shown by their ids', async () => {
	await propose('delete', { rows: [{ row_id: 'a' }] })
	await expect.element(heading('Delete 1 row: books')).toBeVisible()
	await expect.element(heading('a', true)).toBeVisible()
})

test('values that look alike are told apart', async () => {
	const set = { a: null, b: 'null', c: 5, d: '5', e: '', f: '\u200b\u3164', g: '\u202egpj.exe' }
	const hidden = { h: { i: [Number.POSITIVE_INFINITY, 'x\ny'] } }
	await propose('update', { table: '\u202eskoob', updates: [{ row_id: '\u202e1', set: { ...set, ...hidden } }] })
	await expect.element(heading('Update 1 row: \\u{202e}skoob')).toBeVisible()
	await expect.element(heading('\\u{202e}1')).toBeVisible()
	expect([...document.querySelectorAll<HTMLElement>('dd')].map(({ innerText }) => innerText)).toEqual([
		'null',
		'"null"',
		'5',
		'"5"',
		'""',
		'"\\u{200b}\\u{3164}"',
		'"\\u{202e}gpj.exe"',
		'{"i": [≈ Infinity, "x\\ny"]}',
	])
})

test('the outcome is unknown after a cancellation, and a result that arrives later is shown', async () => {
	const unknown = page.getByText('The outcome is unknown: rows may have been changed.')
	const chat = await propose('delete', { rows: [{ row_id: 'a' }] })
	chat.notify('tool-cancelled', { reason: 'stopped' })
	await expect.element(unknown).toBeVisible()
	chat.give({ content: [], structuredContent: { applied: 1, outcomes: [{ row: 0, status: 'applied' }] } })
	await expect.element(page.getByText('Applied: 1 of 1.')).toBeVisible()
	chat.give({ content: [] })
	await expect.element(unknown).toBeVisible()
})

test('many rows are shown after a few clicks, and the list keeps the focus', async () => {
	const rows = Array.from({ length: 1000 }, (_, n) => ({ title: `t\n\n${n}` }))
	await propose('insert', { rows })
	for (let clicks = 0; clicks < 6; clicks++) await page.getByRole('button', { name: /^More of/ }).click()
	await expect.poll(() => document.querySelectorAll('li').length).toBe(1000)
	await expect.poll(() => document.activeElement?.className).toBe('changes')
	expect(document.documentElement.scrollHeight).toBeGreaterThan(document.documentElement.clientHeight)
})

test('a refusal has its reason', async () => {
	const chat = await propose('insert', { rows: [{ a: 1 }] })
	chat.give({ isError: true, content: [{ type: 'text', text: 'denied: The user refused.' }] })
	await expect.element(page.getByText('Failed.')).toBeVisible()
	await expect.element(page.getByRole('alert').getByText('denied: The user refused.')).toBeVisible()
})

test('numbers that the client has rounded are marked, and long texts are folded', async () => {
	const set = { isbn: Number('9029950253147084324'), votes: 1e21, price: 1.5, title: 'x'.repeat(5000) }
	await propose('update', { updates: [{ row_id: '1', set }] })
	for (const text of ['≈ 9029950253147085000', '≈ 1e+21', /this client rounds it/, '(5,002 characters)']) {
		await expect.element(page.getByText(text)).toBeVisible()
	}
	await expect.element(page.getByText('1.5', { exact: true })).toBeVisible()
})
