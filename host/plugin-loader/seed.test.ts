import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import type { Seed } from '../../registry/client/seed.ts'
import { sha512Of } from '../../registry/format/digests.ts'
import { releaseTargets } from '../../registry/format/format.ts'
import { openDrivers } from '../../tests/support/plugin-loader.ts'
import { temporarySupport } from '../../tests/support/support-directory.ts'
import { TestRegistry, workingDriver } from '../../tests/support/test-registry.ts'

/** Tests of bundled drivers: the first installation works offline, and later the registry decides. */

const day = 24 * 3600 * 1000
const unreachable = 'http://127.0.0.1:1/'

async function seedOf(registry: TestRegistry, { ageDays = 0, version = '1.0.0' } = {}): Promise<Seed> {
	const root = await mkdtemp(join(tmpdir(), 'roundhouse-seed-'))
	onTestFinished(() => rm(root, { recursive: true, force: true }))
	const { tarball, document, summary } = await registry.pack(workingDriver, version)
	const paths = releaseTargets('acme', 'tiny', version)
	const targets: Record<string, Seed['targets'][string]> = {}
	for (const [path, bytes] of [[paths.package, tarball] as const, [paths.document, document] as const]) {
		await mkdir(join(root, dirname(path)), { recursive: true })
		await writeFile(join(root, path), bytes)
		const custom = path === paths.package ? { custom: { ...summary, permissions: { ...summary.permissions } } } : {}
		targets[path] = { length: bytes.length, hashes: { sha512: sha512Of(bytes) }, ...custom }
	}
	const releasedAt = new Date(Date.now() - ageDays * day).toISOString()
	return { name: 'Seeded', folder: pathToFileURL(root).href, releasedAt, targets }
}

test.each([0, 100, 400])('a first installation works without a network, %d days after the release', async ageDays => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.make()
	const seed = await seedOf(registry, { ageDays })
	await using drivers = await openDrivers(support, { source: { ...registry.source, url: unreachable, seed } })
	const { offers, notices } = await drivers.browse()
	expect(offers).toMatchObject([{ registryName: 'Seeded', state: 'available', available: { version: '1.0.0' } }])
	expect(notices.join()).toContain('Only the drivers that came with Roundhouse are listed')
	expect(notices.join()).toContain('cannot be reached')
	expect(notices.join().includes('may be out of date')).toBe(ageDays > 90)
	await drivers.install('tiny')
	expect((await drivers.process('tiny')).isAlive).toBe(true)
})

test('after the host has read the registry once, the registry decides which drivers may run', async () => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.make()
	const seed = await seedOf(registry)
	{
		await using offline = await openDrivers(support, { source: { ...registry.source, url: unreachable, seed } })
		await offline.install('tiny')
	}
	await using online = await openDrivers(support, { source: { ...registry.source, seed } })
	const { offers, notices } = await online.browse()
	expect(notices).toEqual([])
	expect(offers).toMatchObject([{ state: 'installed' }])
	await expect(online.process('tiny')).rejects.toThrow('does not list tiny 1.0.0 any more')
	await online.remove('tiny')
	await expect(online.install('tiny')).rejects.toThrow('The registry has no driver tiny.')
	await using again = await openDrivers(support, { source: { ...registry.source, url: unreachable, seed } })
	await expect(again.install('tiny')).rejects.toThrow('cannot be reached')
})

test('a bundled driver runs while the registry lists the same package, and stops when the registry revokes it', async () => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.withDriver()
	const seed = await seedOf(registry)
	{
		await using offline = await openDrivers(support, { source: { ...registry.source, url: unreachable, seed } })
		await offline.install('tiny')
	}
	await using online = await openDrivers(support, { source: { ...registry.source, seed } })
	await online.browse()
	expect((await online.process('tiny')).isAlive).toBe(true)
	await registry.revoke('1.0.0', 'stop')
	await online.browse()
	await expect(online.process('tiny')).rejects.toThrow('was stopped by its registry')
})

test('a notice names a registry whose metadata has expired, and bundled drivers still work', async () => {
	await using support = await temporarySupport()
	const longAgo = () => new Date(Date.now() - 400 * day)
	await using registry = await TestRegistry.make({ now: longAgo })
	const seed = await seedOf(registry, { ageDays: 400 })
	await using drivers = await openDrivers(support, { source: { ...registry.source, seed } })
	const { notices } = await drivers.browse()
	expect(notices.join()).toMatch(/expired/)
	await drivers.install('tiny')
	expect((await drivers.process('tiny')).isAlive).toBe(true)
})

test('after a host update, the driver from the old host still starts, and the driver from the new host is offered as an update', async () => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.make()
	const source = { ...registry.source, url: unreachable }
	const [older, newer] = [await seedOf(registry), await seedOf(registry, { version: '1.1.0' })]
	{
		await using drivers = await openDrivers(support, { source: { ...source, seed: older } })
		await drivers.install('tiny')
	}
	{
		await using drivers = await openDrivers(support, { source: { ...source, seed: newer } })
		expect((await drivers.process('tiny')).isAlive).toBe(true)
		const { offers } = await drivers.browse()
		expect(offers).toMatchObject([{ installedVersion: '1.0.0', available: { version: '1.1.0' }, isUpdate: true }])
		await drivers.install('tiny')
	}
	await using drivers = await openDrivers(support, { source: { ...source, seed: older } })
	expect((await drivers.process('tiny')).isAlive).toBe(true)
	expect(drivers.lock().drivers.tiny).toMatchObject({ version: '1.1.0' })
})

test('a package that was changed after the release is not installed', async () => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.make()
	const seed = await seedOf(registry)
	const file = new URL(`${seed.folder}/acme/tiny/1.0.0.tgz`)
	await writeFile(file, Buffer.alloc(seed.targets['acme/tiny/1.0.0.tgz']?.length ?? 0))
	await using drivers = await openDrivers(support, { source: { ...registry.source, url: unreachable, seed } })
	await expect(drivers.install('tiny')).rejects.toThrow('was altered')
	expect(await readdir(support.file('plugins/.staging'))).toEqual([])
})

test('files that were changed on disk after the installation are found', async () => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.make()
	const seed = await seedOf(registry)
	await using drivers = await openDrivers(support, { source: { ...registry.source, url: unreachable, seed } })
	const { current } = await drivers.install('tiny')
	await writeFile(join(support.file('plugins'), 'tiny', current.folder, 'driver.js'), '')
	await expect(drivers.process('tiny')).rejects.toThrow('was altered on disk')
})
