import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { FakeClipboard } from '../testing/clipboard.ts'
import { fakeManifest } from '../testing/fake-engine.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'
import { press, type } from '../testing/keys.ts'

/** An address or a command of the engine that is pasted into the form of a connection. */

let window: FakeWindow

const form = () => page.getByRole('dialog')
const field = (label: string) => form().getByLabelText(label, { exact: true })

beforeEach(async () => {
	const [host, password] = fakeManifest().form
	if (!host || !password) throw new Error('The manifest has no form.')
	window = await openWindow({
		manifest: {
			takesSsh: true,
			pastedAddress: { schemes: ['shop'], curl: false, readByDriver: 'a shop command' },
			form: [
				{ ...host, addresses: { defaultPort: 4_000, portField: 'port' } },
				{ ...password, takes: 'password', passwordFiles: ['pgpass'] },
				{ key: 'port', label: 'Port', type: 'number', section: '', required: false },
				{ key: 'user', label: 'User', type: 'text', section: '', required: false, takes: 'username' },
			],
		},
		answers: {
			'connections.sshNames': () => ['bastion', 'stage'],
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

test('Escape asks before a filled form is lost, and closes an untouched one at once', async () => {
	const question = page.getByRole('alertdialog', { name: 'Discard what you entered?' })
	await field('Host').fill('db.example')
	await press('Escape')
	await expect.element(question).toBeVisible()
	await press('Enter')
	await expect.element(question).not.toBeInTheDocument()
	await expect.element(field('Host')).toHaveValue('db.example')
	await press('Escape')
	await expect.element(question).toBeVisible()
	await press('Escape')
	await expect.element(question).not.toBeInTheDocument()
	await form().getByRole('button', { name: 'Close' }).click()
	await question.getByRole('button', { name: 'Discard' }).click()
	await expect.element(form()).not.toBeInTheDocument()
	await page.getByRole('button', { name: 'New connection' }).first().click()
	await form().getByRole('button', { name: 'Shop' }).click()
	await expect.element(field('Name')).toBeVisible()
	await press('Escape')
	await expect.element(form()).not.toBeInTheDocument()
})

test('a URL fills the form when it is pasted into the name, with its password masked', async () => {
	await field('Name').click()
	paste('shop://me:s%40cret@db.example:7001')
	await expect.element(field('Host')).toHaveValue('db.example')
	await expect.element(field('Port')).toHaveValue('7001')
	await expect.element(field('User')).toHaveValue('me')
	await expect.element(field('Password')).toHaveValue('s@cret')
	await expect.element(field('Password')).toHaveAttribute('type', 'password')
})

test('a URL that is typed into the field of addresses fills the form when the user leaves the field', async () => {
	await field('Host').fill('shop://me:pass%20word@db.example:7002')
	await field('User').click()
	await expect.element(field('Host')).toHaveValue('db.example')
	await expect.element(field('Password')).toHaveValue('pass word')
	await expect.element(field('Name')).toHaveValue('db.example')
})

test('a suggested name waits until the user leaves the name, and never returns after the user changed it', async () => {
	await field('Host').fill('shop://db.example:7001')
	await field('Name').click()
	await expect.element(field('Host')).toHaveValue('db.example')
	await expect.element(field('Name')).toHaveValue('')
	await press('Tab')
	await expect.element(field('Name')).toHaveValue('db.example')
	await field('Name').fill('')
	await field('Host').fill('shop://other.example:7001')
	// The click reaches its field, although the form changes at the mouse button.
	await field('User').click()
	await type('ada')
	await expect.element(field('User')).toHaveValue('ada')
	await expect.element(field('Host')).toHaveValue('other.example')
	await expect.element(field('Name')).toHaveValue('')
})

test('a connection is led through SSH, and SSH replaces the proxy', async () => {
	await field('Name').fill('Shop')
	await field('Host').fill('localhost')
	await field('Through SSH').click()
	await expect.element(field('Proxy')).not.toBeInTheDocument()
	const offered = form().element().querySelectorAll('datalist[id$="-names"] option')
	await expect.poll(() => [...offered].map(option => option.getAttribute('value'))).toEqual(['bastion', 'stage'])
	await field('SSH server').fill('me@bastion:2222')
	await form().getByRole('textbox', { name: 'Key file' }).fill('/home/me/.ssh/id')
	await field('Jump hosts').fill('first, me@second')
	window.host.answer({ 'connections.test': () => ({ product: 'Shop', version: '1', notices: [] }) })
	await form().getByRole('button', { name: 'Test' }).click()
	await expect.element(form().getByText('Connected to Shop 1.')).toBeVisible()
	const ssh = { destination: 'me@bastion:2222', identityFile: '/home/me/.ssh/id', jump: 'first,me@second' }
	expect(window.host.callsOf('connections.test').at(-1)?.draft).toMatchObject({ ssh, proxy: null })
	await field('Through SSH').click()
	await form().getByRole('button', { name: 'Test' }).click()
	await expect.poll(() => window.host.callsOf('connections.test').at(-1)?.draft?.ssh).toBe(null)
})

test('an address with a server of SSH in front of it, as TablePlus copies it, fills both', async () => {
	await field('Host').fill('shop+ssh://ann:pw@hop:2222/me:s3cret@db.example:7001/x?name=Shop')
	await field('User').click()
	await expect.element(field('SSH server')).toHaveValue('ann@hop:2222')
	await expect.element(field('Host')).toHaveValue('db.example')
	await expect.element(field('User')).toHaveValue('me')
	// The host refuses what is no destination, as it does for a typed one.
	await field('Host').fill('shop+ssh://-oProxyCommand=x@hop/me@db.example/x')
	await field('User').click()
	await expect.element(field('SSH server')).toHaveValue('-oProxyCommand=x@hop')
})

test('a test says each step of ssh as it is done, and why the next one was not', async () => {
	await field('Name').fill('Shop')
	await field('Host').fill('localhost')
	const steps = form().getByRole('list', { name: 'Steps of the test' })
	const done = ['Found bastion', 'Connected to bastion:22', 'Host key of bastion is known']
	const fault = 'SSH to bastion could not sign in: me@bastion: Permission denied (publickey).'
	const ended = Promise.withResolvers<void>()
	window.host.answer({
		'connections.test': async (_, { onProgress }) => {
			for (const [place, message] of done.entries()) onProgress?.({ done: place + 1, message })
			await ended.promise
			throw new Error(fault)
		},
	})
	await form().getByRole('button', { name: 'Test' }).click()
	await expect.poll(() => steps.element().children.length).toBe(3)
	expect([...steps.element().children].map(step => step.textContent)).toEqual(done)
	await expect.element(form().getByText('Connecting …')).toBeVisible()
	ended.resolve()
	await expect.element(form().getByRole('alert')).toHaveTextContent(fault)
	await expect.element(steps.getByText('Host key of bastion is known')).toBeVisible()
	// A changed form has not been tested.
	await field('Host').fill('other')
	await expect.element(steps).not.toBeInTheDocument()
})

test('a secret comes from a command, a variable or a file of the engine, and is not typed', async () => {
	const from = () => form().getByLabelText('Where Password comes from')
	await field('Password').fill('typed before')
	await from().selectOptions('From a command')
	await field('Name').fill('Mine')
	await form().getByRole('button', { name: 'Save and open' }).click()
	await expect.element(form().getByText('Enter the command.')).toBeVisible()
	await field('Password').fill('op read op://vault/db/password')
	await field('Minutes until it runs again').fill('x')
	await form().getByRole('button', { name: 'Test' }).click()
	await form().getByRole('button', { name: 'Save and open' }).click()
	await expect.element(form().getByText('Its output is kept for 0 to 10,080 minutes.')).toBeVisible()
	await field('Minutes until it runs again').fill('15')
	await form().getByRole('button', { name: 'Test' }).click()
	const command = { from: 'command', command: 'op read op://vault/db/password', keptMinutes: 15 }
	const tried = () => window.host.callsOf('connections.test').at(-1)?.draft
	await expect.poll(() => tried()?.secretSources).toEqual({ password: command })
	expect(tried()?.settings).not.toHaveProperty('password')
	await from().selectOptions('From a variable')
	await field('Password').fill('DATABASE_PASSWORD')
	await form().getByRole('button', { name: 'Test' }).click()
	await expect
		.poll(() => tried()?.secretSources)
		.toEqual({ password: { from: 'environment', name: 'DATABASE_PASSWORD' } })
	await from().selectOptions('From ~/.pgpass')
	await form().getByRole('button', { name: 'Test' }).click()
	await expect.poll(() => tried()?.secretSources).toEqual({ password: { from: 'file', format: 'pgpass' } })
	await from().selectOptions('Typed here')
	await expect.element(field('Password')).toHaveValue('typed before')
	await form().getByRole('button', { name: 'Test' }).click()
	await expect.poll(() => tried()).toMatchObject({ secretSources: {}, settings: { password: 'typed before' } })
})

test('the form of a chosen engine begins in its name', async () => {
	await expect.element(field('Name')).toHaveFocus()
})

test('Enter chooses the engine that the search leaves', async () => {
	await form().getByRole('button', { name: 'Back' }).click()
	await form().getByLabelText('Find an engine').fill('sho')
	await press('Enter')
	await expect.element(field('Host')).toBeVisible()
})
