import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { silentLog } from '../base/log.ts'
import { temporarySupport } from '../tests/support/support-directory.ts'
import { TestRegistry } from '../tests/support/test-registry.ts'
import { MachinePolicy } from './policy/machine-policy.ts'
import { openServices } from './services.ts'

const never = 'new Promise(() => {})'

test.each([
	['connect', `connect: () => ${never}`],
	[
		'close',
		`connect: async () => ({ info: () => ({ product: 'x', version: '1', notices: [] }), close: () => ${never} })`,
	],
])(
	'a driver that hangs in %s does not delay the shutdown',
	async (_name, method) => {
		await using support = await temporarySupport()
		await using registry = await TestRegistry.withDriver(`export default { ${method} }`)
		const services = await openServices({ support, registry: registry.source, log: silentLog })
		const manifest = await services.drivers.ensure('tiny')
		const { id } = await services.connections.add({ name: 'x', driverId: 'tiny', settings: {} }, manifest)
		const opening = services.sessions.open(id).then(
			() => 'open',
			error => (error as Error).message,
		)
		// While the driver starts, or after.
		await sleep(300)
		const process = await services.drivers.process('tiny')
		await services.close()
		expect(process.isAlive).toBe(false)
		expect(await opening).toMatch(/^open$|it was stopped/)
	},
	12_000,
)

test.each([
	[{}, true, true],
	[{ keepReplaced: false }, false, false],
	// Nothing is allowed, and nothing is removed.
	[{ unknown: 1 }, false, true],
])('under the policy %j of the machine, replaced rows are kept: %s', async (rules, isKept, isThere) => {
	await using support = await temporarySupport()
	const file = support.file('policy-of-the-machine.json')
	await writeFile(file, JSON.stringify({ version: 1, ...rules }))
	const replaced = support.file('replaced')
	await mkdir(replaced)
	const policy = await MachinePolicy.read(file)
	const services = await openServices({ support, registry: undefined, policy, log: silentLog })
	try {
		expect([services.keptChanges.mayKeep([]), existsSync(replaced)]).toEqual([isKept, isThere])
	} finally {
		await services.close()
	}
})
