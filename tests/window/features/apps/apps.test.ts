import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Roundhouse } from '../../../support/roundhouse.ts'
import { type AppClient, AppHost, appMimeType } from './app-host.ts'

/** Apps in the chat of an AI client, on the sample, in Chromium. */

let roundhouse: Roundhouse
let url: string
let token: string
beforeAll(async () => {
	roundhouse = await Roundhouse.make()
	await roundhouse.addSample('--ai-policy', 'allow', '--external-access', 'read-write')
	url = (await roundhouse.serve()).mcp.url
	token = await roundhouse.addToken('full', ['core', 'write'])
})
afterAll(() => roundhouse?.[Symbol.asyncDispose]())

const extensions = { 'io.modelcontextprotocol/ui': { mimeTypes: [appMimeType] } }

/** A client that shows apps and, with `consents`, asks its user, who agrees. */
async function connect({ way = 'http', consents = false }: { way?: 'http' | 'bridge'; consents?: boolean } = {}) {
	const capabilities = { extensions, ...(consents && { elicitation: {} }) }
	const client = new Client({ name: 'chat', version: '1' }, { versionNegotiation: { mode: 'auto' }, capabilities })
	if (consents) {
		client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { approved: true } }))
	}
	const headers = { Authorization: `Bearer ${token}` }
	const environment = Object.entries(roundhouse.environment).filter(([, value]) => value !== undefined)
	await client.connect(
		way === 'http'
			? new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
			: new StdioClientTransport({
					...roundhouse.command('mcp'),
					env: Object.fromEntries(environment) as Record<string, string>,
				}),
	)
	return client as unknown as AppClient
}

let host: AppHost
afterEach(async () => {
	expect(host.faults).toEqual([])
	await host[Symbol.asyncDispose]()
})

/** The app is accessible, as high as its content, and as narrow as a chat on a phone. */
async function fits(): Promise<void> {
	for (const theme of ['light', 'dark']) {
		await host.page.evaluate(`document.documentElement.style.colorScheme = '${theme}'`)
		await host.page.evaluate(`bridge.setHostContext({ theme: '${theme}' })`)
		await expect.poll(() => host.violations()).toEqual([])
	}
	for (const width of [320, 700]) {
		await host.page.setViewportSize({ width, height: 900 })
		expect(await host.overflow()).toEqual({ across: 0, down: 0 })
	}
}

const books = { name: 'browse_table', arguments: { table: 'books', max_rows: 25 } }

describe.each(['http', 'bridge'] as const)('the app of rows over %s', way => {
	test('shows rows with every digit, more of them, and another order', async () => {
		host = await AppHost.open(await connect({ way }))
		const app = await host.show(books)
		await app.getByText('Reading rows …').waitFor()
		await host.run(books)
		await app.getByRole('heading', { name: 'books' }).waitFor()
		await app.getByRole('status').getByText('20 of 3,003 rows').waitFor()
		expect(await app.getByRole('row').count()).toBe(21)
		await fits()

		await app.getByRole('button', { name: 'More' }).click()
		await app.getByRole('status').getByText('40 of 3,003 rows').waitFor()
		expect(host.calls).toEqual([{ name: 'browse_table', arguments: { table: 'books', max_rows: 100, cursor: '25' } }])

		await app.getByRole('button', { name: 'isbn' }).click()
		await app.getByRole('columnheader', { name: 'isbn' }).and(app.locator('[aria-sort=ascending]')).waitFor()
		const place = await app.getByRole('columnheader').allInnerTexts()
		const digits = await app
			.getByRole('row')
			.nth(1)
			.getByRole('cell')
			.nth(place.findIndex(name => name.startsWith('isbn')))
			.innerText()
		const args = { ...books.arguments, sort: [{ column: 'isbn' }], columns: ['isbn'], max_rows: 1 }
		const client = await connect()
		const answer = (await client.callTool({ ...books, arguments: args })) as { content: [{ text: string }] }
		expect(answer.content[0].text).toContain(`[["${digits}"]]`)
		expect(Number.isSafeInteger(Number(digits))).toBe(false)
		await client.close()
	})
})

test('the app of rows shows a failure, and rows of a statement', async () => {
	host = await AppHost.open(await connect())
	const missing = { name: 'browse_table', arguments: { table: 'no-such-table' } }
	const app = await host.show(missing)
	await host.run(missing)
	await app
		.getByRole('alert')
		.getByText(/no-such-table/)
		.waitFor()

	const statement = { name: 'query', arguments: { query: 'GET /books/_search?size=3' } }
	await host.show(statement)
	await host.run(statement)
	await app.getByText('3 of 3,003 rows').waitFor()
	// No window is open, and the app reports this.
	await app.getByRole('button', { name: 'Show in Roundhouse' }).click()
	await app
		.getByRole('alert')
		.getByText(/No Roundhouse window is open/)
		.waitFor()
})

test('a number that the client has rounded is not asked for again', async () => {
	host = await AppHost.open(await connect())
	const filters = [{ column: 'isbn', operator: 'equals', values: [9029950253147084324n] }]
	const rounded = JSON.parse(
		`{"table":"books","filters":${JSON.stringify(filters, (_, value) => (typeof value === 'bigint' ? Number(value) : value))}}`,
	)
	const app = await host.show({ name: 'browse_table', arguments: rounded })
	await host.run(books)
	await app.getByRole('row').nth(1).waitFor()
	expect(await app.getByRole('button', { name: 'isbn' }).count()).toBe(0)
	expect(await app.getByRole('button', { name: 'Show in Roundhouse' }).count()).toBe(0)
})

test('the app of groups draws a chart and shows its numbers', async () => {
	host = await AppHost.open(await connect())
	const grouped = { name: 'aggregate', arguments: { table: 'books', group_by: [{ column: 'languages' }] } }
	const app = await host.show(grouped)
	await host.run(grouped)
	await app.getByRole('img', { name: /count by languages/ }).waitFor()
	await app.getByRole('table', { name: 'count by languages' }).waitFor()
	await fits()

	const overTime = {
		name: 'aggregate',
		arguments: { table: 'books', group_by: [{ column: 'published', interval: 'year' }] },
	}
	await host.show(overTime)
	await host.run(overTime)
	await app.getByRole('img', { name: /count by published/ }).waitFor()
	expect(await app.locator('.chart-curve').count()).toBe(1)

	const levels = {
		name: 'aggregate',
		arguments: { table: 'books', group_by: [{ column: 'languages' }, { column: 'in_print' }] },
	}
	await host.show(levels)
	await host.run(levels)
	const numbers = app.getByRole('table', { name: 'count by languages, in_print' })
	await numbers.waitFor()
	expect(await numbers.getByRole('columnheader').allInnerTexts()).toEqual(['languages', 'in_print', 'count'])
	// A bar for each language has a part for each value.
	expect(await app.locator('.chart-key').count()).toBeGreaterThan(1)
	await fits()
})

const answerOf = (value: object) => ({
	content: [{ type: 'text', text: JSON.stringify(value) }],
	structuredContent: value,
})

test('the app of groups tells columns of equal names apart, and shows notices and all groups', async () => {
	host = await AppHost.open(await connect())
	const call = { name: 'aggregate', arguments: { table: 'books', group_by: [{ column: 'count' }] } }
	const app = await host.show(call)
	const groups = Array.from({ length: 70 }, (_, n) => [1000 + n, n])
	await host.give(
		answerOf({
			columns: [{ name: 'count' }, { name: 'count' }, { name: 'x'.repeat(300) }],
			rows: groups.map(([key, count]) => [key, count, 1e308]),
			notices: ['4,766 rows are in groups that are not shown.'],
		}),
	)
	await app.getByText('4,766 rows are in groups that are not shown.').waitFor()
	await app.getByText('The first 60 of 70').waitFor()
	expect(await app.locator('.chart-bar').count()).toBe(60)
	expect(await app.getByRole('row').count()).toBe(0)
	await app.getByText('Numbers').click()
	expect(await app.getByRole('row').nth(8).locator('th, td').allInnerTexts()).toEqual(['1007', '7'])
	expect(await app.getByRole('row').count()).toBe(71)
	await fits()
	await app.getByRole('combobox').selectOption({ index: 1 })
	expect(await app.getByRole('row').nth(8).locator('th, td').allInnerTexts()).toEqual(['1007', '1e+308'])
	expect(await app.locator('.chart-bar').count()).toBe(60)
})

test('the app of groups tells null from the text "null", also in stacked bars', async () => {
	host = await AppHost.open(await connect())
	const by = [{ column: 'a' }, { column: 'b' }]
	const app = await host.show({ name: 'aggregate', arguments: { table: 'books', group_by: by } })
	const keys = [null, 'null', '', '""', 'plain']
	const rows = keys.flatMap(a => ['x', 'y'].map((b, at) => [a, b, at + 1]))
	await host.give(answerOf({ columns: ['a', 'b', 'count'].map(name => ({ name })), rows }))
	await app.getByText('Numbers').click()
	const firsts = await app.locator('tbody tr').evaluateAll(rows => rows.map(row => row.firstElementChild?.textContent))
	expect([...new Set(firsts)]).toEqual(['null', '"null"', '""', '"\\"\\""', 'plain'])
	const places = await app.locator('.chart-bar').evaluateAll(bars => bars.map(bar => bar.getAttribute('x')))
	expect(new Set(places).size).toBe(keys.length)
})

describe('the app of rows, with answers of a client', () => {
	const call = { name: 'browse_table', arguments: { table: 'pay\u202eroll', connection_id: 'PRODUCTION' } }
	const page = (columns: readonly string[], rows: readonly unknown[][], more: object = {}) =>
		answerOf({ columns: columns.map(name => ({ name })), rows, total: 999, ...more })

	/** Opens the app with tools that answer in turn. */
	async function openWith(...answers: readonly (object | Promise<object>)[]) {
		const client = await connect()
		const callTool = client.callTool.bind(client)
		const rest = [...answers]
		host = await AppHost.open(
			Object.assign(client, {
				callTool: async (args: Parameters<typeof callTool>[0]) => rest.shift() ?? callTool(args),
			}),
		)
		return host.show(call)
	}

	test('puts the values of all pages under their own columns', async () => {
		const rows = (n: number) => Array.from({ length: n }, (_, row) => [`n${row}`, row])
		const app = await openWith(
			page(
				['bonus', 'name', 'salary'],
				Array.from({ length: 20 }, () => [7, 'm', 19]),
			),
		)
		await host.give(page(['name', 'salary'], rows(20), { next_cursor: '20' }))
		await app.getByRole('button', { name: 'More' }).click()
		await app.getByRole('status').getByText('40 of 999').waitFor()
		const textsOf = (row: number) => app.getByRole('row').nth(row).locator('th, td').allInnerTexts()
		expect(await textsOf(0)).toEqual(['name', 'salary', 'bonus'])
		expect(await textsOf(1)).toEqual(['n0', '0', ''])
		expect(await textsOf(21)).toEqual(['m', '19', '7'])
		expect(await app.getByRole('heading').innerText()).toBe('pay\\u{202e}roll on PRODUCTION')
		// The button is gone; the focus is on the table.
		await expect.poll(() => app.locator(':focus').getAttribute('aria-label')).toBe('pay\\u{202e}roll')
	})

	test('says what the window was asked to show, which is no failure', async () => {
		const app = await openWith(answerOf({ status: 'Offered to the user.' }))
		await host.give(page(['n'], [[1e21], ['a']], { total: 2 }))
		await app.getByRole('button', { name: 'Show in Roundhouse' }).click()
		await app.getByRole('status').getByText('Offered to the user.').waitFor()
		expect(await app.getByRole('alert').count()).toBe(0)
	})

	test('escapes invisible characters in an answer that is a text', async () => {
		const app = await openWith()
		await host.give(answerOf({ text: 'green\u202eopen\nyellow' }))
		await app.getByText('green\\u{202e}open').waitFor()
	})

	test('does not sort while it reads more', async () => {
		const more = Promise.withResolvers<object>()
		const app = await openWith(more.promise)
		await host.give(
			page(
				['n'],
				Array.from({ length: 20 }, (_, n) => [n]),
				{ next_cursor: '20' },
			),
		)
		await app.getByRole('button', { name: 'More' }).click()
		await app.getByText('Loading …').waitFor()
		await app.getByRole('button', { name: 'n', exact: true }).click()
		more.resolve(page(['n'], [[20]], {}))
		await app.getByRole('status').getByText('21 of 999').waitFor()
		expect(host.calls.map(({ arguments: { cursor } }) => cursor)).toEqual(['20'])
		expect(await app.locator('[aria-sort]').count()).toBe(0)
	})

	test('shows the whole of a long value, and what else an answer says', async () => {
		const app = await openWith()
		const long = `${'x'.repeat(70)}\nend\u200b`
		await host.give({
			content: [{ type: 'text', text: 'Result of 160,000 characters saved to a file.' }],
			structuredContent: {
				...{ columns: [{ name: 'a' }], rows: [[long], ['null'], [null], ['']] },
				...{ cut_cells: [{ row: 0, column: 'a', length: 9 }], affected_rows: 3, totals: { n: 5 }, more_results: [{}] },
			},
		})
		for (const note of ['Cut values: a.', 'Affected rows: 3.', 'Totals: {"n":5}.', /Further results .*: 1\./]) {
			await app.getByText(note).waitFor()
		}
		await app.getByText(/Long numbers may be rounded/).waitFor()
		await app.getByText('(82 characters)').click()
		expect(await app.locator('details').innerText()).toContain('end\\u{200b}')
		const looks = await app.locator('td').evaluateAll(cells => cells.map(({ className }) => className))
		expect(looks).toEqual(['look-text', 'look-text', 'look-null', 'look-empty'])
		await fits()
		await host.give({ content: [] })
		await app.getByText('This client did not pass the result of the call.').waitFor()
	})

	test('takes the colours of a client only if they are opaque and their theme is known', async () => {
		const dark = {
			'--color-background-primary': '#101010',
			'--color-text-primary': '#eeeeee',
			'--color-text-secondary': '#bbbbbb',
			'--color-border-primary': '#444444',
		}
		await openWith()
		await host.give(page(['n'], [[1]]))
		const background = () =>
			host.page.frames().at(-1)?.evaluate<string>('getComputedStyle(document.body).backgroundColor')
		const light = (await background()) ?? ''
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
			await host.page.evaluate(`bridge.setHostContext(${JSON.stringify(context)})`)
			await expect.poll(background).toBe(expected)
		}
	})
})

describe('the app of changes', () => {
	const hostile = '</script><img src=x onerror="document.title = 1">'
	const insert = {
		name: 'insert_rows',
		arguments: { table: 'books', rows: Array.from({ length: 25 }, (_, n) => ({ title: `${hostile} ${n}`, pages: n })) },
	}

	test('shows every proposed row, then what happened', async () => {
		host = await AppHost.open(await connect({ consents: true }))
		const app = await host.show(insert)
		await app.getByRole('heading', { name: 'Insert 25 rows: books' }).waitFor()
		await app.getByText('Proposed.').waitFor()
		await app.getByText(JSON.stringify(`${hostile} 19`)).waitFor()
		expect(await app.getByRole('listitem').count()).toBe(20)
		await fits()
		await app.getByRole('button', { name: 'More of 25' }).click()
		await app.getByText(JSON.stringify(`${hostile} 24`)).waitFor()
		expect(await app.getByRole('button').count()).toBe(0)
		await host.run(insert)
		await app.getByText('Applied: 25 of 25.').waitFor()
		expect(await app.getByText('applied', { exact: true }).count()).toBe(25)
	})

	test('takes the action from the tool, and shows every value of it', async () => {
		host = await AppHost.open(await connect())
		const rows = [{ row_id: '7', version: 'DROP ALL CREDIT LIMITS' }, { row_id: '8' }]
		const app = await host.show({
			name: 'insert_rows',
			arguments: { table: 'books', connection_id: 'PRODUCTION', rows },
		})
		await app.getByRole('heading', { name: 'Insert 2 rows: books on PRODUCTION' }).waitFor()
		await app.getByText('"DROP ALL CREDIT LIMITS"').waitFor()
		await host.show({
			name: 'update_rows',
			arguments: { table: 'books', updates: [{ row_id: '  ', version: '3:1', set: { a: 1 } }] },
		})
		await app.getByRole('heading', { name: '"  " version 3:1' }).waitFor()
	})

	test('tells apart values that look alike', async () => {
		host = await AppHost.open(await connect())
		const set = {
			...{ a: null, b: 'null', c: 5, d: '5', e: '', f: '\u200b\u3164', g: '\u202egpj.exe' },
		}
		const app = await host.show({ name: 'update_rows', arguments: { table: '\u202eskoob', updates: [] } })
		await host.page.evaluate(`bridge.sendToolInput({ arguments: { table: '\\u202eskoob', updates: [{ row_id: '\\u202e1', set: {
			...${JSON.stringify(set)}, h: { i: [1e400, 'x\\ny'] } } }] } })`)
		await app.getByRole('heading', { name: 'Update 1 row: \\u{202e}skoob' }).waitFor()
		await app.getByRole('heading', { name: '\\u{202e}1' }).waitFor()
		const shown = [
			'null',
			'"null"',
			'5',
			'"5"',
			'""',
			'"\\u{200b}\\u{3164}"',
			'"\\u{202e}gpj.exe"',
			'{"i": [≈ Infinity, "x\\ny"]}',
		]
		expect(await app.locator('dd').allInnerTexts()).toEqual(shown)
	})

	test('says that the outcome is unknown after a cancellation, and shows a result that arrives later', async () => {
		host = await AppHost.open(await connect())
		const app = await host.show({ name: 'delete_rows', arguments: { table: 'books', rows: [{ row_id: 'a' }] } })
		await host.page.evaluate(`bridge.sendToolCancelled({ reason: 'stopped' })`)
		await app.getByText('The outcome is unknown: rows may have been changed.').waitFor()
		await host.give({ content: [], structuredContent: { applied: 1, outcomes: [{ row: 0, status: 'applied' }] } })
		await app.getByText('Applied: 1 of 1.').waitFor()
		await host.give({ content: [] })
		await app.getByText('The outcome is unknown: rows may have been changed.').waitFor()
	})

	test('scrolls in a frame of a fixed height, and shows many rows after a few clicks', async () => {
		host = await AppHost.open(await connect())
		const rows = Array.from({ length: 1000 }, (_, n) => ({ title: `t\n\n${n}` }))
		const app = await host.show({ name: 'insert_rows', arguments: { table: 'books', rows } })
		await host.page.evaluate(`document.querySelector('iframe').style.maxHeight = '300px'`)
		for (let clicks = 0; clicks < 6; clicks++) await app.getByRole('button', { name: /^More of/ }).click()
		expect(await app.getByRole('listitem').count()).toBe(1000)
		await app.getByText('"t\\n\\n999"').scrollIntoViewIfNeeded()
		expect(await app.locator('html').evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(1000)
		await expect.poll(() => app.locator(':focus').getAttribute('class')).toBe('changes')
	})

	test('shows the reason of a refusal', async () => {
		host = await AppHost.open(await connect())
		const app = await host.show(insert)
		await host.run(insert)
		await app.getByText('Failed.').waitFor()
		await app
			.getByRole('alert')
			.getByText(/denied/)
			.waitFor()
	})

	test('marks numbers that the client has rounded, and folds long texts', async () => {
		host = await AppHost.open(await connect())
		const set = { isbn: Number('9029950253147084324'), votes: 1e21, price: 1.5, title: 'x'.repeat(5000) }
		const updates = [{ row_id: '1', set }]
		const app = await host.show({ name: 'update_rows', arguments: { table: 'books', updates } })
		await app.getByText('≈ 9029950253147085000').waitFor()
		await app.getByText('≈ 1e+21').waitFor()
		await app.getByText(/this client rounds it/).waitFor()
		await app.getByText('1.5', { exact: true }).waitFor()
		await app.getByText('(5,002 characters)').waitFor()
	})

	test('shows deletions by their ids', async () => {
		host = await AppHost.open(await connect())
		const app = await host.show({ name: 'delete_rows', arguments: { table: 'books', rows: [{ row_id: 'a' }] } })
		await app.getByRole('heading', { name: 'Delete 1 row: books' }).waitFor()
		await app.getByRole('heading', { name: 'a', exact: true }).waitFor()
	})
})
