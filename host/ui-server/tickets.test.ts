import { expect, test } from 'vitest'
import { Tickets } from './tickets.ts'

test('a ticket works once within ten minutes, and a guessed ticket never works', () => {
	let now = 0
	const tickets = new Tickets(() => now)
	const [first, second] = [tickets.issue(), tickets.issue()]
	expect([tickets.spend(first), tickets.spend(first), tickets.spend('guess'), tickets.spend('')]).toEqual([
		true,
		false,
		false,
		false,
	])
	now = 10 * 60_000
	expect(tickets.spend(second)).toBe(false)
})

test('new tickets evict unused ones', () => {
	const tickets = new Tickets()
	const first = tickets.issue()
	for (let i = 0; i < 32; i++) tickets.issue()
	expect(tickets.spend(first)).toBe(false)
	expect(tickets.spend(tickets.issue())).toBe(true)
})
