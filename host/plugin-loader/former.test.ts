import { mkdir, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { openDrivers } from '../../tests/support/plugin-loader.ts'
import { temporarySupport } from '../../tests/support/support-directory.ts'
import { TestRegistry } from '../../tests/support/test-registry.ts'
import { silentLog } from '../base/log.ts'
import type { SupportDirectory } from '../base/support-directory.ts'
import { Drivers } from './drivers.ts'

/** What was installed when registries had documents of another kind, pinned by the thumbprint of a key. */
const thumbprint = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k'

async function installFormerly(support: SupportDirectory, isEnabled = true): Promise<void> {
	await mkdir(support.file('plugins/tiny/1.0.0-0123456789ab-00000000'), { recursive: true })
	await writeFile(support.file('plugins/tiny/1.0.0-0123456789ab-00000000/driver.js'), 'export default {}')
	const release = { id: 'tiny', version: '1.0.0', manifest: {}, files: {} }
	const current = { release, folder: '1.0.0-0123456789ab-00000000', registry: thumbprint, rootJws: '', indexJws: '' }
	await writeFile(support.file('plugins/tiny/current.json'), JSON.stringify({ version: 1, current, isEnabled }))
	const bindings = { version: 1, registries: { tiny: thumbprint } }
	await writeFile(support.file('registry-bindings.json'), JSON.stringify(bindings))
}

describe('a driver that was installed from the default registry before it had The Update Framework', () => {
	test('comes back by itself, and is there for a connection that needs it at once', async () => {
		await using support = await temporarySupport()
		await using registry = await TestRegistry.withDriver()
		await installFormerly(support)
		await using drivers = await openDrivers(support, registry)
		expect((await drivers.ensure('tiny')).id).toBe('tiny')
		expect((await drivers.process('tiny')).isAlive).toBe(true)
		await expect.poll(() => drivers.installed().map(({ id }) => id)).toEqual(['tiny'])
	})

	test('is off still where it was switched off', async () => {
		await using support = await temporarySupport()
		await using registry = await TestRegistry.withDriver()
		await installFormerly(support, false)
		await using drivers = await openDrivers(support, registry)
		await drivers.ensure('tiny')
		await expect(drivers.process('tiny')).rejects.toThrow('is switched off')
	})

	test("is not taken from the default registry where another one of the person's had it", async () => {
		await using support = await temporarySupport()
		await using registry = await TestRegistry.withDriver()
		await installFormerly(support)
		const other = { url: 'http://127.0.0.1:9/', fingerprint: thumbprint }
		const drivers = await Drivers.open(support, [registry.source, other], silentLog)
		await expect(drivers.ensure('tiny')).rejects.toThrow('pinned by a fingerprint of the kind before')
		expect((await drivers.browse()).notices.join()).toContain('pinned by a fingerprint of the kind before')
		await drivers.stopAll()
	})
})
