import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Cell, ConsoleResult, ParamsOf } from '../../host/api/api.ts'
import { fakeBooks } from '../testing/books.ts'
import { ConsolePanel } from '../testing/console-panel.ts'
import { consoleAnswers, rowsBody } from '../testing/fake-console.ts'
import { fakeLanguage } from '../testing/fake-engine.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'
import { press } from '../testing/keys.ts'

/** A truncated result is sorted by the engine, which has all rows. */

const rows = Array.from({ length: 30 }, (_, at): readonly Cell[] => [(at * 7) % 30, `name ${at}`])
let window: FakeWindow
let panel: ConsolePanel
let refusal: string | undefined

beforeEach(async () => {
	refusal = undefined
	const answers = consoleAnswers()
	window = await openWindow({
		tables: [fakeBooks(12)],
		manifest: { console: fakeLanguage({ canSort: true }) },
		answers: {
			...answers,
			'console.run': ({ statement: { text }, sort: order }): ConsoleResult => {
				const [sort] = order?.by ?? []
				const failed = order && refusal
				const own = { status: 'SELECT', tookMs: 1, notices: [] }
				if (failed !== undefined)
					return { ...own, body: { view: 'text' }, fault: { code: 'query_failed', message: failed } }
				const found = (order?.where ?? []).reduce(
					(left, { at, is, text: value }) => left.filter(row => (String(row[at]) === value) === (is === 'same')),
					rows,
				)
				const sorted = sort
					? found.toSorted((a, b) => (Number(a[sort.at]) - Number(b[sort.at])) * (sort.direction === 'asc' ? 1 : -1))
					: found
				const isTruncated = text === 'select cut' && sorted.length > 10
				const shown = isTruncated ? sorted.slice(0, 10) : sorted
				const origin = { table: 'books', key: [{ column: 'id', at: 0 }], columns: [0, 1], names: ['id', 'title'] }
				return {
					...own,
					body: rowsBody({ id: { kind: 'number' }, title: {} }, shown, { isTruncated, origins: [origin] }),
				}
			},
		},
	})
	await window.openConnection()
	panel = await ConsolePanel.open()
})

const result = () => panel.runs.first()
const header = (name: string) => result().getByRole('columnheader', { name, exact: false })
const firstColumn = () =>
	[...result().element().querySelectorAll('.grid-cell[aria-colindex="1"]')].map(cell => cell.textContent)
const sorts = () =>
	window.host.calls
		.filter(({ method }) => method === 'console.run')
		.map(({ params }) => (params as ParamsOf<'console.run'>).sort)

test('a click on the header of a cut result runs the statement again in the order of the engine, and says so', async () => {
	await panel.run('select cut')
	await header('id').click()
	await expect.element(result().getByText('sorted by the server')).toBeVisible()
	expect(firstColumn().slice(0, 3)).toEqual(['0', '1', '2'])
	await header('id').click()
	await expect.poll(() => firstColumn()[0]).toBe('29')
	await header('id').click()
	await expect.element(result().getByText('sorted by')).not.toBeInTheDocument()
	expect(firstColumn().slice(0, 3)).toEqual(['0', '7', '14'])
	expect(sorts()).toEqual([
		undefined,
		{ columns: 2, by: [{ at: 0, direction: 'asc' }] },
		{ columns: 2, by: [{ at: 0, direction: 'desc' }] },
		{ columns: 2, by: [] },
	])
})

test('a whole result is sorted in the window', async () => {
	await panel.run('select all')
	await header('id').click()
	await expect.element(result().getByText('sorted by this window')).toBeVisible()
	expect(sorts()).toEqual([undefined])
})

test('what the engine cannot sort is sorted among the rows that were read, with the reason', async () => {
	await panel.run('select cut')
	refusal = 'Two columns are named id.'
	await header('id').click()
	await expect.element(page.getByText('Only the first 10 rows are sorted: Two columns are named id.')).toBeVisible()
	await expect.element(result().getByText('sorted by this window')).toBeVisible()
	expect(firstColumn().slice(0, 3)).toEqual(['0', '3', '5'])
})

test('changes that are not saved are not replaced by another order', async () => {
	await panel.run('select cut')
	await result().getByRole('gridcell', { name: 'name 1', exact: true }).click()
	await press('Enter')
	await result()
		.getByRole('textbox', { name: /^Edit / })
		.fill('Emma')
	await press('Enter')
	await header('id').click()
	await expect.element(page.getByText('Save or discard the changes in this result first.')).toBeVisible()
	expect(sorts()).toEqual([undefined])
	await expect.element(result().getByRole('gridcell', { name: 'Emma', exact: true })).toBeVisible()
})

/** Filters for a value, or takes it out, by the key of the grid. */
async function filter(value: string, key: '=' | '-'): Promise<void> {
	await result().getByRole('gridcell', { name: value, exact: true }).click()
	await press(key)
}

test('a filter of a cut result is applied by the engine to all rows, together with the order', async () => {
	await panel.run('select cut')
	await filter('name 1', '-')
	await expect.element(result().getByText('10+ rows of all, found by the server')).toBeVisible()
	expect(firstColumn().slice(0, 2)).toEqual(['0', '14'])
	await header('id').click()
	await expect.poll(() => firstColumn().slice(0, 2)).toEqual(['0', '1'])
	await filter('1', '=')
	await expect.element(result().getByText('1 row of all, found by the server')).toBeVisible()
	const out = { at: 1, is: 'other', text: 'name 1', kind: 'text' }
	const by = [{ at: 0, direction: 'asc' }]
	expect(sorts().slice(1)).toEqual([
		{ columns: 2, by: [], where: [out] },
		{ columns: 2, by, where: [out] },
		{ columns: 2, by, where: [out, { at: 0, is: 'same', text: '1', kind: 'number' }] },
	])
	await result().getByRole('button', { name: 'Remove the filter id is 1' }).click()
	await result()
		.getByRole('button', { name: /^Remove the filter title/ })
		.click()
	await expect.poll(() => sorts().at(-1)).toEqual({ columns: 2, by })
})

test('what the engine cannot find is found among the rows of the first run, with the reason', async () => {
	await panel.run('select cut')
	await filter('name 1', '-')
	await expect.element(result().getByText('10+ rows of all, found by the server')).toBeVisible()
	refusal = 'The engine is busy.'
	await filter('name 2', '=')
	await expect.element(page.getByText('Only the first 10 rows are searched: The engine is busy.')).toBeVisible()
	await expect.element(result().getByText('1 of the first 10 rows')).toBeVisible()
})
