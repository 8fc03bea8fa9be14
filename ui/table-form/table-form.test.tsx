import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Table, TableChange, TableForm } from '../../host/api/api.ts'
import { violations } from '../testing/axe.ts'
import { fakeBooks } from '../testing/books.ts'
import { consoleAnswers } from '../testing/fake-console.ts'
import { fakeLanguage } from '../testing/fake-engine.ts'
import { FakeTable, tableAnswers } from '../testing/fake-tables.ts'
import { type FakeWindow, openWindow, TablePanel } from '../testing/fake-window.tsx'
import { press, type } from '../testing/keys.ts'
import { chooseEntry, chooseOfConnection } from '../testing/menu.ts'

/** The form of a table: rows of columns, keys and indexes, the statements of a change, and how they are sent. */

const column = (name: string, columnType: string, rest: object = {}) => ({
	id: name,
	name,
	type: columnType,
	isNotNull: false,
	...rest,
})

const form: TableForm = {
	definition: {
		path: ['shop'],
		name: 'orders',
		columns: [
			column('id', 'bigint', { isNotNull: true, default: 'identity' }),
			column('customer_id', 'bigint', { isNotNull: true, comment: 'who ordered' }),
			column('total', 'numeric(10,2)', { default: '0' }),
			column('legacy_no', 'varchar(20)'),
		],
		keys: [
			{ id: 'orders_pkey', name: 'orders_pkey', kind: 'primary', columns: ['id'] },
			{
				id: 'orders_customer_fk',
				name: 'orders_customer_fk',
				kind: 'foreign',
				columns: ['customer_id'],
				references: { table: 'shop.customers', columns: ['id'], onDelete: 'no action', onUpdate: 'no action' },
			},
			{ id: 'orders_check', name: 'orders_check', kind: 'check', columns: [], expression: 'total >= 0' },
		],
		indexes: [
			{
				id: 'orders_total',
				name: 'orders_total',
				method: 'btree',
				isUnique: false,
				columns: [{ column: 'total', isDescending: true }],
			},
		],
	},
	types: ['bigint', 'text', 'numeric(12,2)'],
	defaults: ['identity', 'now()'],
	keys: ['primary', 'unique', 'foreign', 'check'],
	methods: ['btree', 'hash'],
	rules: ['no action', 'cascade'],
	movesColumns: false,
	savesWhole: true,
	untouched: ['CREATE INDEX orders_lower ON shop.orders USING btree (lower(note))'],
}

/** One statement for each column that is dropped, added or changed. */
function statementsOf({ before, after }: TableChange): readonly string[] {
	if (!before)
		return [
			`create table ${[...after.path, after.name].join('.')} (${after.columns.map(({ name }) => name).join(', ')});`,
		]
	const old = new Map(before.columns.map(one => [one.id, one]))
	const kept = new Set(after.columns.map(({ id }) => id))
	return [
		...before.columns.filter(({ id }) => !kept.has(id)).map(({ name }) => `drop column ${name};`),
		...after.columns.flatMap(one => {
			const known = old.get(one.id)
			if (!known) return [`alter table orders add column ${one.name} ${one.type};`]
			return JSON.stringify(known) === JSON.stringify(one)
				? []
				: [`alter table orders alter column ${known.name} to ${one.name} ${one.type};`]
		}),
		...(before.name === after.name ? [] : [`alter table ${before.name} rename to ${after.name};`]),
	]
}

const listed: readonly Table[] = [{ name: 'shop.orders', title: 'orders', path: ['shop'] }]

let window: FakeWindow

async function open(options: Parameters<typeof openWindow>[0] = {}): Promise<void> {
	window = await openWindow({
		tables: [fakeBooks()],
		manifest: {
			hasTableForm: true,
			hasFacts: true,
			console: fakeLanguage({ transaction: { begin: 'begin', commit: 'commit', rollback: 'rollback' } }),
		},
		answers: {
			...consoleAnswers({ judge: text => (text.startsWith('alter') ? { access: 'write' } : {}) }),
			'tables.list': () => listed,
			'tables.readForm': ({ place }) =>
				'table' in place
					? form
					: { ...form, definition: { path: place.path, name: '', columns: [], keys: [], indexes: [] }, untouched: [] },
			'tables.statements': ({ change }) => statementsOf(change),
			'tables.try': () => ({
				tookMs: 1_800,
				facts: [{ name: 'Values lost with legacy_no', value: '12,040', state: 'bad' }],
			}),
			'facts.read': () => [],
		},
		...options,
	})
	await window.openConnection()
}
beforeEach(() => open())
afterEach(() => page.viewport(1280, 820))

const sheet = () => page.getByRole('tabpanel', { name: /, structure$|^New table/ })
const field = (name: string) => sheet().getByLabelText(name, { exact: true })
const statements = () => [...document.querySelectorAll('.form-statements pre')].map(({ textContent }) => textContent)
const ran = () => window.host.callsOf('console.run').map(({ statement }) => statement.text)
const line = (name: string) => page.getByRole('list', { name: 'Tables' }).getByRole('button', { name }).first()

async function openForm(): Promise<void> {
	await line('orders').click({ button: 'right' })
	await chooseEntry('Change structure …')
	await expect.element(field('Name of total')).toBeVisible()
}

test('the menu of a table opens its form, with what it leaves as it is', async () => {
	await openForm()
	await expect.element(sheet().getByRole('heading', { name: 'shop.orders' })).toBeVisible()
	await expect.element(field('Type of total')).toHaveValue('numeric(10,2)')
	await expect.element(field('Columns of orders_total')).toHaveValue('total desc')
	await expect.element(field('orders_customer_fk points to')).toHaveValue('shop.customers (id)')
	await expect.element(sheet().getByText('CREATE INDEX orders_lower')).toBeVisible()
	await expect.element(sheet().getByRole('button', { name: 'Change orders' })).toBeDisabled()
})

test('typed changes show their statements and the old values, and Discard takes them back', async () => {
	await openForm()
	await field('Type of total').fill('numeric(14,2)')
	await expect.poll(statements).toEqual(['alter table orders alter column total to total numeric(14,2);'])
	await expect.element(sheet().getByText('numeric(10,2)')).toBeVisible()
	await expect.element(sheet().getByRole('heading', { name: '1 change' })).toBeVisible()
	await sheet().getByRole('button', { name: 'Discard' }).click()
	await expect.poll(statements).toEqual([])
	await expect.element(field('Type of total')).toHaveValue('numeric(10,2)')
})

test('at 1280 pixels, the sidebar is folded beside the form, so that its references are whole', async () => {
	await openForm()
	await expect.element(page.getByRole('button', { name: 'Unfold the sidebar' })).toBeVisible()
	const cut = () =>
		[...document.querySelectorAll('.form-reference')].filter(text => text.scrollWidth > text.clientWidth)
	await expect.poll(cut).toEqual([])
})

test('a new type and the old one beside it are whole', async () => {
	await openForm()
	await page.viewport(1440, 820)
	await field('Type of total').fill('numeric(14,2)')
	const cell = () => field('Type of total').element().closest('td')
	await expect.poll(() => cell()?.querySelector('del')?.textContent).toBe('numeric(10,2)')
	const isWhole = (element: Element | null | undefined) => element && element.scrollWidth <= element.clientWidth
	expect(isWhole(cell()?.querySelector('del'))).toBe(true)
	expect(isWhole(field('Type of total').element())).toBe(true)
})

test('a renamed column keeps its id, and its index follows', async () => {
	await openForm()
	await field('Name of total').fill('sum')
	await expect.element(field('Columns of orders_total')).toHaveValue('sum desc')
	await expect.poll(statements).toEqual(['alter table orders alter column total to sum numeric(10,2);'])
})

test('keys add a row, move it, and drop one', async () => {
	await openForm()
	field('Name of legacy_no').element().focus()
	await press('ControlOrMeta+Enter')
	await type('channel')
	await expect.poll(statements).toEqual(['alter table orders add column channel bigint;'])
	await press('ControlOrMeta+Enter')
	await type('source')
	await press('Alt+ArrowUp')
	await expect
		.poll(statements)
		.toEqual(['alter table orders add column source bigint;', 'alter table orders add column channel bigint;'])
	await expect.element(field('Name of source')).toHaveFocus()
	// The columns of the table keep their places, because the engine cannot move them.
	await press('Alt+ArrowUp')
	await expect.poll(() => statements()[0]).toContain('source')
	await press('ControlOrMeta+Delete')
	await expect.poll(statements).toEqual(['alter table orders add column channel bigint;'])
	field('Name of legacy_no').element().focus()
	await press('ControlOrMeta+Delete')
	await expect.poll(statements).toEqual(['drop column legacy_no;', 'alter table orders add column channel bigint;'])
	await expect.element(sheet().getByRole('button', { name: 'Keep legacy_no' })).toBeInTheDocument()
})

test('a change without a loss runs in one transaction, at once where the connection writes without asking', async () => {
	await openForm()
	await field('Type of total').fill('text')
	await field('Comment of id').fill('its number')
	await expect.poll(() => statements().length).toBe(2)
	await press('ControlOrMeta+s')
	await expect.element(page.getByText('Changed orders.')).toBeVisible()
	// The form of the table as it is now.
	await expect.element(sheet().getByRole('heading', { name: 'No changes yet' })).toBeVisible()
	expect(ran()).toEqual([
		'begin',
		...['id to id bigint', 'total to total text'].map(what => `alter table orders alter column ${what}`),
		'commit',
	])
	expect(window.host.callsOf('console.run').map(({ session, inTransaction }) => [session, inTransaction])).toEqual([
		[0, false],
		[0, true],
		[0, true],
		[0, true],
	])
	expect(window.host.callsOf('console.closeSession')).toMatchObject([{ session: 0 }])
})

test('a change that fails is rolled back, and the next attempt sends all of it again', async () => {
	await openForm()
	await field('Type of total').fill('text')
	await field('Comment of id').fill('its number')
	await expect.poll(() => statements().length).toBe(2)
	window.host.fail('console.run', 'total is used by a view')
	await sheet().getByRole('button', { name: 'Change orders' }).click()
	await expect.element(sheet().getByText('total is used by a view')).toBeVisible()
	expect(window.host.callsOf('console.closeSession')).toHaveLength(1)
	window.host.answer(consoleAnswers({ judge: text => (text.startsWith('alter') ? { access: 'write' } : {}) }))
	await sheet().getByRole('button', { name: 'Try again' }).click()
	await expect.element(page.getByText('Changed orders.')).toBeVisible()
	expect(ran().slice(-4)[0]).toBe('begin')
})

test('a loss is asked about, and on a production connection its name is typed', async () => {
	await open({ connection: { isProduction: true } })
	await openForm()
	await sheet().getByRole('button', { name: 'Drop legacy_no' }).click()
	await expect.poll(statements).toEqual(['drop column legacy_no;'])
	await sheet().getByRole('button', { name: 'Change orders' }).click()
	const question = page.getByRole('dialog')
	await expect.element(question.getByText('Type Sample to confirm')).toBeVisible()
	expect(ran()).toEqual([])
	await question.getByRole('textbox').fill('Sample')
	await question.getByRole('button', { name: 'Change orders' }).click()
	await expect.poll(ran).toEqual(['drop column legacy_no'])
	expect(window.host.callsOf('console.run')).toMatchObject([{ review: 'reviewed', typed: 'Sample' }])
})

test('the key saves also after Try, whose button loses the focus while it runs', async () => {
	await openForm()
	await field('Type of total').fill('text')
	await sheet().getByRole('button', { name: 'Try', exact: true }).click()
	await expect.element(sheet().getByText('was rolled back')).toBeVisible()
	await press('ControlOrMeta+s')
	await expect.element(page.getByText('Changed orders.')).toBeVisible()
})

test('a connection that is read-only shows the statements and sends none', async () => {
	await open({ connection: { safeMode: 'read-only' } })
	await openForm()
	await field('Type of total').fill('text')
	await expect.poll(() => statements().length).toBe(1)
	await expect.element(sheet().getByText('"Sample" is read-only.')).toBeVisible()
	await expect.element(sheet().getByRole('button', { name: 'Try', exact: true })).toBeDisabled()
	await press('ControlOrMeta+s')
	expect(window.host.callsOf('console.review')).toEqual([])
})

test('Try tells what a change costs and loses, until the change is another one', async () => {
	await openForm()
	await sheet().getByRole('button', { name: 'Drop legacy_no' }).click()
	await sheet().getByRole('button', { name: 'Try', exact: true }).click()
	const tried = sheet().getByRole('region', { name: 'Tried' })
	await expect.element(tried.getByText('was rolled back')).toBeVisible()
	await expect.element(tried.getByText('12,040')).toBeVisible()
	expect(ran()).toEqual([])
	await field('Name').fill('sales')
	await expect.element(tried).not.toBeInTheDocument()
})

test('what the form means is checked before the driver is asked', async () => {
	await openForm()
	await field('Columns of orders_total').fill('total, nothing')
	await expect.element(sheet().getByText('There is no column nothing.')).toBeVisible()
	await expect.element(sheet().getByRole('button', { name: 'Change orders' })).toBeDisabled()
	window.host.fail('tables.statements', 'The column total has no type.')
	await field('Columns of orders_total').fill('total')
	await expect.element(sheet().getByText('The column total has no type.')).toBeVisible()
})

test('a schema makes a new table in it, which begins with a numbered key', async () => {
	await line('shop').click({ button: 'right' })
	await chooseEntry('New table …')
	await expect.element(page.getByRole('tab', { name: 'New table in shop' })).toBeVisible()
	await expect.element(field('Default of id')).toHaveValue('identity')
	await type('invoices')
	await expect.poll(statements).toEqual(['create table shop.invoices (id);'])
	const [{ change } = { change: undefined }] = window.host.callsOf('tables.statements').slice(-1)
	const [id] = change?.after.columns ?? []
	expect(change?.after.keys).toMatchObject([{ kind: 'primary', columns: [id?.id] }])
	await press('ControlOrMeta+Enter')
	await type('total')
	await expect.element(field('Name of total')).toHaveFocus()
})

test('a new table without a name shows what it will be, and is not made yet', async () => {
	await line('shop').click({ button: 'right' })
	await chooseEntry('New table …')
	await expect.element(sheet().getByText('Give the table a name.')).toBeVisible()
	await expect
		.element(
			sheet()
				.getByRole('list', { name: 'Preview' })
				.getByText(/new_table/),
		)
		.toBeVisible()
	await expect.element(sheet().getByRole('button', { name: /^Create/ })).toBeDisabled()
	await field('Name').fill('refunds')
	await expect
		.element(
			sheet()
				.getByText(/refunds/)
				.first(),
		)
		.toBeVisible()
	await expect.element(sheet().getByText('Give the table a name.')).not.toBeInTheDocument()
	expect(sheet().getByRole('list', { name: 'Preview' }).elements()).toEqual([])
	await expect.element(sheet().getByRole('button', { name: /^Create/ })).toBeEnabled()
	// The icon of a type follows what is typed.
	expect(sheet().element().querySelector('.form-columns .form-cell > svg')).not.toBeNull()
})

test('keys offer the columns and tables that they can name, and a table that was made is opened from its message', async () => {
	await openForm()
	const offered = (name: string) => {
		const input = field(name).element()
		return input instanceof HTMLInputElement ? [...(input.list?.options ?? [])].map(({ value }) => value) : []
	}
	expect(offered('Columns of orders_pkey')).toEqual(['id', 'customer_id', 'total', 'legacy_no'])
	expect(offered('orders_customer_fk points to')).toContain('orders (id)')
	await page.getByRole('button', { name: 'Unfold the sidebar' }).click()
	await page
		.getByRole('list', { name: 'Tables' })
		.getByRole('button', { name: 'shop' })
		.first()
		.click({ button: 'right' })
	await chooseEntry('New table …')
	await field('Name').fill('orders')
	await sheet().getByRole('button', { name: 'Create orders' }).click()
	await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Open' }).click()
	await expect.element(page.getByRole('tab', { name: 'orders', exact: true })).toBeVisible()
	await expect.element(page.getByRole('tab', { name: 'New table in shop' })).not.toBeInTheDocument()
})

test('the palette opens the form beside the table of the active tab', async () => {
	await line('orders').click({ button: 'right' })
	await chooseEntry('About this table')
	await expect.element(page.getByRole('tab', { name: /About orders|orders/ })).toBeVisible()
	await page.getByRole('tabpanel').getByRole('button', { name: 'Change structure …' }).click()
	await expect.element(sheet().getByRole('heading', { name: 'shop.orders' })).toBeVisible()
	await press('ControlOrMeta+Shift+p')
	await type('New table')
	await press('Enter')
	await expect.element(page.getByRole('tab', { name: 'New table in shop' })).toBeVisible()
})

test('the list of tables opens the form of its chosen table', async () => {
	await chooseOfConnection('Sample', 'All tables')
	const list = page.getByRole('tabpanel', { name: 'Tables', exact: true })
	await list.getByRole('row').filter({ hasText: 'orders' }).first().getByRole('checkbox').click()
	await list.getByRole('button', { name: 'Actions' }).click()
	await chooseEntry('Change structure …')
	await expect.element(sheet().getByRole('heading', { name: 'shop.orders' })).toBeVisible()
})

test('a form without changes is read again when it comes to the front', async () => {
	await openForm()
	await page.getByRole('button', { name: 'New console' }).click()
	const [total] = form.definition.columns.slice(2)
	const changed = { ...form, definition: { ...form.definition, columns: [{ ...total, type: 'money' }] } }
	window.host.answer({ 'tables.readForm': () => changed as TableForm })
	await page.getByRole('tab', { name: 'orders, structure' }).click()
	await expect.element(field('Type of total')).toHaveValue('money')
})

test('what is typed while a form is read again stays, and the field keeps the focus', async () => {
	await openForm()
	await page.getByRole('button', { name: 'New console' }).click()
	const answers = [Promise.withResolvers<TableForm>(), Promise.withResolvers<TableForm>()]
	window.host.answer({ 'tables.readForm': () => answers.shift()?.promise ?? form })
	const [same, other] = [...answers]
	await page.getByRole('tab', { name: 'orders, structure' }).click()
	await field('Type of total').click()
	await press('End')
	same?.resolve({ ...form })
	await type('s')
	await expect.element(field('Type of total')).toHaveValue('numeric(10,2)s')
	await press('Backspace')
	await page.getByRole('tab', { name: 'Console' }).click()
	await page.getByRole('tab', { name: 'orders, structure' }).click()
	await field('Type of total').fill('text')
	other?.resolve({ ...form, types: [] })
	await expect.element(sheet().getByText('1 statement', { exact: true })).toBeVisible()
	await expect.element(field('Type of total')).toHaveValue('text')
})

test('typed changes stay while another tab is in front, and closing the tab asks before they are lost', async () => {
	await openForm()
	await field('Type of total').fill('text')
	await page.getByRole('button', { name: 'New console' }).click()
	await expect.element(sheet()).not.toBeInTheDocument()
	// The key is for the console.
	await press('ControlOrMeta+s')
	expect(ran()).toEqual([])
	await press('Escape')
	await page.getByRole('tab', { name: 'orders, structure' }).click()
	await expect.element(field('Type of total')).toHaveValue('text')
	await page.getByRole('button', { name: 'Close orders, structure' }).click()
	await page.getByRole('dialog').getByRole('button', { name: 'Keep it open' }).click()
	await page.getByRole('button', { name: 'Close orders, structure' }).click()
	await page.getByRole('dialog').getByRole('button', { name: 'Discard 1 change' }).click()
	await expect.element(sheet()).not.toBeInTheDocument()
})

test('the form keeps to the rules of accessibility, with each state of a row', async () => {
	await openForm()
	await sheet().getByRole('button', { name: 'Drop legacy_no' }).click()
	await field('Type of total').fill('numeric(14,2)')
	await sheet().getByRole('button', { name: 'Column', exact: true }).click()
	await type('channel')
	await sheet().getByRole('button', { name: 'Try', exact: true }).click()
	await expect.element(sheet().getByText('12,040')).toBeVisible()
	expect(await violations()).toEqual([])
})

test('the tabs of a table that is renamed show it by its new name, and its rows keep their filter', async () => {
	const named = (name: string) => ({
		...tableAnswers([new FakeTable(`shop.${name}`, { columns: { id: {}, state: {} }, rows: [['1', 'new']] })]),
		'tables.list': () => [{ name: `shop.${name}`, title: name, path: ['shop'] }],
		'tables.readForm': () => ({ ...form, definition: { ...form.definition, name } }),
	})
	window.host.answer(named('orders'))
	await line('orders').click()
	const rows = (title: string) => new TablePanel(page.getByRole('tabpanel', { name: `shop.${title}`, exact: true }))
	await rows('orders').cell(0, 'state').click()
	await press('=')
	const chip = (title: string) => rows(title).root.getByRole('button', { name: 'state is new', exact: true })
	await expect.element(chip('orders')).toBeVisible()
	await openForm()
	await field('Name').fill('sales')
	await expect.poll(statements).toEqual(['alter table orders rename to sales;'])
	window.host.answer(named('sales'))
	await press('ControlOrMeta+s')
	const tab = (title: string) => page.getByRole('tab', { name: title, exact: true })
	await expect.element(tab('sales, structure')).toHaveAttribute('aria-selected', 'true')
	await expect.element(tab('orders')).not.toBeInTheDocument()
	await tab('sales').click()
	await expect.element(chip('sales')).toBeVisible()
})
