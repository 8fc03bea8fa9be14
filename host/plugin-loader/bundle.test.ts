import { rm, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { silentLog } from '../../base/log.ts'
import type { SupportDirectory } from '../../base/support-directory.ts'
import { bundleDrivers } from '../../registry/publisher/bundle.ts'
import { delegatePublisher } from '../../registry/publisher/delegations.ts'
import { addRelease } from '../../registry/publisher/releases.ts'
import { Source } from '../../registry/publisher/source.ts'
import { zipOf } from '../../tests/support/bundle.ts'
import { forge, keysOf, publishForged } from '../../tests/support/forgery.ts'
import { openDrivers } from '../../tests/support/plugin-loader.ts'
import { everythingIn, temporarySupport } from '../../tests/support/support-directory.ts'
import { TestRegistry, workingDriver } from '../../tests/support/test-registry.ts'
import { openServices } from '../services.ts'

const hourMs = 3600 * 1000
const ago = (hours: number) => ({ now: () => new Date(Date.now() - hours * hourMs) })

async function bundleOf(registry: TestRegistry, support: SupportDirectory, ...drivers: string[]): Promise<string> {
	const { zip } = await bundleDrivers(new Source(registry.folder), drivers.length > 0 ? drivers : ['tiny'])
	const file = support.file('carried.zip')
	await writeFile(file, zip)
	return file
}

async function installFrom(
	drivers: Awaited<ReturnType<typeof openDrivers>>,
	file: string,
	options: Parameters<typeof drivers.installFrom>[1] = {},
): Promise<readonly string[]> {
	await using bundle = await drivers.openBundle(file)
	const installed = await drivers.installFrom(bundle, options)
	return installed.map(({ current: { release } }) => `${release.id} ${release.version}`)
}

test('a driver is installed from a bundle without a network, and loads', async () => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.withDriver()
	const file = await bundleOf(registry, support)
	await rm(registry.folder, { recursive: true })
	{
		await using drivers = await openDrivers(support, registry)
		expect(await installFrom(drivers, file)).toEqual(['tiny 1.0.0'])
		expect((await drivers.process('tiny')).isAlive).toBe(true)
	}
	await using drivers = await openDrivers(support, registry)
	expect((await drivers.process('tiny')).isAlive).toBe(true)
	expect((await everythingIn(support.file('plugins'))).filter(name => name.includes('bundle'))).toEqual([])
})

test('a registry that is known only from a bundle is trusted by the fingerprint that the user enters', async () => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.withDriver()
	const file = await bundleOf(registry, support)
	const services = await openServices({ support, registry: undefined, log: silentLog })
	try {
		const { drivers, registries } = services
		await using bundle = await drivers.openBundle(file)
		await expect(drivers.installFrom(bundle)).rejects.toThrow(`then add: --fingerprint ${registry.fingerprint}`)
		await expect(registries.addBundled(bundle, 'ab'.repeat(32))).rejects.toThrow('another fingerprint than you entered')
		await registries.addBundled(bundle, registry.fingerprint)
		await drivers.installFrom(bundle)
		expect((await drivers.process('tiny')).isAlive).toBe(true)
		expect(await registries.list()).toMatchObject([
			{ name: 'Test registry', state: 'saved', reason: expect.stringContaining('It was added from a file') },
		])
		expect((await drivers.browse()).notices).toEqual([])
		// Adding the registry by its address replaces the address of the file.
		await registries.add(registry.source.url, registry.fingerprint)
		expect(await registries.list()).toMatchObject([{ state: 'current', url: `${registry.source.url}/` }])
	} finally {
		await services.close()
	}
})

test('a bundle cannot roll back metadata that the host has already seen', async () => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.withDriver()
	const file = await bundleOf(registry, support)
	await registry.revoke('1.0.0', 'stop')
	await using drivers = await openDrivers(support, registry)
	await drivers.browse()
	await expect(installFrom(drivers, file)).rejects.toThrow(/timestamp version \d+ is less than current version/)
	expect(drivers.installed()).toEqual([])
})

test('a bundle with an expired timestamp is accepted if the user accepts its age', async () => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.make(ago(72))
	await registry.publish(await registry.pack(workingDriver, '1.0.0'), ago(48))
	const file = support.file('old.zip')
	await writeFile(file, await zipOf(registry.folder))
	await using drivers = await openDrivers(support, registry)
	await expect(installFrom(drivers, file)).rejects.toThrow(/is out of date since .*--accept-expired/)
	expect(await installFrom(drivers, file, { acceptsExpired: true })).toEqual(['tiny 1.0.0'])
	expect((await drivers.process('tiny')).isAlive).toBe(true)
})

test('a bundle with an expired root or targets is refused even if the user accepts its age', async () => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.make(ago(200 * 24))
	await registry.publish(await registry.pack(workingDriver, '1.0.0'), ago(199 * 24))
	const file = support.file('ancient.zip')
	await writeFile(file, await zipOf(registry.folder))
	await using drivers = await openDrivers(support, registry)
	await expect(installFrom(drivers, file, { acceptsExpired: true })).rejects.toThrow('out of date')
})

test('a bundle with an expired list of revocations is refused even if the user accepts its age', async () => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.make(ago(72))
	await registry.publish(await registry.pack(workingDriver, '1.0.0'), ago(48))
	const expires = new Date(Date.now() - hourMs).toISOString()
	const revocations = await forge(registry, 'revocations', await keysOf(registry, 'revocations'), signed =>
		Object.assign(signed, { expires, version: signed.version + 1 }),
	)
	await publishForged(registry, { revocations })
	const file = support.file('old.zip')
	await writeFile(file, await zipOf(registry.folder))
	await using drivers = await openDrivers(support, registry)
	await expect(installFrom(drivers, file, { acceptsExpired: true })).rejects.toThrow(
		'its list of revocations expired on',
	)
})

test('the newest release of a bundle is installed, or the named one, and no older one without a range', async () => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.withDriver()
	await registry.add(workingDriver, '2.0.0')
	const old = await bundleOf(registry, support, 'tiny@1.0.0')
	await using drivers = await openDrivers(support, registry)
	await expect(installFrom(drivers, old, { id: 'other' })).rejects.toThrow('has no release of other')
	await expect(installFrom(drivers, old, { id: 'tiny', range: '^2' })).rejects.toThrow('has no release of tiny')
	await drivers.install('tiny')
	await expect(installFrom(drivers, old)).rejects.toThrow('the newest release that fits is older')
	expect(await installFrom(drivers, old, { id: 'tiny', range: '1.0.0' })).toEqual(['tiny 1.0.0'])
})

test('a bundle with one id of two publishers installs the one that the user names', async () => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.withDriver()
	const key = await registry.newKey('zeta')
	const packed = await registry.pack(workingDriver, '7.0.0')
	await registry.edit(async mine => {
		delegatePublisher(mine, 'zeta', key)
		await addRelease(mine, packed, { publisher: 'zeta' })
	})
	const file = support.file('both.zip')
	await writeFile(file, await zipOf(registry.folder))
	await using drivers = await openDrivers(support, registry)
	await expect(installFrom(drivers, file, { id: 'tiny' })).rejects.toThrow('tiny of several publishers: acme, zeta')
	expect(drivers.installed()).toEqual([])
	expect(await installFrom(drivers, file, { id: 'tiny', publisher: 'zeta' })).toEqual(['tiny 7.0.0'])
})

test('an altered package in a bundle is refused', async () => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.withDriver()
	const [name = ''] = (await everythingIn(registry.folder)).filter(path => path.endsWith('.tgz'))
	await registry.alter(name, data => Buffer.from(data.map((byte, index) => (index === 40 ? byte ^ 1 : byte))))
	const file = support.file('altered.zip')
	await writeFile(file, await zipOf(registry.folder))
	await using drivers = await openDrivers(support, registry)
	await expect(installFrom(drivers, file)).rejects.toThrow('was altered')
	expect(drivers.installed()).toEqual([])
})
