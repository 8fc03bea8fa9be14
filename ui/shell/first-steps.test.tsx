import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { FirstStep } from '../../host/api/api.ts'
import { fakeBooks } from '../testing/books.ts'
import { fakeManifest, fakeOffer } from '../testing/fake-engine.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'

/** The first screen of a fresh installation, and the line about a newer release. */

let window: FakeWindow

const manifest = fakeManifest({ hasSample: true })
const { icon } = manifest
const { installedVersion: _, source, ...listed } = fakeOffer(manifest)
const sample: FirstStep = { driver: 'shop', source, engine: 'Shop', icon, isSample: true }
const { isSample: __, ...server } = { ...sample, server: 'localhost:1234' }

beforeEach(async () => {
	window = await openWindow({
		tables: [fakeBooks()],
		manifest,
		answers: {
			'drivers.firstSteps': () => [server, sample],
			'drivers.browse': () => ({
				offers: [
					{
						...listed,
						source,
						state: 'available',
						available: {
							version: '1.0.0',
							sha512: 'ab',
							sizeBytes: 1_000,
							publishedAt: '2026-01-01T00:00:00.000Z',
							license: 'MIT',
						},
					},
				],
				notices: [],
			}),
			'drivers.install': () => ({ version: '1.0.0', mayUse: [] }),
			'drivers.sample': () => ({ settings: { host: 'sample.local' }, url: 'http://sample.local' }),
		},
	})
	window.setConnections([])
})

const step = (name: string | RegExp) => page.getByRole('list', { name: 'First steps' }).getByRole('button', { name })

test('an AI client is set up from the first screen', async () => {
	window.host.answer({
		'setup.list': () => ({ clients: [], snippet: '' }),
		'tokens.list': () => [],
		'ai.grants': () => ({ access: [], statements: [] }),
	})
	await step(/^Set up an AI client/).click()
	const settings = page.getByRole('dialog', { name: 'Settings' })
	await expect.element(settings.getByRole('group', { name: 'Set up a client' })).toBeVisible()
})

test('connections of another program are imported from the first screen', async () => {
	await step(/^Import connections/).click()
	const settings = page.getByRole('dialog', { name: 'Settings' })
	await expect.element(settings.getByRole('button', { name: 'Import connections …' })).toBeVisible()
})

test('a server on this machine is offered with its engine and address, and leads to the driver', async () => {
	await step(/^Connect to Shop.*localhost:1234/).click()
	await expect.element(page.getByRole('dialog').getByText('Shop is not installed.')).toBeVisible()
	await page.getByRole('dialog').getByRole('button', { name: 'Download and install' }).click()
	await expect.element(page.getByRole('dialog').getByLabelText('Host', { exact: true })).toBeVisible()
	expect(window.host.callsOf('drivers.sample')).toEqual([])
})

test('the sample leads from the first screen to rows', async () => {
	await step(/^Use the \w+ sample/).click()
	await page.getByRole('dialog').getByRole('button', { name: 'Download and install' }).click()
	await expect.element(page.getByRole('dialog').getByText('This connection uses the sample')).toBeVisible()
	await page.getByRole('dialog').getByRole('button', { name: 'Save and open' }).click()
	await window.openListedTable('books')
	expect(window.host.callsOf('connections.add')).toMatchObject([{ isSample: true, driverId: 'shop' }])
})

test('a sample that still starts is waited for, and its connection is saved by one click', async () => {
	const release = window.host.hold('drivers.sample')
	await step(/^Use the \w+ sample/).click()
	const dialog = page.getByRole('dialog')
	await dialog.getByRole('button', { name: 'Download and install' }).click()
	await expect.element(dialog.getByText('Starting the sample …')).toBeVisible()
	await expect.element(dialog.getByRole('button', { name: 'Save and open' })).toBeDisabled()
	release()
	await dialog.getByRole('button', { name: 'Save and open' }).click()
	await window.openListedTable('books')
})

test('a newer release is named until it is dismissed, also in the next window', async () => {
	const update = { version: '9.1.0', how: 'Run: npm install --global roundhouse-db@9.1.0' }
	window.host.answer({ 'app.update': () => update })
	await window.open()
	const notice = page.getByRole('status').filter({ hasText: 'Roundhouse 9.1.0 is available.' })
	await expect.element(notice).toBeVisible()
	await notice.getByRole('button', { name: 'Dismiss' }).click()
	await expect.element(notice).not.toBeInTheDocument()
	await expect.poll(() => window.preferences).toMatchObject({ 'update/dismissed': '9.1.0' })
	await window.open()
	await expect.element(step('Set up an AI client')).toBeVisible()
	await expect.element(notice).not.toBeInTheDocument()
	window.host.answer({ 'app.update': () => ({ ...update, version: '9.2.0' }) })
	window.host.emit('drivers.changed', null)
	await expect.element(page.getByText('Roundhouse 9.2.0 is available.')).toBeVisible()
})
