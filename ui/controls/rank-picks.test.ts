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

test('a match on the name ranks above one on what stands before it, and dots are no coincidence', () => {
	const tables = ['public.orders', 'public.customers', 'crm.contacts', 'composite type public.address'].map(label => ({
		label,
		name: label.slice(label.lastIndexOf('.') + 1),
	}))
	const labels = (text: string) => rankPicks(text, tables, 60).map(({ obj }) => obj.label)
	expect(labels('co')).toEqual(['crm.contacts', 'public.customers', 'composite type public.address'])
	expect(labels('public.cus')[0]).toBe('public.customers')
	expect(labels('address')[0]).toBe('composite type public.address')
})

test('of equal matches the one that is near comes first, and a better match comes before it', () => {
	const tables = ['Shop', 'Staging', 'Test'].map(detail => ({ label: 'orders', detail, isNear: detail === 'Staging' }))
	expect(rankPicks('orders', tables, 60)[0]?.obj.detail).toBe('Staging')
	const better = [{ label: 'order_lines_of_old_orders', isNear: true }, { label: 'orders' }]
	expect(rankPicks('orders', better, 60)[0]?.obj.label).toBe('orders')
})
