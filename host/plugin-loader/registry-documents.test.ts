import { describe, expect, test } from 'vitest'
import { makeKey } from '../../registry/keys.ts'
import { flipByte, installedFiles, openDrivers } from '../../tests/support/plugin-loader.ts'
import { everythingIn, temporarySupport } from '../../tests/support/support-directory.ts'
import { inDays, TestRegistry } from '../../tests/support/test-registry.ts'

test('a release from tomorrow hides none of the others, and says what it needs', async () => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.withDriver()
	const [release] = registry.releases
	if (!release) throw new Error('no release')
	// As a registry writes it that knows a newer driver API than this host.
	const tomorrow = { ...release, version: '2.0.0', manifest: { ...release.manifest, madeOfLight: true } }
	const other = { ...tomorrow, id: 'other', manifest: { ...tomorrow.manifest, id: 'other' } }
	await registry.writeIndex({ releases: [...registry.releases, tomorrow, other] as typeof registry.releases })
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
	/** Each attack on a registry with one good release, and the word that must name it. */
	const attacks: readonly (readonly [
		name: string,
		attack: (registry: TestRegistry) => Promise<void>,
		refusal: string,
	])[] = [
		[
			'a package altered by one byte',
			registry => registry.alter('tiny-1.0.0.tgz', data => flipByte(data, Math.floor(data.length / 2))),
			'was altered: its digest is not the one the registry signed',
		],
		[
			'a package cut short',
			registry => registry.alter('tiny-1.0.0.tgz', data => data.subarray(0, -1)),
			'has another size than the registry says',
		],
		[
			'a package that goes on',
			registry => registry.alter('tiny-1.0.0.tgz', data => Buffer.concat([data, Buffer.alloc(1)])),
			'has another size than the registry says',
		],
		[
			'an index signed by another key',
			async registry => registry.writeIndex({ version: 11 }, await makeKey()),
			'The index of the registry .* has a wrong signature',
		],
		[
			'an index with an altered signature',
			registry => registry.alter('index.jws', data => flipByte(data, data.length - 10)),
			'has a wrong signature',
		],
		[
			'an index signed by the root key, which only signs roots',
			registry => registry.writeIndex({ version: 11 }, registry.keys.root),
			'has a wrong signature',
		],
		[
			'an expired index',
			registry => registry.writeIndex({ version: 11, expires: inDays(-1) }),
			'The index .* expired on',
		],
		[
			'an index older than the one seen before',
			registry => registry.writeIndex({ version: 9 }),
			'offers an older index \\(9\\)',
		],
		[
			'a root of another owner',
			async registry => registry.writeRoot({}, [await makeKey()]),
			'is not signed by the key this host trusts',
		],
		[
			'an expired root',
			registry => registry.writeRoot({ expires: inDays(-1) }),
			'The key document of the registry .* expired on',
		],
		[
			'a package whose manifest asks for more than the person was shown',
			async registry => {
				const [release] = registry.releases
				if (!release) throw new Error('no release')
				release.manifest = { ...release.manifest, permissions: { network: 'connections', memoryMb: 512 } }
				await registry.writeIndex({ version: 11 })
			},
			'describes itself otherwise than the registry does',
		],
	]

	test.each(attacks)('%s is refused by name, and leaves nothing behind', async (_name, attack, refusal) => {
		await using support = await temporarySupport()
		await using registry = await TestRegistry.withDriver()
		await using drivers = await openDrivers(support, registry)
		// The host has seen the good registry before.
		expect((await drivers.browse()).notices).toEqual([])
		const known = await everythingIn(support.path)
		await attack(registry)
		await expect(drivers.install('tiny')).rejects.toThrow(new RegExp(refusal))
		expect(await installedFiles(support)).toEqual([])
		expect(
			(await everythingIn(support.path)).filter(name => !known.includes(name) && !name.includes('.staging')),
		).toEqual([])
	})

	test('a key document signed by the old and the new key is followed, and the old key alone is not believed again', async () => {
		await using support = await temporarySupport()
		await using registry = await TestRegistry.withDriver()
		await using drivers = await openDrivers(support, registry)
		await drivers.browse()
		const next = await makeKey()
		await registry.writeRoot({ version: 2, rootKeys: [next.publicJwk] }, [registry.keys.root, next])
		await drivers.install('tiny')
		await registry.writeRoot({ version: 3 }, [registry.keys.root])
		expect((await drivers.browse()).notices.join()).toContain('is not signed by the key this host trusts')
	})
})
