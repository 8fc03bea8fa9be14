import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { WindowQuestion } from '../../host/api/api.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'
import { press } from '../testing/keys.ts'

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

const ssh = (
	form: 'secret' | 'confirm' | 'notice' | 'fault',
	text: string,
	more: { readonly canRemember?: true; readonly isAgain?: true } = {},
): WindowQuestion => ({
	...{ id: 'q2', askedAt: '2026-01-01T00:00:00.000Z', kind: 'ssh', destination: 'bastion', form, text },
	...more,
	connection: { id: 'c', name: 'Mine', driverId: 'shop' },
	rowNoun: { one: 'row', many: 'rows' },
})

test('ssh asks for a passphrase in its own words, and Enter sends it', async () => {
	ask(ssh('secret', "Enter passphrase for key '/home/me/.ssh/id': "))
	const question = page.getByRole('dialog', { name: 'ssh asks for bastion' })
	await expect.element(question.getByText("Enter passphrase for key '/home/me/.ssh/id':")).toBeVisible()
	await expect.element(question.getByText('The last answer was not accepted.')).not.toBeInTheDocument()
	const field = question.getByLabelText('Answer')
	await expect.element(field).toHaveAttribute('type', 'password')
	await field.fill('open sesame')
	await press('Enter')
	await expect.element(question).not.toBeInTheDocument()
	expect(window.host.callsOf('consent.answer')).toEqual([{ id: 'q2', isApproved: true, text: 'open sesame' }])
})

test('a question of ssh that comes again says that the last answer was wrong', async () => {
	ask(ssh('secret', 'Password: ', { isAgain: true }))
	const question = page.getByRole('dialog', { name: 'ssh asks for bastion' })
	await expect.element(question.getByText('The last answer was not accepted.')).toBeVisible()
})

test('a passphrase is remembered only if the user says so, and a password is never offered to be', async () => {
	const question = page.getByRole('dialog', { name: 'ssh asks for bastion' })
	const remember = question.getByRole('checkbox', { name: 'Remember on this machine' })
	ask(ssh('secret', 'Password: '))
	await expect.element(question.getByLabelText('Answer')).toBeVisible()
	await expect.element(remember).not.toBeInTheDocument()
	await question.getByRole('button', { name: 'Refuse' }).click()
	await expect.element(question).not.toBeInTheDocument()
	ask(ssh('secret', "Enter passphrase for key '/home/me/.ssh/id': ", { canRemember: true }))
	await expect.element(remember).not.toBeChecked()
	await remember.click()
	await expect.element(question.getByText('It is stored with the other secrets')).toBeVisible()
	await question.getByLabelText('Answer').fill('open sesame')
	await press('Enter')
	await expect.element(question).not.toBeInTheDocument()
	const answer = { id: 'q2', isApproved: true, text: 'open sesame', remembers: true }
	expect(window.host.callsOf('consent.answer').at(-1)).toEqual(answer)
})

test('an unknown host is confirmed with a button, and refused with another', async () => {
	ask(ssh('confirm', 'ED25519 key fingerprint is SHA256:abc.\nAre you sure?'))
	const question = page.getByRole('dialog', { name: 'Is this bastion?' })
	await expect.element(question.getByRole('button', { name: 'Yes, connect' })).toBeEnabled()
	await question.getByRole('button', { name: 'Yes, connect' }).click()
	await expect.element(question).not.toBeInTheDocument()
	ask(ssh('confirm', 'Are you sure?'))
	await question.getByRole('button', { name: 'Refuse' }).click()
	await expect.element(question).not.toBeInTheDocument()
	const answers = window.host.callsOf('consent.answer')
	expect(answers).toEqual([
		{ id: 'q2', isApproved: true },
		{ id: 'q2', isApproved: false },
	])
})

test('a tunnel that failed says why, and has nothing to agree to', async () => {
	ask(ssh('fault', 'me@bastion: Permission denied (publickey).'))
	const question = page.getByRole('dialog', { name: 'The SSH tunnel to bastion failed' })
	await expect.element(question.getByText('Permission denied (publickey).')).toBeVisible()
	expect(
		question
			.getByRole('button')
			.elements()
			.map(({ textContent }) => textContent),
	).toEqual(['Close'])
	await question.getByRole('button', { name: 'Close' }).click()
	await expect.element(question).not.toBeInTheDocument()
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

const secret = (form: 'agree' | 'fault', text = ''): WindowQuestion => ({
	...{ id: 'q3', askedAt: '2026-01-01T00:00:00.000Z', kind: 'secret', field: 'Password', form, text },
	command: 'op read op://vault/db',
	connection: { id: 'c', name: 'Mine', driverId: 'shop' },
	rowNoun: { one: 'row', many: 'rows' },
})

test('a command that this window did not write is shown whole, and runs after a yes', async () => {
	ask(secret('agree'))
	const question = page.getByRole('dialog', { name: 'Run this command on this machine?' })
	await expect.element(question.getByText('op read op://vault/db')).toBeVisible()
	await question.getByRole('button', { name: 'Run it' }).click()
	await expect.element(question).not.toBeInTheDocument()
	ask(secret('agree'))
	await question.getByRole('button', { name: 'Refuse' }).click()
	await expect.element(question).not.toBeInTheDocument()
	expect(window.host.callsOf('consent.answer')).toEqual([
		{ id: 'q3', isApproved: true },
		{ id: 'q3', isApproved: false },
	])
})

test('a command that failed says why, and has nothing to agree to', async () => {
	ask(secret('fault', 'It ended with the code 3. The vault is sealed.'))
	const question = page.getByRole('dialog', { name: 'The command for Password failed' })
	await expect.element(question.getByText('The vault is sealed.')).toBeVisible()
	await expect.element(question.getByRole('button', { name: 'Run it' })).not.toBeInTheDocument()
	await question.getByRole('button', { name: 'Close' }).click()
	await expect.element(question).not.toBeInTheDocument()
})
