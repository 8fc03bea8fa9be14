import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, openPage } from '../../support/browser.ts'
import { Roundhouse } from '../../support/roundhouse.ts'
import { TestRegistry, workingDriver } from '../../support/test-registry.ts'

let browser: Browser
beforeAll(async () => {
	browser = await openBrowser()
})
afterAll(() => browser?.close())

test('a driver id that two registries offer is shown as two items with their publishers; a stopped release shows the reason', async () => {
	await using first = await TestRegistry.withDriver(workingDriver, '1.0.0', { name: 'First shelf' })
	await using second = await TestRegistry.withDriver(workingDriver, '2.0.0', {
		name: 'Second shelf',
		publisher: 'other',
	})
	await using roundhouse = await Roundhouse.make()
	await writeFile(join(roundhouse.home, 'settings.json'), JSON.stringify({ registries: [second.source] }))
	await roundhouse.serve(['--registry', first.source.url, '--registry-key', first.fingerprint])
	const page = await openPage(browser, roundhouse, [])
	await page.getByRole('button', { name: 'Settings' }).click()
	await page.getByRole('tab', { name: 'Plugins' }).click()
	const line = (shelf: string) => page.getByRole('listitem').filter({ hasText: shelf })
	await line('First shelf').getByText('Tests (acme)').waitFor()
	await line('Second shelf').getByText('Tests (other)').waitFor()
	await line('Second shelf').getByRole('button', { name: 'Install' }).click()
	await line('Second shelf').getByText('2.0.0 installed').waitFor()
	await line('First shelf').getByText('belong to another registry or publisher').waitFor()
	expect(await line('First shelf').getByRole('button', { name: 'Install' }).isDisabled()).toBe(true)

	await second.revoke('2.0.0', 'stop', 'It sends passwords away.')
	await page.getByRole('radio', { name: 'Installed' }).check()
	expect((await roundhouse.run(['doctor'])).stdout).toContain('It sends passwords away.')
	await line('Second shelf').getByText('Stopped by its registry: It sends passwords away.').waitFor()
})

test('a driver that is too new for this Roundhouse is offered with the reason, and cannot be chosen', async () => {
	await using registry = await TestRegistry.make()
	const packed = await registry.pack(workingDriver, '3.0.0')
	await registry.publish({ ...packed, summary: { ...packed.summary, minHostVersion: '99.0.0' } })
	await using roundhouse = await Roundhouse.make()
	await roundhouse.serve(['--registry', registry.source.url, '--registry-key', registry.fingerprint])
	const page = await openPage(browser, roundhouse, [])
	await page.getByRole('main').getByRole('button', { name: 'New connection' }).click()
	const choice = page.getByRole('dialog').getByRole('button', { name: 'Tiny' })
	await choice.getByText('Incompatible').waitFor()
	await choice.getByText('3.0.0 needs Roundhouse 99.0.0 or newer').waitFor()
	expect(await choice.isDisabled()).toBe(true)
})
