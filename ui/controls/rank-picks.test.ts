import { expect, test } from 'vitest'
import { rankPicks } from './rank-picks.ts'

const picks = [
	{ label: 'books', detail: 'Logs' },
	{ label: 'a-log-b-s', detail: 'Shop' },
	{ label: 'logs-2024', detail: 'Shop' },
	{ label: 'events' },
]
const found = (text: string) => rankPicks(text, picks, 60).map(({ obj }) => obj.label)

test('a match on the label ranks above a better match on the detail', () => {
	expect(found('logs')).toEqual(['logs-2024', 'a-log-b-s', 'books'])
})

test('an entry is found by its detail, and by parts of both', () => {
	expect(found('shop').toSorted()).toEqual(['a-log-b-s', 'logs-2024'])
	expect(found('bo lo')).toEqual(['books'])
	expect(found('nothing')).toEqual([])
})
