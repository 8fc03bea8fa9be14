import { cp, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { temporarySupport } from '../../tests/support/support-directory.ts'
import { TestRegistry, workingDriver } from '../../tests/support/test-registry.ts'
import { rotateKeys } from '../publisher/rotation.ts'
import { MetadataCache } from './metadata-cache.ts'
import { verifiedRole, verifiedTargets } from './verified-roles.ts'

const open = (registry: TestRegistry, folder: string) =>
	new MetadataCache({
		folder,
		metadataUrl: pathToFileURL(`${registry.folder}/metadata/`),
		fingerprint: registry.fingerprint,
	})

test('concurrent refreshes of several caches end in one good state', async () => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.withDriver()
	const folder = support.file('registry')
	const caches = Array.from({ length: 4 }, () => open(registry, folder))
	await Promise.all(caches.map(cache => cache.refresh()))
	expect(await caches[0]?.open('good')).toBeDefined()
	expect((await readdir(folder)).filter(name => name.startsWith('metadata-')).length).toBeLessThanOrEqual(2)
})

test('an interrupted refresh keeps what it verified, and leaves the last complete generation in use', async () => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.withDriver()
	const cache = open(registry, support.file('registry'))
	const read = async (which: 'trusted' | 'good', role: string) =>
		JSON.parse(String(await (await cache.open(which))?.read(role))).signed.version
	await cache.refresh()
	const before = { timestamp: await read('good', 'timestamp'), snapshot: await read('good', 'snapshot') }
	await registry.add(workingDriver, '1.1.0')
	const snapshots = (await readdir(join(registry.folder, 'metadata'))).filter(name => name.endsWith('.snapshot.json'))
	for (const name of snapshots) await rm(join(registry.folder, 'metadata', name))
	await expect(cache.refresh()).rejects.toThrow('it answered 404')
	expect(await read('trusted', 'timestamp')).toBe(before.timestamp + 1)
	expect(await read('good', 'timestamp')).toBe(before.timestamp)
	expect(await read('good', 'snapshot')).toBe(before.snapshot)
})

test('verifies the root chain from the fingerprint each time, whatever is on the disk', async () => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.withDriver()
	await using other = await TestRegistry.withDriver()
	const folder = support.file('registry')
	const cache = open(registry, folder)
	const keys = [await registry.newKey('root'), await registry.newKey('root')]
	const publicKeys = keys.flatMap(({ publicKeys: [key = ''] }) => [key])
	await registry.edit(mine => rotateKeys(mine, 'root', { publicKeys, threshold: 2 }))
	await cache.refresh(async ({ updater }) => void (await updater.getTargetInfo('acme/-/-')))
	const good = await cache.open('good')
	expect(good?.root.metadata.signed.version).toBe(2)
	if (good) await verifiedRole(good, await verifiedTargets(good), 'acme')

	// Another registry, planted in the cache folder of this one.
	const planted = open(other, support.file('other'))
	await planted.refresh()

	await cp(join(support.file('other'), 'roots'), join(folder, 'roots'), { recursive: true, force: true })
	expect(await cache.open('good')).toBeUndefined()
	await cache.refresh()
	expect((await cache.open('good'))?.root.metadata.signed.version).toBe(2)
})

test('a refresh removes temporary files that a killed process left', async () => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.withDriver()
	const folder = support.file('registry')
	const cache = open(registry, folder)
	await cache.refresh()
	await writeFile(join(folder, 'state.json.123'), '{')
	await writeFile(join(folder, 'roots', '2.root.json.456'), '{')
	await cache.refresh()
	const left = await readdir(folder, { recursive: true })
	expect(left.filter(name => /\.\d+$/.test(name))).toEqual([])
})
