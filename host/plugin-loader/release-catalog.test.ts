import { expect, test } from 'vitest'
import { silentLog } from '../../base/log.ts'
import { delegatePublisher } from '../../registry/publisher/delegations.ts'
import { addRelease } from '../../registry/publisher/releases.ts'
import { openDrivers } from '../../tests/support/plugin-loader.ts'
import { temporarySupport } from '../../tests/support/support-directory.ts'
import { TestRegistry, workingDriver } from '../../tests/support/test-registry.ts'
import { Drivers } from './drivers.ts'

test('two registries with the same id are two entries, and an update comes only from the registry of the installed one', async () => {
	await using support = await temporarySupport()
	await using first = await TestRegistry.withDriver(workingDriver, '1.0.0', { name: 'First' })
	await using second = await TestRegistry.withDriver(workingDriver, '3.0.0', { name: 'Second', publisher: 'other' })
	const drivers = await Drivers.open(support, [first.source, second.source], { log: silentLog })
	try {
		const entries = async () =>
			(await drivers.browse()).offers.map(({ registryName, source, installedVersion, available, incompatibility }) => [
				registryName,
				source.publisher,
				installedVersion,
				available?.version,
				incompatibility !== undefined,
			])
		expect(await entries()).toEqual([
			['First', 'acme', undefined, '1.0.0', false],
			['Second', 'other', undefined, '3.0.0', false],
		])
		await drivers.install('tiny', { from: { registry: second.fingerprint, publisher: 'other' } })
		expect(await entries()).toEqual([
			['Second', 'other', '3.0.0', '3.0.0', false],
			['First', 'acme', undefined, undefined, true],
		])
		await first.add(workingDriver, '9.0.0')
		expect((await drivers.install('tiny')).current.release.version).toBe('3.0.0')
	} finally {
		await drivers.stopAll()
	}
})

test('two publishers with the same id are two entries, and an update never changes the publisher', async () => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.withDriver()
	const key = await registry.newKey('zeta')
	const packed = await registry.pack(workingDriver, '7.0.0')
	await registry.edit(async mine => {
		delegatePublisher(mine, 'zeta', key)
		await addRelease(mine, packed, { publisher: 'zeta' })
	})
	await using drivers = await openDrivers(support, registry)
	expect((await drivers.browse()).offers.map(({ source }) => source.publisher)).toEqual(['acme', 'zeta'])
	const acme = { from: { publisher: 'acme' } }
	expect((await drivers.install('tiny', acme)).current.release).toMatchObject({ publisher: 'acme', version: '1.0.0' })
	await drivers.remove('tiny')
	expect((await drivers.install('tiny')).current.release.publisher).toBe('acme')
	const from = { registry: registry.fingerprint, publisher: 'zeta' }
	await expect(drivers.install('tiny', { from })).rejects.toThrow('belong to another registry or publisher')
})
