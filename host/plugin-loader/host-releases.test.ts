import { expect, test } from 'vitest'
import { announceHost } from '../../registry/publisher/host-releases.ts'
import { openDrivers } from '../../tests/support/plugin-loader.ts'
import { temporarySupport } from '../../tests/support/support-directory.ts'
import { TestRegistry } from '../../tests/support/test-registry.ts'

test('a registry names the newest Roundhouse of each channel, also when it cannot be reached later', async () => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.make()
	const releasedAt = new Date().toISOString()
	await registry.edit(mine => announceHost(mine, 'stable', { version: '0.2.0', releasedAt }))
	await registry.edit(mine => announceHost(mine, 'next', { version: '0.3.0-rc.1', releasedAt }))
	{
		await using drivers = await openDrivers(support, registry)
		expect(await drivers.newestHost(registry.fingerprint, 'stable')).toBeUndefined()
		await drivers.browse()
		expect(await drivers.newestHost(registry.fingerprint, 'stable')).toBe('0.2.0')
		expect(await drivers.newestHost(registry.fingerprint, 'next')).toBe('0.3.0-rc.1')
		expect(await drivers.newestHost(registry.fingerprint, 'nightly')).toBeUndefined()
		expect(await drivers.newestHost('0'.repeat(64), 'stable')).toBeUndefined()
	}
	const away = { source: { ...registry.source, url: 'http://127.0.0.1:1/' } }
	await using offline = await openDrivers(support, away)
	expect(await offline.newestHost(registry.fingerprint, 'stable')).toBe('0.2.0')
})
