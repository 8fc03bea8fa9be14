import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { WindowQuestion } from '../../host/api/api.ts'
import { violations } from '../testing/axe.ts'
import { fakeConnection } from '../testing/fake-engine.ts'
import { openWindow } from '../testing/fake-window.tsx'

/** The question about a write of an AI client. */

const rehearsed: WindowQuestion = {
	id: 'q1',
	kind: 'statement',
	askedAt: '2026-01-01T00:00:00.000Z',
	asker: { client: 'Claude Code', token: 'laptop' },
	connection: { id: 'c1', name: 'shop prod', driverId: 'postgres' },
	statement: 'update orders set status = $$cancelled$$ where id in (1, 2)',
	shown: 'update orders set status = $$cancelled$$ where id in (1, 2)',
	summary: 'update orders',
	access: 'destructive',
	rowNoun: { one: 'Row', many: 'Rows' },
	effect: {
		place: 'shop',
		tables: [
			{ table: 'shop.audit', inserted: 2, updated: 0, deleted: 0 },
			{
				table: 'shop.orders',
				inserted: 0,
				updated: 2,
				deleted: 0,
				rows: {
					columns: ['id', 'status', 'note'],
					changes: [
						{ before: ['1', 'open', null], after: ['1', 'cancelled', null] },
						{ before: ['2', 'open', 'x'], after: ['2', 'cancelled', 'x'] },
					],
				},
			},
			{
				table: 'shop.payments',
				inserted: 0,
				updated: 0,
				deleted: 1_500,
				rows: { columns: ['id'], changes: [{ before: ['9'] }] },
			},
		],
	},
}

test('a rehearsed write is asked about with what it did, by table and by row', async () => {
	await openWindow({ answers: { 'consent.pending': () => [rehearsed] } })
	const question = page.getByRole('dialog', {
		name: 'Delete 1,500, change 2 and add 2 rows in 3 tables?',
	})
	await expect.element(question).toBeVisible()
	const counts = question.getByRole('table').first()
	await expect.element(counts.getByRole('row', { name: 'shop.payments 0 0 1,500' })).toBeVisible()
	await expect.element(counts.getByRole('row', { name: 'shop.orders 0 2 0' })).toBeVisible()
	const rows = question.getByRole('region', { name: 'Rows of shop.orders' })
	await expect.element(rows.getByRole('row', { name: '1 open cancelled null' })).toBeVisible()
	// The value, and not the text.
	expect([...rows.element().querySelectorAll('i')].map(none => none.textContent)).toContain('null')
	expect([...rows.element().querySelectorAll('del')].map(cell => cell.textContent)).toEqual(['open', 'open'])
	expect([...rows.element().querySelectorAll('ins')].map(cell => cell.textContent)).toEqual(['cancelled', 'cancelled'])
	await expect.element(question.getByText('2 of 2 rows of shop.orders')).toBeVisible()
	await question.getByText('payments, 1,500').click()
	await expect.element(question.getByText('1 of 1,500 rows of shop.payments')).toBeVisible()
	await expect.element(rows).not.toBeInTheDocument()
	await expect.element(question.getByText('It cannot be undone.')).toBeVisible()
	await expect.element(question.getByText('update orders set status')).toBeVisible()
})

test('a client that does not say its name is called so, and no quotes are empty', async () => {
	const nameless = { ...rehearsed, asker: { client: '', token: 'laptop' } }
	await openWindow({ answers: { 'consent.pending': () => [nameless] } })
	const question = page.getByRole('dialog', { name: /^Delete 1,500/ })
	await expect.element(question.getByText('A client that does not say its name')).toBeVisible()
	await expect.element(question.getByText('as it calls itself')).not.toBeInTheDocument()
})

test('a question says who asks for what, and its button how many rows', async () => {
	await openWindow({ answers: { 'consent.pending': () => [rehearsed] } })
	const question = page.getByRole('dialog', { name: /^Delete 1,500/ })
	await expect.element(question.getByRole('button', { name: 'Delete 1,500, change 2 and add 2 rows' })).toBeEnabled()
	await expect.element(question.getByText('shop prod').last()).toBeVisible()
	await expect.element(question.getByText('laptop', { exact: true })).toBeVisible()
	await expect.element(question.getByText('update orders', { exact: true })).toBeVisible()
	await expect.element(question.getByRole('button', { name: 'Copy the statement' })).toBeVisible()
})

test('why a statement is destructive is a fact beside who asks, with the width for its words', async () => {
	await page.viewport(1280, 800)
	const reason =
		'The block calls the function archive_orders, of which the driver knows nothing, and it may change data.'
	await openWindow({ answers: { 'consent.pending': () => [{ ...rehearsed, reason }] } })
	const question = page.getByRole('dialog', { name: /^Delete 1,500/ })
	const why = question.getByRole('definition').filter({ hasText: reason })
	await expect.element(why).toBeVisible()
	const [facts, box] = [why.element().parentElement, why.element()].map(part => part?.getBoundingClientRect())
	expect(box?.width).toBeGreaterThan((facts?.width ?? 0) * 0.8)
	expect(box?.height).toBeLessThan(24)
	// A loss stays red while the question has the focus.
	question.element().focus()
	const colour = (name: string) => {
		const probe = question.element().appendChild(document.createElement('span'))
		probe.style.color = `var(${name})`
		return getComputedStyle(probe).color
	}
	expect(getComputedStyle(question.element()).borderTopColor).toBe(colour('--danger-fill'))
})

test('a statement that is its own summary is shown once', async () => {
	const short = {
		...rehearsed,
		summary: 'delete from orders where id = 1',
		shown: 'delete from orders\n\twhere id = 1;',
	}
	await openWindow({ answers: { 'consent.pending': () => [short] } })
	const question = page.getByRole('dialog', { name: /^Delete 1,500/ })
	await expect.element(question.getByText('laptop', { exact: true })).toBeVisible()
	await expect.element(question.getByText('Action')).not.toBeInTheDocument()
})

test('a question about production has its tag and its red line, and numbers stand right', async () => {
	const production = fakeConnection({ id: 'c1', name: 'shop prod', isProduction: true })
	await openWindow({ answers: { 'consent.pending': () => [rehearsed], 'connections.list': () => [production] } })
	const question = page.getByRole('dialog', { name: /^Delete 1,500/ })
	await expect.element(question.getByText('Production', { exact: true })).toBeVisible()
	await expect.poll(() => question.element().classList.contains('on-production')).toBe(true)
	const cells = [...question.element().querySelectorAll<HTMLElement>('.effect-rows td')]
	expect(cells.slice(0, 2).map(cell => getComputedStyle(cell).textAlign)).toEqual(['end', 'start'])
	const zeros = [...question.element().querySelectorAll('.effect-counts td')].filter(cell => cell.textContent === '0')
	expect(zeros.map(cell => cell.classList.contains('quiet'))).not.toContain(false)
	expect(await violations()).toEqual([])
})

test('a deletion whose rows are kept is not called final', async () => {
	const { effect, ...others } = rehearsed as Extract<WindowQuestion, { kind: 'statement' }>
	const deletion = { ...others, destroys: '2 rows of shop.orders', mayUndo: true } as const
	await openWindow({ answers: { 'consent.pending': () => [deletion] } })
	await expect
		.element(page.getByText(/It destroys 2 rows of shop\.orders\. It may not be possible to undo it\./))
		.toBeVisible()
})

test('changes of rows are asked about with what they replace', async () => {
	const { effect, ...others } = rehearsed as Extract<WindowQuestion, { kind: 'statement' }>
	const rows = {
		columns: ['id', 'status'],
		changes: [{ before: ['1', 'open'], after: ['1', 'paid'] }, { before: ['2', null] }],
	}
	const asked = { ...others, replaced: { table: 'shop.orders', count: 12, rows, digest: 'd' } }
	await openWindow({ answers: { 'consent.pending': () => [asked] } })
	const question = page.getByRole('dialog', { name: 'An AI client wants to run a statement' })
	await expect.element(question.getByText('2 of 12 rows of shop.orders')).toBeVisible()
	await expect.element(question.getByRole('button', { name: 'Run once on 12 rows' })).toBeVisible()
	const shown = question.getByRole('region', { name: 'Rows of shop.orders' })
	await expect.element(shown.getByRole('row', { name: '1 open paid' })).toBeVisible()
	expect([...shown.element().querySelectorAll('del')].map(cell => cell.textContent)).toEqual(['open', '2', 'null'])
})

test('rows that all go are read without marks, under a title that says so', async () => {
	const { effect, ...others } = rehearsed as Extract<WindowQuestion, { kind: 'statement' }>
	const rows = { columns: ['id', 'status'], changes: [{ before: ['1', 'open'] }, { before: ['2', null] }] }
	const asked = { ...others, replaced: { table: 'shop.orders', count: 2, rows, digest: 'd' } }
	await openWindow({ answers: { 'consent.pending': () => [asked] } })
	await expect.element(page.getByRole('heading', { name: /^Rows that go/ })).toBeVisible()
	const shown = page.getByRole('region', { name: 'Rows of shop.orders' })
	await expect.element(shown.getByRole('row', { name: '2 null' })).toBeVisible()
	expect(shown.element().querySelectorAll('del')).toHaveLength(0)
})

test('a write that was not rehearsed says why, and no number', async () => {
	const { effect, ...others } = rehearsed as Extract<WindowQuestion, { kind: 'statement' }>
	const asked = { ...others, reason: 'It calls public.spring, which may change data.' }
	await openWindow({ answers: { 'consent.pending': () => [asked] } })
	const question = page.getByRole('dialog', { name: 'An AI client wants to run a statement' })
	await expect.element(question.getByText('It calls public.spring, which may change data.')).toBeVisible()
	expect(question.getByRole('table').elements()).toEqual([])
})
