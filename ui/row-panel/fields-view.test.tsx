import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeBooks } from '../testing/books.ts'
import { FakeTable } from '../testing/fake-tables.ts'
import { type FakeWindow, openWindow, type TablePanel } from '../testing/fake-window.tsx'
import { press } from '../testing/keys.ts'
import { fakeLogs, fakeTrace } from '../testing/logs.ts'

/** A row of a log as fields: what happened, its stack trace, and values that filter. */

let window: FakeWindow
let logs: TablePanel

beforeEach(async () => {
	window = await openWindow({ tables: [fakeLogs(), fakeBooks()] })
	logs = await window.openTable('logs-app')
	await logs.cell(1, 'message').click()
	await press('Space')
	await expect.element(field('service.name')).toBeVisible()
})

const panel = () => page.getByRole('complementary', { name: 'Row' })
const fields = () => panel().getByRole('tree', { name: 'Columns of the row' })
const field = (name: string) => fields().getByRole('treeitem').filter({ hasText: name }).first()
const view = (name: string) => panel().getByRole('radio', { name, exact: true })
const chip = (name: string) => logs.root.getByRole('button', { name, exact: true })
const says = (text: string) => expect.element(panel().getByText(text, { exact: true }).first()).toBeVisible()
const actions = () => [...document.querySelectorAll<HTMLElement>('.tree-actions > span')]

test('a row of a log says first what happened, and every digit of its values stays', async () => {
	await says('ERROR')
	await says('checkout on web-02')
	const time = panel().element().querySelector('.fields-facts > .quiet')
	expect(time?.textContent).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} UTC$/)
	await says('Read timed out after 3000 ms calling payment-gateway')
	await expect.element(field('trace.id')).toHaveTextContent('trace.id123456789012345671')
})

test('the icon of a field is that of its column: a date, which JSON has as a text, has the calendar', async () => {
	const icon = (name: string) => field(name).element().querySelector('.tree-mark > svg')?.getAttribute('class')
	expect(icon('@timestamp')).toContain('lucide-calendar')
	expect(icon('service.name')).toContain('lucide-type')
})

test('headings, the marks of fields and the message share one left edge', async () => {
	await says('Read timed out after 3000 ms calling payment-gateway')
	const left = (selector: string) => {
		const element = panel().element().querySelector(selector)
		if (!element) return undefined
		const range = document.createRange()
		range.selectNodeContents(element)
		return Math.round(range.getBoundingClientRect().left)
	}
	const edges = ['.stack-head > strong', '.fields-message', '.tree-line .tree-mark'].map(left)
	expect(new Set(edges)).toEqual(new Set([edges[0]]))
	// What the engine keeps of the row stands below the fields.
	expect(left('.row-panel-meta dt')).toBe(left('.tree-line .tree-key'))
	expect(left('.row-panel-meta dd')).toBe(left('.tree-line .tree-value'))
	// A field that does not open has the mark of its kind.
	expect(field('trace.id').element().querySelector('.tree-mark > svg')).not.toBeNull()
})

test('a stack trace begins with its cause, and frames of libraries unfold', async () => {
	const stack = panel().getByRole('region', { name: 'Stack trace' })
	const shown = () => [...stack.element().querySelectorAll('.stack-lines > *')].map(line => line.textContent?.trim())
	expect(shown()).toEqual([
		'java.net.SocketTimeoutException: Read timed out',
		'2 frames of java.net, okhttp3',
		'at PaymentClient.charge PaymentClient.java:88',
		'at CheckoutService.pay CheckoutService.java:142',
		'2 frames of org.springframework, org.apache',
		'wrapped by CheckoutFailed',
	])
	await stack.getByRole('button', { name: '2 frames of java.net, okhttp3' }).click()
	expect(shown()[2]).toBe('at SocketInputStream.read SocketInputStream.java:171')
	await stack.getByRole('button', { name: 'All 6 frames' }).click()
	expect(stack.element().querySelector('pre')?.textContent).toBe(fakeTrace)
	await stack.getByRole('button', { name: 'Own frames' }).click()
	await expect.element(stack.getByText('wrapped by CheckoutFailed')).toBeVisible()
})

test('the file and the line of a frame are whole in a narrow panel', async () => {
	const stack = panel().getByRole('region', { name: 'Stack trace' }).element()
	const [frame] = stack.querySelectorAll<HTMLElement>('.stack-frame')
	if (frame) frame.style.width = '180px'
	const place = frame?.lastElementChild?.getBoundingClientRect()
	expect(place?.right).toBeLessThanOrEqual(frame?.getBoundingClientRect().right ?? 0)
	expect(frame?.title).toBe('shop.PaymentClient.charge PaymentClient.java:88')
})

test('both ends of a long id are seen on one line, and the sources and the time of the head are whole', async () => {
	const id = '1a73e1a0b4211494e6f2050afa837475'.repeat(2)
	const source = 'payments-of-the-north-2'
	window = await openWindow({
		tables: [
			new FakeTable('logs-ids', {
				sort: [{ column: '@timestamp', direction: 'desc' }],
				columns: {
					_id: { type: '_id', isReadOnly: 'after_insert' },
					'@timestamp': { kind: 'date', type: 'date' },
					message: { type: 'text', isSortable: false },
					level: { type: 'keyword' },
					'service.name': { type: 'keyword' },
					'host.name': { type: 'keyword' },
					trace: { type: 'keyword' },
				},
				rows: [['a', '2026-11-28T08:29:26.123Z', 'paid', 'info', source, source, id]],
			}),
		],
	})
	logs = await window.openTable('logs-ids')
	await logs.cell(0, 'message').click()
	await press('Space')
	await expect.element(field('trace')).toHaveTextContent(`trace${id}`)
	const value = field('trace').element().querySelector<HTMLElement>('.tree-value')
	const [beginning, end] = value?.querySelector('.tree-id')?.children ?? []
	expect(value?.getClientRects()[0]?.height).toBeLessThan(28)
	expect(beginning?.scrollWidth).toBeGreaterThan(beginning?.clientWidth ?? 0)
	expect(end?.getBoundingClientRect().right).toBeLessThanOrEqual(value?.getBoundingClientRect().right ?? 0)
	const facts = [...panel().element().querySelectorAll('.fields-facts > *')]
	expect(facts.map(part => part.scrollWidth <= part.clientWidth || part.clientWidth === 0)).not.toContain(false)
})

/** The values below the actions of the pointed line. */
function coveredValues(): readonly (string | null)[] {
	const actions = document.querySelector('.tree-actions')
	const line = actions?.parentElement
	const [over, value] = [actions, line?.querySelector('.tree-value')].map(part => part?.getBoundingClientRect())
	if (!over || !value) return ['nothing is pointed at']
	const isCovered =
		over.left < value.right && over.right > value.left && over.top < value.bottom && over.bottom > value.top
	return isCovered ? [line?.textContent ?? null] : []
}

test('the actions of a value with several lines are below its name, and the line keeps its height', async () => {
	const height = () => field('message').element().getBoundingClientRect().height
	const before = height()
	expect(before).toBeGreaterThan(40)
	await field('message').hover()
	await expect.poll(() => document.querySelector('.tree-actions')?.className).toBe('tree-actions below')
	expect(coveredValues()).toEqual([])
	expect(height()).toBe(before)
})

test('the pointer at a field shows four actions that do not move its value', async () => {
	const value = () => field('service.name').element().querySelector('.tree-value')?.getBoundingClientRect().left
	const before = value()
	await field('service.name').hover()
	await expect
		.poll(() => actions().map(({ title }) => title.replace(/ \(.*/, '')))
		.toEqual(['Filter for this', 'Filter out', 'Has a value', 'Hide the column'])
	expect(value()).toBe(before)
	expect(coveredValues()).toEqual([])
	actions()[1]?.click()
	await expect.element(chip('service.name is not checkout')).toBeVisible()
})

test('the keyboard walks the fields, filters, and finds all actions in the menu', async () => {
	fields().element().focus()
	for (const _ of Array(5)) await press('ArrowDown')
	await expect.poll(actions).toHaveLength(4)
	await press('=')
	await expect.element(chip('service.name is checkout')).toBeVisible()
	await press('Shift+F10')
	await expect.element(page.getByRole('menuitem', { name: 'Has a value' })).toBeVisible()
})

test('arrows in the grid and buttons of the panel go to the next row while the panel stays', async () => {
	await press('ArrowDown')
	await says('payment on web-01')
	expect(document.activeElement?.getAttribute('role')).toBe('grid')
	await panel().getByRole('button', { name: 'Next row' }).click()
	await says('cart on web-06')
	await panel().getByRole('button', { name: 'Previous row' }).click()
	await says('payment on web-01')
})

test('tables in time remember their view apart from other tables', async () => {
	await expect.element(view('Columns')).toBeChecked()
	await panel().getByText('Tree', { exact: true }).click()
	await panel().getByRole('button', { name: 'Close row' }).click()
	await press('Space')
	await expect.element(view('Tree')).toBeChecked()
	const books = await window.openListedTable('books')
	await books.cell(0, 'title').click()
	await press('Space')
	await expect.element(view('JSON')).toBeChecked()
})
