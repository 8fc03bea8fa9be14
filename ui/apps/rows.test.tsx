import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { FakeChat, fitsChat, toolResult } from '../testing/fake-chat.ts'

/** The app of rows. With real tools and in a sandboxed frame it is in tests/window/features/apps. */

const result = (columns: readonly string[], rows: readonly unknown[][], more: object = {}) =>
	toolResult({ columns: columns.map(name => ({ name })), rows, total: 999, ...more })
const texts = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)].map(cell => cell.innerText)
const row = (index: number) =>
	[...(document.querySelectorAll('tr')[index]?.children ?? [])].map(cell => cell.textContent?.replace(/ [↑↓]$/, ''))
const table = { table: 'pay\u202eroll', connection_id: 'PRODUCTION' }

test('the app shows the first rows, reads more of them with their cursor, and puts all values under their own columns', async () => {
	const more = result(
		['bonus', 'name', 'salary'],
		Array.from({ length: 20 }, () => [7, 'm', 19]),
	)
	const chat = await FakeChat.show('rows', { answers: [more] })
	chat.call(table)
	await expect.element(page.getByText('Reading rows …')).toBeVisible()
	chat.give(
		result(
			['name', 'salary'],
			Array.from({ length: 20 }, (_, n) => [`n${n}`, n]),
			{ next_cursor: '20' },
		),
	)
	await expect.element(page.getByRole('status').getByText('20 of 999 rows')).toBeVisible()
	await page.getByRole('button', { name: 'More' }).click()
	await expect.element(page.getByRole('status').getByText('40 of 999 rows')).toBeVisible()
	expect(chat.calls).toEqual([{ name: 'browse_table', arguments: { ...table, max_rows: 100, cursor: '20' } }])
	expect([row(0), row(1), row(21)]).toEqual([
		['name', 'salary', 'bonus'],
		['n0', '0', ''],
		['m', '19', '7'],
	])
	await expect.element(page.getByRole('heading')).toHaveTextContent('pay\\u{202e}roll on PRODUCTION')
	// The button is gone; the focus is on the table.
	await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('pay\\u{202e}roll')
	await fitsChat(chat)
})

test('another order is asked for, and marked', async () => {
	const chat = await FakeChat.show('rows', { answers: [result(['n'], [[1]])] })
	chat.call({ table: 'books' })
	chat.give(result(['n'], [[2]]))
	await page.getByRole('button', { name: 'n', exact: true }).click()
	await expect.element(page.getByRole('columnheader', { name: 'n' })).toHaveAttribute('aria-sort', 'ascending')
	expect(chat.calls[0]?.arguments).toMatchObject({ sort: [{ column: 'n', direction: 'asc' }] })
})

test('the app does not sort while it reads more', async () => {
	const more = Promise.withResolvers<object>()
	const chat = await FakeChat.show('rows', { answers: [more.promise] })
	chat.call({ table: 'books' })
	chat.give(
		result(
			['n'],
			Array.from({ length: 20 }, (_, n) => [n]),
			{ next_cursor: '20' },
		),
	)
	await page.getByRole('button', { name: 'More' }).click()
	await expect.element(page.getByText('Loading …')).toBeVisible()
	await page.getByRole('button', { name: 'n', exact: true }).click()
	more.resolve(result(['n'], [[20]]))
	await expect.element(page.getByRole('status').getByText('21 of 999 rows')).toBeVisible()
	expect(chat.calls.map(({ arguments: { cursor } }) => cursor)).toEqual(['20'])
	expect(document.querySelector('[aria-sort]')).toBeNull()
})

test('the app says what the window was asked to show, which is no failure', async () => {
	const chat = await FakeChat.show('rows', { answers: [toolResult({ status: 'Offered to the user.' })] })
	chat.call({ table: 'books' })
	chat.give(result(['n'], [[1e21], ['a']], { total: 2 }))
	await page.getByRole('button', { name: 'Show in Roundhouse' }).click()
	await expect.element(page.getByRole('status').getByText('Offered to the user.')).toBeVisible()
	expect(page.getByRole('alert').elements()).toEqual([])
})

test('the app shows why a call failed, and why the window shows nothing', async () => {
	const failure = (text: string) => ({ isError: true, content: [{ type: 'text', text }] })
	const chat = await FakeChat.show('rows', { answers: [failure('No Roundhouse window is open.')] })
	chat.call({ table: 'nothing' })
	chat.give(failure('There is no table nothing.'))
	await expect.element(page.getByRole('alert').getByText('There is no table nothing.')).toBeVisible()
	chat.call({ query: 'select 1' })
	chat.give(result(['n'], [[1]], { total: 1 }))
	await expect.element(page.getByText('1 of 1 rows')).toBeVisible()
	await page.getByRole('button', { name: 'Show in Roundhouse' }).click()
	await expect.element(page.getByRole('alert').getByText('No Roundhouse window is open.')).toBeVisible()
})

test('a number that the client has rounded is not asked for again', async () => {
	const chat = await FakeChat.show('rows')
	chat.call({
		table: 'books',
		filters: [{ column: 'isbn', operator: 'equals', values: [Number('9029950253147084324')] }],
	})
	chat.give(result(['isbn'], [['1']]))
	await expect.element(page.getByRole('cell')).toBeVisible()
	expect(page.getByRole('button').elements()).toEqual([])
})

test('the app keeps every digit of the text that the client passed', async () => {
	const chat = await FakeChat.show('rows')
	chat.call({ table: 'books' })
	chat.give({
		content: [{ type: 'text', text: '{"columns":[{"name":"isbn"}],"rows":[[9029950253147084324]],"total":1}' }],
	})
	await expect.element(page.getByRole('cell', { name: '9029950253147084324' })).toBeVisible()
})

test('invisible characters in an answer that is a text are escaped', async () => {
	const chat = await FakeChat.show('rows')
	chat.call({ query: 'show' })
	chat.give(toolResult({ text: 'green\u202eopen\nyellow' }))
	await expect.element(page.getByText('green\\u{202e}open')).toBeVisible()
})

test('the app shows the whole of a long value, and what else an answer says', async () => {
	const chat = await FakeChat.show('rows')
	chat.call(table)
	chat.give({
		content: [{ type: 'text', text: 'Result of 160,000 characters saved to a file.' }],
		structuredContent: {
			columns: [{ name: 'a' }],
			rows: [[`${'x'.repeat(70)}\nend\u200b`], ['null'], [null], ['']],
			cut_cells: [{ row: 0, column: 'a', length: 9 }],
			affected_rows: 3,
			totals: { n: 5 },
			more_results: [{}],
		},
	})
	for (const note of ['Cut values: a.', 'Affected rows: 3.', 'Totals: {"n":5}.', /Further results .*: 1\./]) {
		await expect.element(page.getByText(note)).toBeVisible()
	}
	await expect.element(page.getByText(/Long numbers may be rounded/)).toBeVisible()
	await page.getByText('(82 characters)').click()
	expect(texts('details').join()).toContain('end\\u{200b}')
	const looks = [...document.querySelectorAll('td')].map(({ className }) => className)
	expect(looks).toEqual(['look-text', 'look-text', 'look-null', 'look-empty'])
	await fitsChat(chat)
	chat.give({ content: [] })
	await expect.element(page.getByText('This client did not pass the result of the call.')).toBeVisible()
})

test('the app takes the colours of a client only if they are opaque and their theme is known', async () => {
	const dark = {
		'--color-background-primary': '#101010',
		'--color-text-primary': '#eeeeee',
		'--color-text-secondary': '#bbbbbb',
		'--color-border-primary': '#444444',
	}
	const chat = await FakeChat.show('rows')
	const background = () => getComputedStyle(document.body).backgroundColor
	const light = background()
	const contexts: readonly [object, string][] = [
		[{ styles: { variables: dark } }, light],
		[{ theme: 'light', styles: { variables: { ...dark, '--color-background-primary': 'transparent' } } }, light],
		[{ theme: 'light', styles: { variables: { ...dark, '--color-text-primary': 'banana' } } }, light],
		[
			{ theme: 'light', styles: { variables: { ...dark, '--color-background-primary': 'url(http://a.example)' } } },
			light,
		],
		[{ theme: 'dark', styles: { variables: dark } }, 'rgb(16, 16, 16)'],
	]
	for (const [context, expected] of contexts) {
		chat.notify('host-context-changed', context)
		await expect.poll(background).toBe(expected)
	}
})
