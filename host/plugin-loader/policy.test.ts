import { writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog } from '../../base/log.ts'
import type { SupportDirectory } from '../../base/support-directory.ts'
import { zipOf } from '../../tests/support/bundle.ts'
import { temporarySupport } from '../../tests/support/support-directory.ts'
import { TestRegistry, workingDriver } from '../../tests/support/test-registry.ts'
import { MachinePolicy } from '../policy/machine-policy.ts'
import { openServices, type Services } from '../services.ts'

let support: SupportDirectory & AsyncDisposable
let registry: TestRegistry
let file: string
beforeEach(async () => {
	support = await temporarySupport()
	registry = await TestRegistry.withDriver()
	file = support.file('policy-of-the-machine.json')
})
afterEach(async () => {
	await registry[Symbol.asyncDispose]()
	await support[Symbol.asyncDispose]()
})

/** Runs `work` with a host's services under a policy, given as text or as rules. */
async function under<T>(policy: string | object, work: (services: Services) => Promise<T>): Promise<T> {
	await writeFile(file, typeof policy === 'string' ? policy : JSON.stringify({ version: 1, ...policy }))
	const read = await MachinePolicy.read(file)
	const services = await openServices({ support, registry: registry.source, policy: read, log: silentLog })
	try {
		return await work(services)
	} finally {
		await services.close()
	}
}

const refusals: [string, string | object, RegExp][] = [
	['registry', { registries: [] }, /does not allow the registry/],
	['publisher', { publishers: ['other'] }, /allows no drivers of acme/],
	['driver', { drivers: {} }, /does not allow the driver tiny/],
	['version', { drivers: { tiny: '^2' } }, /allows tiny \^2\. This release is 1\.0\.0/],
	['file that is malformed', '{"version":1,', /cannot be read/],
]

test.each(
	refusals,
)('a %s that the policy refuses is not installed, and not loaded if it is already installed', async (_, policy, reason) => {
	const names = new RegExp(`${file.replaceAll('.', '\\.')}.*${reason.source}`)
	await under(policy, async ({ drivers }) => {
		await expect(drivers.install('tiny')).rejects.toThrow(names)
		await expect(drivers.ensure('tiny')).rejects.toThrow(names)
		await expect(drivers.process('tiny')).rejects.toThrow('is not installed')
		const { offers, notices } = await drivers.browse()
		expect(offers.every(offer => offer.available === undefined)).toBe(true)
		expect([...notices, ...offers.map(offer => offer.incompatibility)].join()).toMatch(names)
	})
	await under({}, ({ drivers }) => drivers.install('tiny'))
	await under(policy, async ({ drivers }) => {
		await expect(drivers.process('tiny')).rejects.toThrow(names)
		await expect(drivers.sample('tiny')).rejects.toThrow(names)
		expect((await drivers.verifyAll()).tiny).toMatch(names)
		const { offers } = await drivers.browse()
		expect(offers).toMatchObject([{ state: 'installed', incompatibility: expect.stringMatching(names) }])
	})
	await under({}, async ({ drivers }) => expect((await drivers.process('tiny')).isAlive).toBe(true))
})

test('the newest release within the allowed range is installed', async () => {
	await registry.add(workingDriver, '1.1.0')
	await registry.add(workingDriver, '2.0.0')
	await under({ drivers: { tiny: '^1' } }, async ({ drivers }) => {
		expect((await drivers.browse()).offers).toMatchObject([{ available: { version: '1.1.0' } }])
		expect((await drivers.install('tiny')).current.release.version).toBe('1.1.0')
		await expect(drivers.install('tiny', { range: '2.0.0' })).rejects.toThrow(/tiny \^1\. This release is 2\.0\.0/)
	})
})

test('a refused registry is not contacted, and cannot be added by address or from a bundle', async () => {
	await using other = await TestRegistry.withDriver(workingDriver, '1.0.0', { name: 'Other' })
	await writeFile(support.file('other.zip'), await zipOf(other.folder))
	await under({ registries: [registry.fingerprint] }, async ({ drivers, registries }) => {
		const names = new RegExp(`${file.replaceAll('.', '\\.')}, does not allow the registry ${other.fingerprint}`)
		await expect(registries.add(other.source.url, other.fingerprint)).rejects.toThrow(names)
		await using bundle = await drivers.openBundle(support.file('other.zip'))
		await expect(registries.addBundled(bundle, other.fingerprint)).rejects.toThrow(names)
		await expect(drivers.installFrom(bundle)).rejects.toThrow(names)
	})
	await under({}, ({ registries }) => registries.add(other.source.url, other.fingerprint))
	await under({ registries: [registry.fingerprint] }, async ({ registries }) => {
		expect(await registries.list()).toMatchObject([
			{ state: 'current' },
			{ state: 'refused', fingerprint: other.fingerprint, reason: expect.stringContaining(file) },
		])
		// A refused registry can be removed.
		await registries.remove(other.fingerprint)
		expect(await registries.list()).toHaveLength(1)
	})
})
