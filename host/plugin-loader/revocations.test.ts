import { rename } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { silentLog } from '../../base/log.ts'
import { yankRelease } from '../../registry/publisher/releases.ts'
import { openDrivers } from '../../tests/support/plugin-loader.ts'
import { isRunning } from '../../tests/support/process.ts'
import { temporarySupport } from '../../tests/support/support-directory.ts'
import { TestRegistry, workingDriver } from '../../tests/support/test-registry.ts'
import { DriverProcess } from '../driver-runtime/driver-process.ts'
import type { Drivers } from './drivers.ts'

test('a driver that its registry stopped ends with a reason, and does not start again, online or offline', async () => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.withDriver()
	{
		await using drivers = await openDrivers(support, registry)
		await drivers.ensure('tiny')
		const { pid } = await drivers.process('tiny')
		await registry.revoke('1.0.0', 'stop', 'It sends passwords away.')
		// Any refresh of the registry has this effect. Here it is the list in the window; otherwise the daily refresh.
		const { offers } = await drivers.browse()
		expect(offers).toMatchObject([
			{ installedVersion: '1.0.0', revocation: { action: 'stop', reason: 'It sends passwords away.' } },
		])
		await expect.poll(() => isRunning(pid ?? 0)).toBe(false)
		await expect(drivers.process('tiny')).rejects.toThrow('was stopped by its registry: It sends passwords away.')
		expect(await drivers.verifyAll()).toEqual({ tiny: expect.stringContaining('It sends passwords away.') })
		await expect(drivers.install('tiny')).rejects.toThrow(/1\.0\.0 was revoked: It sends passwords away\.$/)
	}
	await rename(registry.folder, `${registry.folder}-away`)
	await using offline = await openDrivers(support, registry)
	await expect(offline.process('tiny')).rejects.toThrow('was stopped by its registry')
	expect(offline.installed().map(({ id }) => id)).toEqual(['tiny'])
})

test.each([
	[
		'revoked',
		async (registry: TestRegistry, drivers: Drivers) => {
			await registry.revoke('1.0.0', 'stop')
			await drivers.browse()
		},
	],
	['removed from the list of registries', async (_: TestRegistry, drivers: Drivers) => await drivers.useRegistries([])],
])('a driver that is %s while it is installed does not run', async (_name, happens) => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.withDriver()
	await using drivers = await openDrivers(support, registry)
	const { start } = DriverProcess
	const spy = vi.spyOn(DriverProcess, 'start').mockImplementationOnce(async (...first) => {
		await happens(registry, drivers)
		return start.apply(DriverProcess, first)
	})
	await drivers.install('tiny', { keepsProcess: true })
	spy.mockRestore()
	await expect(drivers.process('tiny')).rejects.toThrow(/was stopped by its registry|you have removed that registry/)
})

test('a driver that was revoked since the last start does not run', async () => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.withDriver()
	{
		await using drivers = await openDrivers(support, registry)
		await drivers.install('tiny')
	}
	await registry.revoke('1.0.0', 'stop')
	await using drivers = await openDrivers(support, registry)
	await expect(drivers.process('tiny')).rejects.toThrow('was stopped by its registry: It leaks.')
	await registry.add(workingDriver, '1.0.1')
	await drivers.install('tiny')
	expect((await drivers.process('tiny')).isAlive).toBe(true)
})

test('a driver that its registry warns of runs, and the log has the warning', async () => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.withDriver()
	const said: string[] = []
	await using drivers = await openDrivers(support, registry, { ...silentLog, warn: text => said.push(text) })
	await drivers.install('tiny')
	await registry.revoke('1.0.0', 'warn')
	const { offers } = await drivers.browse()
	expect(offers).toMatchObject([{ state: 'installed', revocation: { action: 'warn', reason: 'It leaks.' } }])
	expect((await drivers.process('tiny')).isAlive).toBe(true)
	expect(said.join()).toContain('its registry warns of it: It leaks.')
})

test('a driver that its publisher removed does not run; a yanked one does', async () => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.withDriver()
	await using drivers = await openDrivers(support, registry)
	await drivers.install('tiny')

	await registry.edit(mine => yankRelease(mine, 'acme/tiny/1.0.0'))
	await drivers.browse()
	expect((await drivers.process('tiny')).isAlive).toBe(true)
	await drivers.setEnabled('tiny', false)
	await drivers.setEnabled('tiny', true)
	await registry.drop('1.0.0')
	await drivers.browse()
	await expect(drivers.process('tiny')).rejects.toThrow('does not list tiny 1.0.0 any more')
})

test('a rebuilt version of a checkout replaces the installed one, unless it has more permissions', async () => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.withDriver()
	await using drivers = await openDrivers(support, { source: { ...registry.source, isCheckout: true } })
	const { current } = await drivers.install('tiny')
	await registry.add(`globalThis.isBuiltAnew = true\n${workingDriver}`, '1.0.0')
	await drivers.browse()
	expect((await drivers.process('tiny')).isAlive).toBe(true)
	const after = await drivers.install('tiny')
	expect(after.current.release.package.sha512).not.toBe(current.release.package.sha512)
	await registry.add(workingDriver, '1.0.0', { permissions: { network: 'connections', memoryMb: 512 } })
	await drivers.browse()
	await drivers.setEnabled('tiny', false)
	await drivers.setEnabled('tiny', true)
	await expect(drivers.process('tiny')).rejects.toThrow('has replaced tiny 1.0.0 by other contents')
})
