import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openDrivers } from '../../tests/support/plugin-loader.ts'
import { temporarySupport } from '../../tests/support/support-directory.ts'
import { TestRegistry, workingDriver } from '../../tests/support/test-registry.ts'
import { parseLock } from './lock-file.ts'
import { syncDrivers } from './sync.ts'

test('another machine comes to the same drivers by the lock file, and no newer ones', async () => {
	await using registry = await TestRegistry.withDriver()
	await using here = await temporarySupport()
	await using there = await temporarySupport()
	await using drivers = await openDrivers(here, registry)
	await drivers.install('tiny')
	const lock = parseLock(JSON.parse(await readFile(here.file('drivers.lock.json'), 'utf8')))
	expect(lock).toEqual(drivers.lock())
	expect(lock.drivers.tiny).toMatchObject({ registry: registry.fingerprint, publisher: 'acme', version: '1.0.0' })

	await registry.add(workingDriver, '2.0.0')
	await using others = await openDrivers(there, registry)
	expect(await syncDrivers(others, lock, {})).toEqual([{ id: 'tiny', version: '1.0.0', outcome: 'installed' }])
	expect(await syncDrivers(others, lock, {})).toEqual([{ id: 'tiny', version: '1.0.0', outcome: 'kept' }])
	expect(others.lock()).toEqual(lock)
	await others.remove('tiny')
	expect(JSON.parse(await readFile(there.file('drivers.lock.json'), 'utf8')).drivers).toEqual({})
})

test('a release that is another package than the lock file says is not installed', async () => {
	await using registry = await TestRegistry.withDriver()
	await using here = await temporarySupport()
	await using there = await temporarySupport()
	await using drivers = await openDrivers(here, registry)
	await drivers.install('tiny')
	const lock = drivers.lock()
	await registry.add(`globalThis.isAnother = true\n${workingDriver}`, '1.0.0')
	await using others = await openDrivers(there, registry)
	expect(await syncDrivers(others, lock, {})).toMatchObject([
		{ outcome: 'failed', reason: expect.stringContaining('is another package than the lock file says') },
	])
	expect(others.installed()).toEqual([])
	expect(() => parseLock({ version: 1, drivers: { tiny: {} } })).toThrow('no lock file of drivers')
})
