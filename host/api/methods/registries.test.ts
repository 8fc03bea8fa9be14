import { once } from 'node:events'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { silentLog } from '../../../base/log.ts'
import type { SupportDirectory } from '../../../base/support-directory.ts'
import { temporarySupport } from '../../../tests/support/support-directory.ts'
import { TestRegistry, workingDriver } from '../../../tests/support/test-registry.ts'
import { openServices } from '../../services.ts'
import { registryMethods } from './registries.ts'

const otherFingerprint = 'ab'.repeat(32)

/** A host's services with a default registry, and the methods for its registries. */
async function open(support: SupportDirectory, registry: TestRegistry) {
	const services = await openServices({ support, registry: registry.source, log: silentLog })
	const methods = registryMethods(services.registries, services.drivers, services.connections)
	const call = <M extends keyof typeof methods>(name: M, params: unknown) => {
		const method = methods[name]
		// The methods use only the signal of a call.
		const context = { signal: new AbortController().signal } as Parameters<typeof method.run>[1]
		return method.run(method.params.parse(params) as never, context) as ReturnType<(typeof methods)[M]['run']>
	}
	return { services, call, [Symbol.asyncDispose]: () => services.close() }
}

const kept = async (support: SupportDirectory) =>
	JSON.parse(await readFile(support.file('settings.json'), 'utf8').catch(() => '{}')).registries ?? []

test('a registry can be added and removed while the host runs, and the removal uninstalls its drivers', async () => {
	await using support = await temporarySupport()
	await using first = await TestRegistry.make({ name: 'First' })
	await using second = await TestRegistry.withDriver(workingDriver, '1.0.0', { name: 'Second' })
	await using host = await open(support, first)
	const { drivers, connections } = host.services

	const found = await host.call('registries.look', { url: second.source.url })
	expect(found).toEqual({ url: `${second.source.url}/`, fingerprint: second.fingerprint })
	expect(await kept(support)).toEqual([])
	await host.call('registries.add', found)
	expect(await kept(support)).toEqual([found])
	const manifest = await drivers.ensure('tiny')
	await connections.add({ name: 'Orders', driverId: 'tiny', settings: {} }, manifest)
	const process = await drivers.process('tiny')
	expect(await host.call('registries.list', {})).toMatchObject([
		{ name: 'First', isDefault: true, state: 'current', drivers: 0, installed: [] },
		{
			name: 'Second',
			isDefault: false,
			state: 'current',
			drivers: 1,
			expiresAt: expect.stringMatching(/^20/),
			installed: [{ id: 'tiny', displayName: 'Tiny', connections: ['Orders'] }],
		},
	])

	await host.call('registries.remove', { fingerprint: second.fingerprint })
	expect(await kept(support)).toEqual([])
	expect(process.isAlive).toBe(false)
	await expect(drivers.process('tiny')).rejects.toThrow('you have removed that registry')
	await expect(drivers.install('tiny')).rejects.toThrow('Add that registry again')

	await host.call('registries.add', found)
	expect((await drivers.process('tiny')).isAlive).toBe(true)
})

test('only the registry that the user compared is added, once, and the default registry stays', async () => {
	await using support = await temporarySupport()
	await using first = await TestRegistry.make()
	await using second = await TestRegistry.make()
	await using host = await open(support, first)
	const { url, fingerprint } = second.source
	const add = (params: unknown) => (async () => host.call('registries.add', params))()

	await expect(add({ url, fingerprint: otherFingerprint })).rejects.toThrow(
		`has another fingerprint than you entered: ${fingerprint}`,
	)
	await expect(add({ url, fingerprint: 'abc' })).rejects.toThrow('64 hexadecimal digits')
	await expect(add({ url: 'http://drivers.example/', fingerprint })).rejects.toThrow('A registry is an https: address')
	await expect(add({ url: `${url}/elsewhere`, fingerprint })).rejects.toThrow('is not a plugin registry')
	await expect(add({ url: 'http://127.0.0.1:1/', fingerprint })).rejects.toThrow('cannot be reached')
	await expect(add(first.source)).rejects.toThrow('You have already added the registry')
	await expect(host.call('registries.remove', { fingerprint: first.fingerprint })).rejects.toThrow('cannot be removed')
	await expect(host.call('registries.remove', { fingerprint })).rejects.toThrow('You have not added a registry')
	expect(await kept(support)).toEqual([])

	// In the form in which users copy a fingerprint.
	await add({ url, fingerprint: fingerprint.toUpperCase().replace(/..(?=.)/g, '$&:') })
	await expect(add({ url, fingerprint })).rejects.toThrow('You have already added the registry')
	expect(await kept(support)).toEqual([{ url: `${url}/`, fingerprint }])
})

test('a registry that is not up to date reports the reason', async () => {
	await using support = await temporarySupport()
	await using first = await TestRegistry.make()
	const long = Date.now() - 30 * 24 * 3600 * 1000
	await using old = await TestRegistry.make({ now: () => new Date(long) })
	await using host = await open(support, first)
	await host.call('registries.add', old.source)
	await host.call('registries.list', {})
	await rm(join(first.folder, 'metadata', 'timestamp.json'))
	expect(await host.call('registries.list', {})).toMatchObject([
		{ state: 'saved', reason: expect.stringContaining('cannot be reached'), expiresAt: expect.any(String) },
		{ state: 'expired', reason: expect.stringContaining('out of date'), drivers: 0 },
	])
})

test('a registry on the network is read through the proxy of the settings', async () => {
	await using support = await temporarySupport()
	await using first = await TestRegistry.make()
	const asked: string[] = []
	const proxy = createServer().on('connect', ({ url }, socket) => {
		asked.push(String(url))
		socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
	})
	await once(proxy.listen(0, '127.0.0.1'), 'listening')
	try {
		// A TCP server that listens has a port.
		const address = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
		const network = { proxy: { mode: 'manual', url: `http://${address}` } }
		const registries = [{ url: 'https://trusted.example/', fingerprint: otherFingerprint }]
		await writeFile(support.file('settings.json'), JSON.stringify({ network, registries }))
		await using host = await open(support, first)
		const refused = `The proxy ${address} did not connect to`
		await expect(host.call('registries.look', { url: 'https://new.example/' })).rejects.toThrow(refused)
		expect(await host.call('registries.list', {})).toMatchObject([
			{ state: 'current' },
			{ state: 'unreadable', reason: expect.stringContaining(refused) },
		])
		expect(asked).toEqual(['new.example:443', 'trusted.example:443'])
	} finally {
		await new Promise(resolve => proxy.close(resolve))
	}
})
