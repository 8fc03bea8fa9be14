import { expect, test } from 'vitest'
import { seriesOf } from './series.ts'

test('a table of a day is in a series of its name', () => {
	expect(['logs-2026.11.30', 'app_2026_11', 'logs-app-2026.11.30-000001', 'events_2026'].map(seriesOf)).toEqual([
		'logs-*',
		'app_*',
		'logs-app-*',
		'events_*',
	])
	expect(['logs', 'logs-*', 'orders-12', '2026.11.30'].map(seriesOf)).toEqual(Array(4).fill(undefined))
})
