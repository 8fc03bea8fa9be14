import { beforeEach, expect, test } from 'vitest'
import { fakeBooks } from '../../testing/books.ts'
import { type FakeWindow, openWindow, type TablePanel } from '../../testing/fake-window.tsx'
import { press } from '../../testing/keys.ts'
import { fakeLogs } from '../../testing/logs.ts'

/** Groups of similar messages above the rows of a log. */

let window: FakeWindow
let logs: TablePanel

beforeEach(async () => {
	window = await openWindow({ tables: [fakeLogs(), fakeBooks()] })
	logs = await window.openTable('logs-app')
})

const pane = () => logs.root.getByRole('region', { name: 'Similar messages' })
const button = () => logs.root.getByRole('button', { name: 'Group similar messages', exact: true })
const groups = () =>
	[...pane().element().querySelectorAll('.similar-group')].map(group =>
		['.similar-count', '.similar-pattern'].map(part => group.querySelector(part)?.textContent).join(' '),
	)
const group = (name: RegExp) => pane().getByRole('button', { name })
const rows = (text: string) => expect.element(logs.root.getByText(text, { exact: true }).first()).toBeVisible()

async function open(): Promise<void> {
	await button().click()
	await expect.element(pane().getByText(/of similar messages/)).toBeVisible()
}

test('groups the messages of a log by what they have in common', async () => {
	await open()
	await expect.element(pane().getByRole('status')).toHaveTextContent('5 groups of similar messages')
	expect(groups()).toEqual([
		'60 GET /api/v1/products?page=* * in * ms',
		'60 Read timed out after * ms calling payment-gateway',
		'60 retry * of * for POST /v2/charges, last answer *',
		'60 cart * loaded from cache in * ms',
		'60 POST /login * in * ms',
	])
	await expect.element(group(/Read timed/)).toHaveAttribute('title', expect.stringContaining('after 3000 ms'))
	const heads = [...pane().element().querySelectorAll('.similar-columns > *')]
	expect(heads.map(head => head.textContent)).toEqual(['Count', 'Over time', 'Pattern', 'First', 'Last'])
	const lefts = (parts: readonly Element[]) => parts.map(part => Math.round(part.getBoundingClientRect().left))
	const shown = '.similar-count, .similar-pattern, .similar-when'
	const inLine = [
		...group(/Read timed/)
			.element()
			.querySelectorAll(shown),
	]
	expect(lefts(inLine)).toEqual(lefts(heads.filter(head => head.matches(shown))))
	expect(group(/Read timed/).element().textContent).toMatch(/08:27:16\.648.*08:29:25\.563/)
})

test('a click keeps the rows of a group, another one shows all, and the groups stay', async () => {
	await open()
	await group(/Read timed/).click()
	await rows('60 rows')
	await expect
		.poll(() => new Set(logs.texts('message')))
		.toEqual(new Set(['Read timed out after 3000 ms calling payment-gateway']))
	await expect.element(group(/Read timed/)).toHaveAttribute('aria-pressed', 'true')
	expect(groups()).toHaveLength(5)
	await group(/POST \/login/).click()
	await expect.poll(() => new Set(logs.texts('message'))).toEqual(new Set(['POST /login 401 in 95 ms']))
	await group(/POST \/login/).click()
	await rows('300 rows')
	expect(window.host.callsOf('rows.groupSimilar')).toHaveLength(1)
})

test('the groups of the engine come with their own filters, and say what they leave out', async () => {
	window.host.answer({
		'rows.groupSimilar': ({ query }) => ({
			groups: [
				{
					pattern: 'Read timed out after ms',
					count: 60,
					example: 'Read timed out after 3000 ms',
					first: query.from,
					last: query.to,
					counts: new Array<number>(query.parts).fill(2),
					filters: [{ column: query.column, operator: 'wildcard', values: ['*Read*timed*out*'] }],
				},
			],
			notices: ['240 rows are in groups that are not shown.'],
		}),
	})
	await open()
	// The pattern leaves the number out and has no mask for it, so that the example tells more.
	await expect.element(pane().getByText('Example', { exact: true })).toBeVisible()
	await expect.element(pane().getByText('240 rows are in groups that are not shown.')).toBeVisible()
	await group(/Read timed/).click()
	await rows('60 rows')
	expect(window.host.callsOf('rows.groupSimilar')[0]).toMatchObject({
		query: { column: 'message', time: '@timestamp' },
	})
})

test('messages of which each is alone are said in a sentence, and groups of one are folded behind the others', async () => {
	const answer = (...counts: readonly number[]) =>
		window.host.answer({
			'rows.groupSimilar': ({ query: { from, to, parts, column } }) => ({
				groups: counts.map((count, at) => ({
					pattern: `pattern ${at}`,
					count,
					example: `example ${at}`,
					first: from,
					last: to,
					counts: new Array<number>(parts).fill(0),
					filters: [{ column, operator: 'wildcard', values: [`${at}`] }],
				})),
				notices: [],
			}),
		})
	answer(1, 1)
	await button().click()
	await expect.element(pane().getByRole('status')).toHaveTextContent('No similar messages')
	await expect.element(pane().getByText(/^Each row has a message of a different form/)).toBeVisible()
	expect(groups()).toEqual([])
	answer(5, 1, 1)
	await pane().getByRole('button', { name: 'Close the similar messages' }).click()
	await open()
	await expect.element(group(/pattern 0/)).toBeVisible()
	await expect.element(group(/pattern 1/)).not.toBeInTheDocument()
	await pane().getByRole('button', { name: 'Show the 2 messages that are like no other' }).click()
	await expect.element(group(/pattern 2/)).toBeVisible()
})

test('a sample says so, and obeys filters', async () => {
	window = await openWindow({ tables: [fakeLogs(6_000)], preferences: { 'similar/c1/logs-app': '' } })
	logs = await window.openTable('logs-app')
	const range = logs.root.getByLabelText('Time range', { exact: true })
	await range.selectOptions('All time')
	await expect
		.element(pane().getByRole('status'))
		.toHaveTextContent('5 groups of similar messages of the newest 5,000 rows')
	// Bars of the time that the sample is of.
	const bars = [
		...(group(/Read timed/)
			.element()
			.querySelectorAll('.similar-spark rect') ?? []),
	]
	expect(bars.filter(bar => Number(bar.getAttribute('height')) === 0)).toEqual([])
	await logs.root.getByTitle('Filter for level ERROR').click()
	await expect.element(pane().getByRole('status')).toHaveTextContent('1 group of similar messages')
	await expect.element(pane().getByRole('status')).not.toHaveTextContent('newest')
})

test('it can be cancelled and asked again', async () => {
	const release = window.host.hold('rows.groupSimilar')
	await button().click()
	await pane().getByRole('button', { name: 'Cancel' }).click()
	await expect.element(pane().getByRole('status')).toHaveTextContent('Not grouped')
	release()
	await pane().getByRole('button', { name: 'Group them' }).click()
	await expect.element(pane().getByRole('status')).toHaveTextContent('5 groups of similar messages')
})

test('another column can be grouped, keys walk the groups, and the pane is remembered', async () => {
	await open()
	await pane().getByLabelText('Column of the message').selectOptions('host.name')
	await expect.poll(groups).toEqual(['300 web-*'])
	group(/web-/).first().element().focus()
	await press('End')
	await press('ArrowUp')
	await press('Escape')
	expect(document.activeElement).toBe(logs.grid.element())
	await window.open()
	logs = await window.openTable('logs-app')
	await expect.element(pane().getByLabelText('Column of the message')).toHaveValue('host.name')
	await pane().getByRole('button', { name: 'Close the similar messages' }).click()
	await expect.element(pane()).not.toBeInTheDocument()
})

test('a table without time has no groups', async () => {
	const books = await window.openListedTable('books')
	await expect.element(books.root.getByRole('button', { name: 'Group similar messages' })).not.toBeInTheDocument()
})
