import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { delegatePublisher } from '../../registry/publisher/delegations.ts'
import { addRelease } from '../../registry/publisher/releases.ts'
import { rotateKeys } from '../../registry/publisher/rotation.ts'
import { flipByte, installedFiles, openDrivers } from '../../tests/support/plugin-loader.ts'
import { everythingIn, temporarySupport } from '../../tests/support/support-directory.ts'
import { TestRegistry, workingDriver } from '../../tests/support/test-registry.ts'

test('a release in a newer format hides no other release, and its notice names the requirement', async () => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.withDriver()
	const packed = await registry.pack(workingDriver, '2.0.0')
	// Written by a registry with a newer driver API than this host: once in the document, once in the list itself.
	await registry.publish({ ...packed, summary: { ...packed.summary, permissions: { network: 'by light' } as never } })
	await registry.publish({ ...packed, id: 'other', document: Buffer.from('{"madeOf":"light"}') })
	await using drivers = await openDrivers(support, registry)
	const { offers, notices } = await drivers.browse()
	expect(offers).toMatchObject([{ manifest: { id: 'tiny' }, available: { version: '1.0.0' } }])
	expect(notices).toEqual([
		'Test registry has tiny 2.0.0, which needs a newer Roundhouse.',
		'Test registry has other 2.0.0, which needs a newer Roundhouse.',
	])
	expect((await drivers.install('tiny')).current.release.version).toBe('1.0.0')
	await expect(drivers.install('other')).rejects.toThrow('2.0.0 needs a newer Roundhouse')
})

describe('a malicious registry', () => {
	/** Returns the path of the package of the only release. */
	async function packageOf(registry: TestRegistry): Promise<string> {
		const names = await everythingIn(registry.folder)
		return names.find(name => name.endsWith('1.0.0.tgz')) ?? ''
	}

	const longAgo = () => new Date(Date.now() - 400 * 24 * 3600 * 1000)

	/** Attacks on a registry with one valid release that the host has seen, each with the expected message. */
	const attacks: readonly (readonly [
		name: string,
		attack: (registry: TestRegistry) => Promise<void>,
		refusal: string,
	])[] = [
		[
			'a package altered by one byte',
			async registry => registry.alter(await packageOf(registry), data => flipByte(data, Math.floor(data.length / 2))),
			'was altered: its digest is not the one the registry signed',
		],
		[
			'a truncated package',
			async registry => registry.alter(await packageOf(registry), data => data.subarray(0, -1)),
			'has another size than in the registry',
		],
		[
			'a package with trailing bytes',
			async registry => registry.alter(await packageOf(registry), data => Buffer.concat([data, Buffer.alloc(1)])),
			'has another size than in the registry',
		],
		[
			'an unsigned timestamp',
			registry => registry.alter('metadata/timestamp.json', data => Buffer.from(`${data}`.replace('"1.', '"1.0.'))),
			'was rejected',
		],
		[
			'a list of releases that differs from the signed list of its version',
			async registry => {
				await registry.add(workingDriver, '1.0.1')
				await registry.alter('metadata/2.acme.json', data => Buffer.from(`${data} `))
			},
			'its newest list is missing',
		],
		[
			'a package whose manifest has more permissions than the user was shown',
			async registry => {
				const packed = await registry.pack(workingDriver, '1.0.0')
				const shown = await registry.pack(workingDriver, '1.0.0', {
					permissions: { network: 'connections', memoryMb: 512 },
				})
				await registry.publish({ ...shown, tarball: packed.tarball })
			},
			'contains something that is not allowed',
		],
	]

	test.each(
		attacks,
	)('%s is refused with its own message, and leaves nothing behind', async (_name, attack, refusal) => {
		await using support = await temporarySupport()
		await using registry = await TestRegistry.withDriver()
		await using drivers = await openDrivers(support, registry)
		// The host sees the valid registry first.
		expect((await drivers.browse()).notices).toEqual([])
		await attack(registry)
		await expect(drivers.install('tiny')).rejects.toThrow(new RegExp(refusal))
		expect(await installedFiles(support)).toEqual([])
	})

	test('a timestamp older than the one seen before is refused', async () => {
		await using support = await temporarySupport()
		await using registry = await TestRegistry.withDriver()
		await using drivers = await openDrivers(support, registry)
		const before = await readFile(join(registry.folder, 'metadata/timestamp.json'))
		await registry.add(workingDriver, '1.0.1')
		await drivers.browse()
		await registry.alter('metadata/timestamp.json', () => before)
		await expect(drivers.install('tiny')).rejects.toThrow('is less than current version')
	})

	test('a registry with another first root is not trusted', async () => {
		await using support = await temporarySupport()
		await using mine = await TestRegistry.withDriver()
		await using other = await TestRegistry.withDriver()
		const source = { url: other.source.url, fingerprint: mine.fingerprint }
		await using drivers = await openDrivers(support, { source })
		await expect(drivers.install('tiny')).rejects.toThrow('does not begin with the root that this host trusts')
	})

	test.each(['timestamp', 'root'])('a registry with an expired %s is not trusted', async role => {
		await using support = await temporarySupport()
		const now = role === 'root' ? longAgo : () => new Date(Date.now() - 2 * 24 * 3600 * 1000)
		await using registry = await TestRegistry.make({ now })
		await using drivers = await openDrivers(support, registry)
		await expect(drivers.install('tiny')).rejects.toThrow('is out of date')
	})

	test('a publisher with an expired list does not block drivers of other publishers', async () => {
		await using support = await temporarySupport()
		await using registry = await TestRegistry.withDriver()
		const late = await registry.newKey('late')
		const packed = await registry.pack(workingDriver, '1.0.0', { id: 'late' })
		const days = { root: 365, targets: 90, publisher: -1, snapshot: 7, timestamp: 1 }
		await registry.edit(mine => delegatePublisher(mine, 'late', late))
		await registry.edit(mine => addRelease(mine, packed, { publisher: 'late' }), { lifetimes: days })
		await using drivers = await openDrivers(support, registry)
		await drivers.install('tiny')
		await expect(drivers.install('late')).rejects.toThrow('Drivers of late in the registry')
		expect((await drivers.browse()).notices.join()).toContain('Drivers of late')
	})

	test('rotated keys are accepted', async () => {
		await using support = await temporarySupport()
		await using registry = await TestRegistry.withDriver()
		await using drivers = await openDrivers(support, registry)
		await drivers.install('tiny')
		for (const role of ['root', 'timestamp', 'snapshot', 'targets', 'acme']) {
			const signers = await registry.newKey(role)
			await registry.edit(mine => rotateKeys(mine, role, signers))
		}
		await registry.add(workingDriver, '1.1.0')
		expect((await drivers.install('tiny')).current.release.version).toBe('1.1.0')
		expect((await drivers.process('tiny')).isAlive).toBe(true)
	})
})
