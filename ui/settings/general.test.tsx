import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openWindow } from '../testing/fake-window.tsx'

/** The page of the settings that all connections share. */

const sheet = () => page.getByRole('dialog', { name: 'Settings' })

test('a proxy that the host refuses stays in its fields with the reason, until it is saved or undone', async () => {
	const window = await openWindow({})
	await page.getByRole('button', { name: 'Settings' }).click()
	await sheet().getByRole('tab', { name: 'General' }).click()
	await sheet().getByLabelText('Proxy', { exact: true }).selectOptions('This one')
	await sheet().getByLabelText('Proxy address').fill('ftp://proxy')
	window.host.fail('settings.write', 'Proxy address: use http, https or socks5.')
	await sheet().getByRole('button', { name: 'Save', exact: true }).click()
	await expect.element(sheet().getByText('Proxy address: use http, https or socks5.')).toBeVisible()
	await expect.element(sheet().getByLabelText('Proxy address')).toHaveValue('ftp://proxy')
	window.host.answer({ 'settings.write': () => null })
	await sheet().getByLabelText('Proxy address').fill('http://proxy:3128')
	await sheet().getByRole('button', { name: 'Save', exact: true }).click()
	await expect.element(sheet().getByRole('button', { name: 'Save', exact: true })).not.toBeInTheDocument()
	expect(window.host.callsOf('settings.write').at(-1)).toEqual({
		key: 'network.proxy',
		value: { mode: 'manual', url: 'http://proxy:3128', except: '' },
	})
	await sheet().getByLabelText('Proxy', { exact: true }).selectOptions('None')
	await sheet().getByRole('button', { name: 'Undo' }).click()
	await expect.element(sheet().getByLabelText('Proxy', { exact: true })).toHaveValue('machine')
})
