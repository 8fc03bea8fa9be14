import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openDrivers } from '../../tests/support/plugin-loader.ts'
import { temporarySupport } from '../../tests/support/support-directory.ts'
import { TestRegistry, workingDriver } from '../../tests/support/test-registry.ts'
import { parseLock } from './lock-file.ts'
import { syncDrivers } from './sync.ts'

test('the lock file reproduces the same releases on another machine, not newer ones', async () => {
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

test('a release whose package differs from the lock file is not installed', async () => {
	await using registry = await TestRegistry.withDriver()
	await using here = await temporarySupport()
	await using there = await temporarySupport()
	await using drivers = await openDrivers(here, registry)
	await drivers.install('tiny')
	const lock = drivers.lock()
	await registry.add(`globalThis.isAnother = true\n${workingDriver}`, '1.0.0')
	await using others = await openDrivers(there, registry)
	expect(await syncDrivers(others, lock, {})).toMatchObject([
		{ outcome: 'failed', reason: expect.stringContaining('differs from the package in the lock file') },
	])
	expect(others.installed()).toEqual([])
	expect(() => parseLock({ version: 1, drivers: { tiny: {} } })).toThrow('not a lock file of drivers')
})

test('an older release of a lock file is installed only if the user accepts it', async () => {
	await using registry = await TestRegistry.withDriver()
	await using here = await temporarySupport()
	await using drivers = await openDrivers(here, registry)
	await drivers.install('tiny')
	const lock = drivers.lock()
	await registry.add(workingDriver, '2.0.0')
	await drivers.install('tiny')
	expect(await syncDrivers(drivers, lock, {})).toMatchObject([
		{ outcome: 'failed', reason: expect.stringContaining('To install the older one') },
	])
	expect(drivers.lock().drivers.tiny?.version).toBe('2.0.0')
	expect(await syncDrivers(drivers, lock, { acceptsOlder: true })).toMatchObject([{ outcome: 'installed' }])
})
