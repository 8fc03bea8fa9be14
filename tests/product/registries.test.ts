import { expect, test } from 'vitest'
import { Roundhouse } from '../support/roundhouse.ts'
import { TestRegistry } from '../support/test-registry.ts'

test('registries are trusted and let go of from the command line, by a fingerprint that was compared', async () => {
	await using registry = await TestRegistry.withDriver()
	await using roundhouse = await Roundhouse.make()
	const { url, fingerprint } = registry.source
	const refused = await roundhouse.run(['plugin', 'registries', 'add', url])
	expect(refused.code).toBe(1)
	expect(refused.stderr).toContain(`give it: --fingerprint ${fingerprint}`)
	await roundhouse.json(['plugin', 'registries', 'add', url, '--fingerprint', fingerprint])
	expect(await roundhouse.json(['plugin', 'registries'])).toMatchObject([
		{ isDefault: true, state: 'current' },
		{ isDefault: false, name: 'Test registry', drivers: 1, state: 'current' },
	])
	await roundhouse.json(['plugin', 'install', 'tiny'])
	const asked = await roundhouse.run(['plugin', 'registries', 'remove', url])
	expect(asked.code).toBe(1)
	expect(asked.stderr).toContain('nobody vouches for Tiny (no connections)')
	await roundhouse.json(['plugin', 'registries', 'remove', url, '--yes'])
	expect(await roundhouse.json(['plugin', 'verify']).catch(String)).toContain('was altered')
	expect(await roundhouse.json(['plugin', 'registries', 'list'])).toHaveLength(1)
})

test('nothing is installed from a registry that only the command names', async () => {
	await using registry = await TestRegistry.withDriver()
	await using roundhouse = await Roundhouse.make()
	const { url, fingerprint } = registry.source
	const install = ['plugin', 'install', 'tiny', '--registry', url, '--registry-key', fingerprint]
	const refused = await roundhouse.run(install)
	expect(refused.code).toBe(1)
	expect(refused.stderr).toContain(`roundhouse plugin registries add ${url} --fingerprint ${fingerprint}`)
	expect(await roundhouse.json(['plugin', 'list'])).toEqual([])

	await roundhouse.json(['plugin', 'registries', 'add', url, '--fingerprint', fingerprint])
	await roundhouse.json(install)
	expect(await roundhouse.json(['plugin', 'list'])).toMatchObject([{ id: 'tiny', state: 'installed' }])
})
