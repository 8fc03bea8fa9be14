import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { delegatePublisher } from '../../registry/delegations.ts'
import { addRelease } from '../../registry/releases.ts'
import { rotateKeys } from '../../registry/rotation.ts'
import { flipByte, installedFiles, openDrivers } from '../../tests/support/plugin-loader.ts'
import { everythingIn, temporarySupport } from '../../tests/support/support-directory.ts'
import { TestRegistry, workingDriver } from '../../tests/support/test-registry.ts'

test('a release from tomorrow hides none of the others, and says what it needs', async () => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.withDriver()
	const packed = await registry.pack(workingDriver, '2.0.0')
	// As a registry writes it that knows a newer driver API than this host: in the document, and in the list itself.
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

describe('a registry that lies', () => {
	/** The file of the one release's package. */
	async function packageOf(registry: TestRegistry): Promise<string> {
		const names = await everythingIn(registry.folder)
		return names.find(name => name.endsWith('1.0.0.tgz')) ?? ''
	}

	const longAgo = () => new Date(Date.now() - 400 * 24 * 3600 * 1000)

	/** Each attack on a registry with one good release that the host has seen, and the word that must name it. */
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
			'a package cut short',
			async registry => registry.alter(await packageOf(registry), data => data.subarray(0, -1)),
			'has another size than the registry says',
		],
		[
			'a package that goes on',
			async registry => registry.alter(await packageOf(registry), data => Buffer.concat([data, Buffer.alloc(1)])),
			'has another size than the registry says',
		],
		[
			'a timestamp that nobody signed',
			registry => registry.alter('metadata/timestamp.json', data => Buffer.from(`${data}`.replace('"1.', '"1.0.'))),
			'publishes was refused',
		],
		[
			'a list of releases that is another than the one of its version',
			async registry => {
				await registry.add(workingDriver, '1.0.1')
				await registry.alter('metadata/2.acme.json', data => Buffer.from(`${data} `))
			},
			'its newest list did not arrive',
		],
		[
			'a package whose manifest asks for more than the person was shown',
			async registry => {
				const packed = await registry.pack(workingDriver, '1.0.0')
				const shown = await registry.pack(workingDriver, '1.0.0', {
					permissions: { network: 'connections', memoryMb: 512 },
				})
				await registry.publish({ ...shown, tarball: packed.tarball })
			},
			'holds something it must not',
		],
	]

	test.each(attacks)('%s is refused by name, and leaves nothing behind', async (_name, attack, refusal) => {
		await using support = await temporarySupport()
		await using registry = await TestRegistry.withDriver()
		await using drivers = await openDrivers(support, registry)
		// The host has seen the good registry before.
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

	test('a registry of another owner is not believed', async () => {
		await using support = await temporarySupport()
		await using mine = await TestRegistry.withDriver()
		await using other = await TestRegistry.withDriver()
		const source = { url: other.source.url, fingerprint: mine.fingerprint }
		await using drivers = await openDrivers(support, { source })
		await expect(drivers.install('tiny')).rejects.toThrow('does not begin with the root this host trusts')
	})

	test.each(['timestamp', 'root'])('one whose %s ended is not believed', async role => {
		await using support = await temporarySupport()
		const now = role === 'root' ? longAgo : () => new Date(Date.now() - 2 * 24 * 3600 * 1000)
		await using registry = await TestRegistry.make({ now })
		await using drivers = await openDrivers(support, registry)
		await expect(drivers.install('tiny')).rejects.toThrow('is out of date')
	})

	test('a publisher whose list ended keeps nobody else from being installed', async () => {
		await using support = await temporarySupport()
		await using registry = await TestRegistry.withDriver()
		const late = await registry.newKey('late')
		const packed = await registry.pack(workingDriver, '1.0.0', { id: 'late' })
		const days = { root: 365, targets: 90, publisher: -1, snapshot: 7, timestamp: 1 }
		await registry.edit(mine => delegatePublisher(mine, 'late', late))
		await registry.edit(mine => addRelease(mine, 'late', packed), { lifetimes: days })
		await using drivers = await openDrivers(support, registry)
		await drivers.install('tiny')
		await expect(drivers.install('late')).rejects.toThrow('has no driver late')
		expect((await drivers.browse()).notices.join()).toContain('Nothing is installed from late')
	})

	test('rotated keys are followed, and the old ones alone are not believed again', async () => {
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
