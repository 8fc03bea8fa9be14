import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { WindowQuestion } from '../../host/api/api.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'

/** Questions of drivers and of programs, which wait for the user. Those of AI clients are in tests/window/consent.test.ts. */

let window: FakeWindow

beforeEach(async () => {
	window = await openWindow({})
})

const reach: WindowQuestion = {
	id: 'q1',
	askedAt: '2026-01-01T00:00:00.000Z',
	kind: 'reach',
	driver: 'Shop',
	address: '127.0.0.1:4001',
	connection: { id: '', name: 'Mine', driverId: 'shop' },
	rowNoun: { one: 'row', many: 'rows' },
}

/** Shows a question until it is answered. */
function ask(question: WindowQuestion): void {
	let pending: readonly WindowQuestion[] = [question]
	window.host.answer({
		'consent.pending': () => pending,
		'consent.answer': () => {
			pending = []
			window.host.emit('consent.changed', null)
			return null
		},
	})
	window.host.emit('consent.changed', null)
}

test.each([
	['Allow', true],
	['Refuse', false],
] as const)('a driver that wants to reach another address asks, and "%s" is its answer', async (name, isApproved) => {
	ask(reach)
	const question = page.getByRole('dialog', { name: 'A driver wants to reach another address' })
	await expect.element(question.getByText('127.0.0.1:4001')).toBeVisible()
	await expect.element(question.getByText('Mine')).toBeVisible()
	await expect.element(question.getByRole('button', { name })).toBeEnabled()
	await question.getByRole('button', { name }).click()
	await expect.element(question).not.toBeInTheDocument()
	expect(window.host.callsOf('consent.answer')).toEqual([{ id: 'q1', isApproved }])
})

test('a program that asks for access gets the chosen level, and the user gets its code', async () => {
	const program = { id: 'p1', client: 'Editor', redirect: undefined, expiresAt: '2026-01-01T00:00:00.000Z' }
	window.host.answer({ 'pairing.pending': () => [program] })
	window.host.emit('pairing.changed', null)
	const question = page.getByRole('dialog', { name: 'A program asks for access' })
	await expect.element(question.getByText('Editor')).toBeVisible()
	await question.getByLabelText('For').selectOptions('90 days')
	await question.getByLabelText('Sample').click()
	window.host.answer({
		'pairing.approve': () => {
			window.host.answer({ 'pairing.pending': () => [] })
			return { code: 'the-code' }
		},
	})
	await expect.element(question.getByRole('button', { name: 'Pair' })).toBeEnabled()
	await question.getByRole('button', { name: 'Pair' }).click()
	const given = page.getByRole('dialog', { name: 'Give this code to the program' })
	await expect.element(given.getByText('the-code')).toBeVisible()
	await expect.element(question).not.toBeInTheDocument()
	expect(window.host.callsOf('pairing.approve')).toEqual([
		{ id: 'p1', level: 'read-only', expires: '90d', connections: ['c1'] },
	])
})
