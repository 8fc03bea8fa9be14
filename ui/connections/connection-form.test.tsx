import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { FakeClipboard } from '../testing/clipboard.ts'
import { fakeManifest } from '../testing/fake-engine.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'
import { press } from '../testing/keys.ts'

/** An address or a command of the engine that is pasted into the form of a connection. */

let window: FakeWindow

const form = () => page.getByRole('dialog')
const field = (label: string) => form().getByLabelText(label, { exact: true })

beforeEach(async () => {
	const plain = fakeManifest().form
	window = await openWindow({
		manifest: {
			pastedAddress: { schemes: ['shop'], curl: false, readByDriver: 'a shop command' },
			form: [
				...plain,
				{ key: 'port', label: 'Port', type: 'number', section: '', required: false },
				{ key: 'user', label: 'User', type: 'text', section: '', required: false },
			],
		},
		answers: {
			'drivers.readAddress': ({ text }) =>
				text.startsWith('shop -h') ? { host: 'db.example', port: 7001, user: 'me', password: 's3cret' } : null,
		},
	})
	await page.getByRole('button', { name: 'New connection' }).first().click()
	await form().getByRole('button', { name: 'Shop' }).click()
	await expect.element(field('Host')).toBeVisible()
})

function paste(text: string): void {
	new FakeClipboard().paste(text)
}

test('the form says what can be pasted', async () => {
	await expect.element(field('Name')).toHaveAttribute('placeholder', 'A name, or paste a URL (shop) or a shop command')
})

test('a command that the driver reads fills the form, and suggests a name', async () => {
	await field('Name').click()
	paste('shop -h db.example -p 7001 -u me password=s3cret')
	await expect.element(field('Host')).toHaveValue('db.example')
	await expect.element(field('Port')).toHaveValue('7001')
	await expect.element(field('User')).toHaveValue('me')
	await expect.element(field('Password')).toHaveValue('s3cret')
	await field('Host').click()
	await expect.element(field('Name')).toHaveValue('db.example')
})

test('a text that the driver does not read stays where it was pasted', async () => {
	await field('Name').click()
	paste('Shop of Ada')
	await expect.element(field('Name')).toHaveValue('Shop of Ada')
	await expect.element(field('Host')).toHaveValue('')
})

test('a driver that cannot read the text reports that, and the text stays', async () => {
	window.host.fail('drivers.readAddress', 'Shop returned an invalid result for the pasted address.')
	await field('Name').click()
	paste('shop --wrong')
	await expect.element(form().getByText('Shop returned an invalid result for the pasted address.')).toBeVisible()
	await expect.element(field('Name')).toHaveValue('shop --wrong')
	await press('Escape')
	await form().getByRole('button', { name: 'Discard' }).click()
	await expect.element(form()).not.toBeInTheDocument()
})
