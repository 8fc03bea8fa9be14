import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { ParamsOf } from '../../../host/api/api.ts'
import { FakeTable } from '../../testing/fake-tables.ts'
import { type FakeWindow, openWindow, type TablePanel } from '../../testing/fake-window.tsx'

/** The order of a table in time, by clicks on its headers. */

async function openLogs(): Promise<{ window: FakeWindow; logs: TablePanel }> {
	const rows = Array.from({ length: 20 }, (_, at) => [
		at,
		new Date(Date.UTC(2026, 0, 1 + at)).toISOString(),
		`m${at}`,
		'x',
	])
	const logs = new FakeTable('logs', {
		sort: [{ column: 'at', direction: 'desc' }],
		columns: {
			id: { kind: 'number' },
			at: { kind: 'date' },
			title: {},
			mixed: { type: 'long | keyword', isSortable: false },
		},
		rows,
	})
	const window = await openWindow({ tables: [logs] })
	return { window, logs: await window.openTable('logs') }
}

const sortOf = (window: FakeWindow) => {
	const opened = window.host.calls.filter(({ method }) => method === 'grid.open')
	return (opened.at(-1)?.params as ParamsOf<'grid.open'>).query.sort
}
const newestFirst = [{ column: 'at', direction: 'desc' }]

test('a second click on the time reverses the order, and a third goes back to the newest first', async () => {
	const { window, logs } = await openLogs()
	expect(sortOf(window)).toEqual(newestFirst)
	const click = () => page.elementLocator(logs.header('at')).click()
	await click()
	await expect.poll(() => sortOf(window)).toEqual([{ column: 'at', direction: 'asc' }])
	await click()
	await expect.poll(() => sortOf(window)).toEqual(newestFirst)
})

test('a table in time has its order again when the sort by another column ends', async () => {
	const { window, logs } = await openLogs()
	const click = () => page.elementLocator(logs.header('title')).click()
	await click()
	await expect.poll(() => sortOf(window)).toEqual([{ column: 'title', direction: 'asc' }])
	await click()
	await click()
	await expect.poll(() => sortOf(window)).toEqual(newestFirst)
})

test('a column that cannot be sorted keeps the order and says so', async () => {
	const { window, logs } = await openLogs()
	await page.elementLocator(logs.header('mixed')).click()
	await expect.element(page.getByText('mixed (long | keyword) cannot be sorted, so the order stays.')).toBeVisible()
	expect(sortOf(window)).toEqual(newestFirst)
})
