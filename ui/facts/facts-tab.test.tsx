import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { FactSection } from '../../host/api/api.ts'
import { fakeBooks } from '../testing/books.ts'
import { ConsolePanel } from '../testing/console-panel.ts'
import { consoleAnswers } from '../testing/fake-console.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'
import { press, type } from '../testing/keys.ts'

/** What the window shows of the driver's facts about a connection, a table, an object and an answer. */

let window: FakeWindow
let overview: readonly FactSection[]

const nodes: FactSection = { title: 'Nodes', list: { columns: ['Name'], rows: [{ cells: ['sample-node (master)'] }] } }

beforeEach(async () => {
	overview = [
		{ title: 'Health', facts: [{ name: 'Status', value: 'green', state: 'good' }], statement: 'show health' },
		nodes,
		{ title: 'Tasks', notice: 'Nothing runs.' },
	]
	window = await openWindow({
		tables: [fakeBooks()],
		manifest: { hasFacts: true, hasObjects: true },
		answers: {
			...consoleAnswers({
				run: () => ({ panels: [{ title: 'Time spent', list: { columns: ['Step'], rows: [{ cells: ['Scan'] }] } }] }),
			}),
			'facts.read': ({ table }) =>
				table === undefined
					? overview
					: [{ title: 'Definition', code: 'create table books (id int)', statement: 'create table books (id int)' }],
			'objects.list': () => [
				{ name: 'function order_count', kind: 'function', path: ['Functions'], title: 'order_count' },
				{ name: 'trigger stamped', kind: 'trigger', path: ['Triggers'], title: 'stamped on books' },
			],
			'objects.read': ({ name }) => [{ title: 'Definition', code: `create ${name}` }],
		},
	})
	await window.openConnection()
})
afterEach(() => page.viewport(1280, 820))

const tab = (name: string) => page.getByRole('tabpanel', { name, exact: true })
const line = (name: string) => page.getByRole('list', { name: 'Tables' }).getByRole('button', { name })
const openOverview = () => page.getByRole('button', { name: 'Overview', exact: true }).click()

test('the list of tables opens the overview of a connection', async () => {
	await openOverview()
	await expect.element(tab('Overview').getByRole('region', { name: 'Health' }).getByText('green')).toBeVisible()
	await expect.element(tab('Overview').getByRole('region', { name: 'Tasks' }).getByText('Nothing runs.')).toBeVisible()
})

test('sections that are empty stand at the end, a line of 28 pixels each', async () => {
	overview = [{ title: 'Tasks', notice: 'Nothing runs.' }, { title: 'Aliases', notice: 'There are none.' }, nodes]
	await openOverview()
	await expect.element(tab('Overview').getByRole('region', { name: 'Nodes' })).toBeVisible()
	const sections = tab('Overview').getByRole('region').elements()
	expect(sections.map(section => section.getAttribute('aria-label'))).toEqual(['Nodes', 'Tasks', 'Aliases'])
	const [tasks, aliases] = sections.slice(1).map(section => section.getBoundingClientRect())
	expect((aliases?.top ?? 0) - (tasks?.top ?? 0)).toBe(28)
})

test('the button of a title is seen when its section is pointed at, or when it has the focus', async () => {
	await openOverview()
	const button = tab('Overview').getByRole('button', { name: /^Health: open/ })
	await expect.poll(() => getComputedStyle(button.element()).opacity).toBe('0')
	tab('Overview').getByRole('button', { name: 'Reload' }).element().focus()
	await press('Tab')
	await expect.element(button).toHaveFocus()
	expect(getComputedStyle(button.element()).opacity).toBe('1')
	await tab('Overview').getByRole('region', { name: 'Nodes' }).hover()
	;(button.element() as HTMLElement).blur()
	expect(getComputedStyle(button.element()).opacity).toBe('0')
	await tab('Overview').getByRole('region', { name: 'Health' }).hover()
	await expect.poll(() => getComputedStyle(button.element()).opacity).toBe('1')
})

test('a narrow window breaks a list between words, not inside them', async () => {
	await page.viewport(400, 820)
	await openOverview()
	const list = tab('Overview').getByRole('region', { name: 'Nodes' })
	await expect.element(list.getByRole('cell')).toBeVisible()
	const heightOf = (role: 'cell' | 'columnheader') => list.getByRole(role).element().getBoundingClientRect().height
	// "sample-", "node", "(master)", below a header with one line.
	expect(heightOf('cell')).toBeLessThan(3 * heightOf('columnheader'))
})

test('all columns of a list with an action fit into a window of a usual width', async () => {
	await page.viewport(1440, 900)
	const statement = `update customers set note = '${'a long note '.repeat(10)}'`
	const actions = [{ label: 'End the other session', statement: 'select 1' }]
	const cells = ['4711', 'orders-service (worker)', statement, '4712', 'orders-service (worker)', statement, '10 s']
	overview = [
		{ title: 'Locks', list: { columns: cells.map((_, index) => `Column ${index}`), rows: [{ cells, actions }] } },
	]
	await openOverview()
	const locks = tab('Overview').getByRole('region', { name: 'Locks' })
	await expect.element(locks.getByRole('button', { name: 'End the other session' })).toBeVisible()
	const list = locks.element().querySelector('.fact-list')
	expect(list?.scrollWidth).toBe(list?.clientWidth)
})

test('a section opens its statement in the console', async () => {
	await openOverview()
	await tab('Overview').getByRole('button', { name: 'Health: open the statement in the console' }).click()
	const panel = new ConsolePanel()
	await expect.poll(() => panel.text()).toBe('show health')
	expect(window.host.callsOf('console.run')).toEqual([])
})

test('a statement of facts opens beside a text that the console has', async () => {
	const panel = await ConsolePanel.open()
	await panel.write('select 1 as kept')
	await line('books').click({ button: 'right' })
	await page.getByRole('menuitem', { name: 'About this table' }).click()
	await expect.element(tab('About books').getByText('create table books')).toBeVisible()
	await tab('About books').getByRole('button', { name: 'Definition: open the statement in the console' }).click()
	const second = new ConsolePanel('Console 2')
	await expect.poll(() => second.text()).toBe('create table books (id int)')
	await page.getByRole('tab', { name: 'Console', exact: true }).click()
	await expect.poll(() => panel.text()).toBe('select 1 as kept')
})

test('facts are read again by Reload and when their tab is shown again', async () => {
	await openOverview()
	const health = tab('Overview').getByRole('region', { name: 'Health' })
	await expect.element(health.getByText('green')).toBeVisible()
	overview = [{ title: 'Health', facts: [{ name: 'Status', value: 'yellow' }] }]
	await tab('Overview').getByRole('button', { name: 'Reload' }).click()
	await expect.element(health.getByText('yellow')).toBeVisible()
	await window.openListedTable('books')
	overview = [{ title: 'Health', facts: [{ name: 'Status', value: 'red' }] }]
	await page.getByRole('tab', { name: 'Overview' }).click()
	await expect.element(health.getByText('red')).toBeVisible()
})

test('facts that are read again are marked as old, and nothing is done with their lines meanwhile', async () => {
	const actions = [{ label: 'End session', statement: 'select 1' }]
	overview = [{ title: 'Activity', list: { columns: ['Session'], rows: [{ cells: ['4711'], actions }] } }]
	await openOverview()
	const end = tab('Overview').getByRole('button', { name: 'End session' })
	await expect.element(end).toBeEnabled()
	const release = window.host.hold('facts.read')
	await tab('Overview').getByRole('button', { name: 'Reload' }).click()
	await expect.element(tab('Overview').getByText('Reading again …')).toBeVisible()
	await expect.element(end).toBeDisabled()
	release()
	await expect.element(tab('Overview').getByText('Reading again …')).not.toBeInTheDocument()
	await expect.element(end).toBeEnabled()
})

test('objects are listed below their levels, and open with their definitions', async () => {
	await line('Functions').click()
	await line('order_count').click()
	await expect.element(tab('function order_count').getByText('create function order_count')).toBeVisible()
	await line('Functions').click()
	await expect.element(line('order_count')).not.toBeInTheDocument()
})

test('objects are found by the search of the list and of the window', async () => {
	await page.getByRole('searchbox', { name: 'Search tables' }).fill('stamped')
	await line('stamped on books').click()
	await expect.element(tab('trigger stamped').getByText('create trigger stamped')).toBeVisible()
	await page.getByRole('searchbox', { name: 'Search tables' }).fill('')
	await press('ControlOrMeta+p')
	await type('order_count')
	await press('Enter')
	await expect.element(tab('function order_count').getByText('create function order_count')).toBeVisible()
})

test('an answer shows its panels beside its rows', async () => {
	const panel = await ConsolePanel.open()
	await panel.run('select 1')
	await expect
		.element(panel.runs.getByRole('region', { name: 'Time spent' }).getByRole('cell', { name: 'Scan' }))
		.toBeVisible()
})
