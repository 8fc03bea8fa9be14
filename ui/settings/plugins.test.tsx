import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { DriverOffer } from '../../host/api/api.ts'
import { proves } from '../../tests/contract/proves.ts'
import { fakeManifest, fakeOffer } from '../testing/fake-engine.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'

/** Settings > Plugins: the drivers that registries offer, and those that are installed. */

let window: FakeWindow
let offers: readonly DriverOffer[]

const { installedVersion: _, ...listed } = fakeOffer(fakeManifest())
const available = (changes: Partial<DriverOffer> = {}): DriverOffer => ({
	...listed,
	state: 'available',
	available: {
		version: '1.0.0',
		sha512: 'ab',
		sizeBytes: 1_000,
		publishedAt: '2026-01-01T00:00:00.000Z',
		license: 'MIT',
	},
	...changes,
})

beforeEach(async () => {
	offers = [available()]
	window = await openWindow({ answers: { 'drivers.browse': () => ({ offers, notices: [] }) } })
})

const line = (text: string) =>
	page
		.getByRole('list', { name: /^(Browse|Installed)$/ })
		.getByRole('listitem')
		.filter({ hasText: text })

function offer(...now: readonly DriverOffer[]): void {
	offers = now
	window.host.emit('drivers.changed', null)
}

async function openPlugins(): Promise<void> {
	await page.getByRole('button', { name: 'Settings' }).click()
	await page.getByRole('tab', { name: 'Plugins' }).click()
}

test(
	proves('B.install.browse', 'Settings > Plugins > Browse installs a driver in advance, and removes it again'),
	async () => {
		window.host.answer({
			'drivers.install': () => {
				offer(fakeOffer(fakeManifest()))
				return { version: '1.0.0', mayUse: [] }
			},
			'drivers.remove': () => {
				offer(available())
				return null
			},
		})
		await openPlugins()
		await line('Shop').getByRole('button', { name: 'Install' }).click()
		await expect.element(line('Shop').getByText('Version 1.0.0 is installed')).toBeVisible()
		expect(window.host.callsOf('drivers.install')).toMatchObject([{ id: 'shop', shown: 'ab', acceptsMore: false }])
		await line('Shop').getByRole('button', { name: 'Remove' }).click()
		await expect.element(line('Shop').getByRole('button', { name: 'Install' })).toBeVisible()
		expect(window.host.callsOf('drivers.remove')).toEqual([{ id: 'shop' }])
	},
)

test('a driver id of two registries is two lines with their publishers, and each installs from its own', async () => {
	const second = { registry: 'b'.repeat(64), publisher: 'other' }
	offers = [available({ registryName: 'First shelf' }), available({ registryName: 'Second shelf', source: second })]
	window.host.answer({ 'drivers.install': () => ({ version: '1.0.0', mayUse: [] }) })
	await openPlugins()
	await expect.element(line('First shelf').getByText('from Tests, First shelf.')).toBeVisible()
	await expect.element(line('Second shelf').getByText('from Tests (other), Second shelf.')).toBeVisible()
	await line('Second shelf').getByRole('button', { name: 'Install' }).click()
	await expect.poll(() => window.host.callsOf('drivers.install')).toMatchObject([{ from: second }])
})

test('a driver that cannot be installed shows the reason, and its button is disabled', async () => {
	const reason = 'The machine policy, /etc/policy.json, does not allow the driver shop.'
	offers = [{ ...listed, state: 'available', incompatibility: reason }]
	await openPlugins()
	await expect.element(line('Shop').getByText(reason)).toBeVisible()
	await expect.element(line('Shop').getByRole('button', { name: 'Install' })).toBeDisabled()
})

test('a driver that its registry stopped shows the reason among the installed ones', async () => {
	const revocation = { action: 'stop', reason: 'It sends passwords away.' } as const
	offers = [available({ registryName: 'Other shelf' }), { ...fakeOffer(fakeManifest()), revocation }]
	await openPlugins()
	await page.getByRole('radio', { name: 'Installed' }).click()
	await expect.element(line('Shop').getByText('Stopped by its registry: It sends passwords away.')).toBeVisible()
	await expect.element(line('Other shelf')).not.toBeInTheDocument()
})

test('a driver that is too new for this Roundhouse cannot be chosen for a connection', async () => {
	const reason = '3.0.0 needs Roundhouse 99.0.0 or newer'
	offers = [{ ...listed, state: 'available', incompatibility: reason }]
	await page.getByRole('button', { name: 'New connection' }).first().click()
	const choice = page.getByRole('dialog').getByRole('button', { name: 'Shop' })
	await expect.element(choice.getByText('Incompatible')).toBeVisible()
	await expect.element(choice.getByText(reason)).toBeVisible()
	await expect.element(choice).toBeDisabled()
})
