import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ConsolePanel } from '../testing/console-panel.ts'
import { consoleAnswers, rowsBody } from '../testing/fake-console.ts'
import { fakeLanguage } from '../testing/fake-engine.ts'
import { FakeTable } from '../testing/fake-tables.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'
import { press } from '../testing/keys.ts'
import { chooseEntry } from '../testing/menu.ts'

/** Where the statements of a console look up names: a database, and a schema of it. */

const transaction = { begin: 'begin', commit: 'commit', rollback: 'rollback' }

const inSchema = (schema: string, database?: string) =>
	new FakeTable([database, schema, 'orders'].filter(Boolean).join('.'), {
		title: 'orders',
		path: [schema],
		columns: { id: {} },
		rows: [['1']],
		...(database !== undefined && { database }),
	})

async function opened(language: Parameters<typeof fakeLanguage>[0]): Promise<FakeWindow> {
	const window = await openWindow({
		tables: [inSchema('public'), inSchema('shop'), inSchema('crm', 'other')],
		manifest: { console: fakeLanguage({ transaction, ...language }) },
		answers: {
			...consoleAnswers({ run: () => ({ body: rowsBody({ n: {} }, [['1']]) }) }),
			'console.databases': () => ['main', 'other'],
		},
	})
	await window.openConnection()
	return window
}

const schema = (panel: ConsolePanel) => panel.root.getByRole('combobox', { name: 'Schema' })
const options = (panel: ConsolePanel) =>
	schema(panel)
		.getByRole('option')
		.elements()
		.map(option => option.textContent?.trim())

test('statements run in the chosen schema, which the tab and the result name', async () => {
	const window = await opened({ hasSchemas: true })
	const panel = await ConsolePanel.open()
	expect(options(panel)).toEqual(['default', 'public', 'shop'])
	await schema(panel).selectOptions('shop')
	const inShop = new ConsolePanel('Console · shop')
	await inShop.run('select n')
	await expect.poll(() => window.host.callsOf('console.run').at(-1)).toMatchObject({ schema: 'shop' })
	await expect.element(inShop.runs.getByText('in shop')).toBeVisible()
})

test('a schema belongs to its database, and none can be chosen while a transaction is open', async () => {
	const window = await opened({ hasSchemas: true, hasDatabases: true })
	const panel = await ConsolePanel.open()
	await schema(panel).selectOptions('shop')
	const inShop = new ConsolePanel('Console · shop')
	await inShop.root.getByRole('combobox', { name: 'Database' }).selectOptions('other')
	const inOther = new ConsolePanel('Console · other')
	await inOther.run('select n')
	await expect.poll(() => window.host.callsOf('console.run').at(-1)).toMatchObject({ database: 'other' })
	expect(window.host.callsOf('console.run').at(-1)).not.toHaveProperty('schema')
	await inOther.root.getByRole('combobox', { name: 'Database' }).selectOptions('main')
	await panel.run('begin')
	await expect.element(schema(panel)).toBeDisabled()
})

test('the schema that a statement sets is the one that the toolbar, the results and completion have', async () => {
	let path: string | undefined
	const window = await openWindow({
		tables: [inSchema('public'), inSchema('shop')],
		manifest: { console: fakeLanguage({ hasSchemas: true }) },
		answers: consoleAnswers({
			run: text => {
				if (text.startsWith('set')) path = 'public'
				return { body: rowsBody({ n: {} }, [['1']]), ...(path !== undefined && { schema: path }) }
			},
		}),
	})
	await window.openConnection()
	await schema(await ConsolePanel.open()).selectOptions('shop')
	await new ConsolePanel('Console · shop').write('set path')
	await press('ControlOrMeta+Shift+Enter')
	const inPublic = new ConsolePanel('Console · public')
	await expect.element(schema(inPublic)).toHaveValue('public')
	await inPublic.run('select n')
	await expect.element(inPublic.runs.getByText('in public')).toBeVisible()
	// The session is the one that was opened for the chosen schema.
	expect(window.host.callsOf('console.run').at(-1)).toMatchObject({ schema: 'shop' })
	await press('s')
	await expect.poll(() => window.host.callsOf('console.complete').at(-1)).toMatchObject({ schema: 'public' })
})

test('the database that a statement chooses is the one that the toolbar, the results and completion have', async () => {
	let used: string | undefined
	const window = await openWindow({
		tables: [inSchema('public')],
		manifest: { console: fakeLanguage({ hasDatabases: true }) },
		answers: {
			...consoleAnswers({
				run: text => {
					if (text.startsWith('use')) used = 'other'
					return { body: rowsBody({ n: {} }, [['1']]), ...(used !== undefined && { database: used }) }
				},
			}),
			// The database that is used is new.
			'console.databases': () => ['', 'main'],
		},
	})
	await window.openConnection()
	const panel = await ConsolePanel.open()
	const database = (of: ConsolePanel) => of.root.getByRole('combobox', { name: 'Database' })
	await expect.element(database(panel)).toHaveDisplayValue('no database')
	await panel.write('use other')
	await press('ControlOrMeta+Shift+Enter')
	const inOther = new ConsolePanel('Console · other')
	await expect.element(database(inOther)).toHaveValue('other')
	const status = page.getByRole('region', { name: 'Connection of this tab' })
	await expect.element(status.getByText('Sample · other')).toBeVisible()
	await inOther.run('select n')
	await expect.element(inOther.runs.getByText('in other')).toBeVisible()
	// The session is the one that was opened in no database.
	expect(window.host.callsOf('console.run').at(-1)).not.toHaveProperty('database')
	await press('s')
	await expect.poll(() => window.host.callsOf('console.complete').at(-1)).toMatchObject({ database: 'other' })
	await database(inOther).selectOptions('no database')
	await expect.element(database(panel)).toHaveDisplayValue('no database')
})

test('the database of a session stays after an error of a statement, and goes with the session', async () => {
	const window = await openWindow({
		tables: [inSchema('public')],
		manifest: { console: fakeLanguage({ hasDatabases: true }) },
		answers: {
			...consoleAnswers({
				run: text =>
					text.startsWith('bad')
						? { status: '1146', fault: { code: 'query_failed', message: 'There is no table bad.' } }
						: { body: rowsBody({ n: {} }, [['1']]), database: 'other' },
			}),
			'console.databases': () => ['main', 'other'],
		},
	})
	await window.openConnection()
	await (await ConsolePanel.open()).write('use other')
	await press('ControlOrMeta+Shift+Enter')
	const inOther = new ConsolePanel('Console · other')
	await inOther.run('bad')
	await expect.element(inOther.runs.getByText('There is no table bad.')).toBeVisible()
	const database = (of: ConsolePanel) => of.root.getByRole('combobox', { name: 'Database' })
	await expect.element(database(inOther)).toHaveValue('other')
	window.host.fail('console.run', 'The session of this console had ended.', 'driver/not_connected')
	await inOther.write('select n')
	await press('ControlOrMeta+Shift+Enter')
	await expect.element(database(new ConsolePanel())).toHaveValue('main')
})

test('a result of a database that the session has left is not read again, because its names can mean other tables', async () => {
	let used: string | undefined
	const window = await openWindow({
		tables: [inSchema('public')],
		manifest: { console: fakeLanguage({ hasDatabases: true, canSort: true, canExport: true }) },
		answers: {
			...consoleAnswers({
				run: text => {
					if (text.startsWith('use')) used = 'other'
					return {
						body: rowsBody({ n: {} }, [['1'], ['2']], { isTruncated: true }),
						...(used !== undefined && { database: used }),
					}
				},
			}),
			'console.databases': () => ['main', 'other'],
		},
	})
	await window.openConnection()
	const panel = await ConsolePanel.open()
	await panel.run('select n')
	await press('ControlOrMeta+k')
	await press('p')
	await panel.write('use other')
	await press('ControlOrMeta+Shift+Enter')
	const inOther = new ConsolePanel('Console · other')
	await expect.element(inOther.root).toBeVisible()
	await inOther.choose('select n')
	const calls = () => window.host.calls.filter(({ method }) => /^console\.run$|^exports\./.test(method)).length
	const before = calls()
	const why = 'This console has moved to other, so names in the statement can mean other tables.'
	await inOther.runs.getByRole('columnheader', { name: 'n', exact: true }).click()
	await expect.element(page.getByText(`Only the first 2 rows are sorted: ${why}`)).toBeVisible()
	await inOther.runs.getByRole('button', { name: 'Read up to 100,000 rows' }).click()
	await expect.element(inOther.runs.getByText(why)).toBeVisible()
	await inOther.runs.getByRole('button', { name: 'Export all rows' }).click()
	const sheet = page.getByRole('dialog')
	await sheet.getByRole('button', { name: 'Export', exact: false }).last().click()
	await expect.element(sheet.getByText(why)).toBeVisible()
	expect(calls()).toBe(before)
})

test('a chosen schema begins a session, also the one that was chosen before, because a statement can set another path', async () => {
	const window = await opened({ hasSchemas: true })
	const panel = await ConsolePanel.open()
	await schema(panel).selectOptions('shop')
	const inShop = new ConsolePanel('Console · shop')
	await inShop.run('set search_path to public')
	await schema(inShop).selectOptions('public')
	await schema(new ConsolePanel('Console · public')).selectOptions('shop')
	await expect.poll(() => window.host.callsOf('console.closeSession').length).toBeGreaterThan(0)
	await inShop.run('select n')
	await expect.poll(() => window.host.callsOf('console.run').at(-1)).toMatchObject({ schema: 'shop' })
})

test.each([
	1280, 760,
])('no button of the toolbar is out of a window of %d pixels, however long its names are', async width => {
	const long = 'a schema with a "long" name'
	const window = await openWindow({
		tables: [inSchema('public'), inSchema(long)],
		manifest: {
			console: fakeLanguage({ transaction, hasSchemas: true, hasDatabases: true, canExplain: true, canRehearse: true }),
		},
		answers: { ...consoleAnswers({}), 'console.databases': () => ['main', 'another_database'] },
	})
	await page.viewport(width, 800)
	await window.openConnection()
	const panel = await ConsolePanel.open()
	await schema(panel).selectOptions(long)
	const bar = new ConsolePanel(`Console · ${long}`).root.getByRole('toolbar', { name: 'Console' })
	await expect.element(bar).toBeVisible()
	const { right } = bar.element().getBoundingClientRect()
	const ends = [...bar.element().querySelectorAll('button, select')].map(part => part.getBoundingClientRect().right)
	expect(ends.length).toBeGreaterThan(8)
	expect(Math.max(...ends)).toBeLessThanOrEqual(right)
})

test('a driver without schemas has no choice of them', async () => {
	await opened({})
	const panel = await ConsolePanel.open()
	await expect.element(panel.root.getByRole('button', { name: 'Run', exact: true })).toBeVisible()
	expect(schema(panel).elements()).toEqual([])
})

test('the menu of a schema opens a console in it', async () => {
	const window = await opened({ hasSchemas: true })
	await page.getByRole('list', { name: 'Tables' }).getByRole('button', { name: 'shop' }).click({ button: 'right' })
	await chooseEntry('New console here')
	await expect.element(page.getByRole('tab', { name: /Console · shop/ })).toBeVisible()
	await expect
		.poll(() => Object.entries(window.records))
		.toContainEqual([expect.stringContaining('consoleSchema/'), 'shop'])
})
