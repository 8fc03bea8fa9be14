import { expect, test } from 'vitest'
import { Roundhouse } from '../support/roundhouse.ts'
import { TestRegistry, workingDriver } from '../support/test-registry.ts'

test('the command line adds a registry by its compared fingerprint, and removes it', async () => {
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
	expect(asked.stderr).toContain('will not be loaded without it: Tiny (no connections)')
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

test('an installation lists the permissions of the driver, and an update lists new ones', async () => {
	await using registry = await TestRegistry.withDriver()
	await using roundhouse = await Roundhouse.make({
		ROUNDHOUSE_REGISTRY: registry.source.url,
		ROUNDHOUSE_REGISTRY_KEY: registry.source.fingerprint,
	})
	const { stdout } = await roundhouse.run(['plugin', 'install', 'tiny'])
	expect(stdout).toBe(
		'Installed tiny 1.0.0.\nIt may use:\n  No network\n  Memory: up to 512 MB\n  Files: its own folder only\n',
	)
	await registry.add(workingDriver, '1.1.0')
	expect((await roundhouse.run(['plugin', 'update'])).stdout).toBe('tiny is now 1.1.0.\n')

	const form = [{ key: 'data', label: 'Data', type: 'folder', access: 'readWrite' }]
	await registry.add(workingDriver, '1.2.0', { permissions: { network: 'connections', memoryMb: 1024 }, form })
	const refused = await roundhouse.run(['plugin', 'update'])
	expect(refused.code).not.toBe(0)
	expect(refused.stderr).toContain('tiny 1.2.0 may do more than the installed 1.1.0: Network: ')
	expect((await roundhouse.run(['plugin', 'update', '--accept'])).stdout.split('\n')).toEqual([
		'tiny is now 1.2.0.',
		'It may do more than 1.1.0:',
		'  Network: the servers of your connections, and addresses that you allow when asked',
		'  Memory: up to 1024 MB',
		'  Files: for a connection it reads and changes the folder you choose as “Data”',
		'',
	])
})
