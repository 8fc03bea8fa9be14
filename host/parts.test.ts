import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { temporarySupport } from '../tests/support/support-directory.ts'
import { TestRegistry } from '../tests/support/test-registry.ts'
import { silentLog } from './base/log.ts'
import { openParts } from './parts.ts'

const never = 'new Promise(() => {})'

test.each([
	['connect', `connect: () => ${never}`],
	[
		'close',
		`connect: async () => ({ info: () => ({ product: 'x', version: '1', notices: [] }), close: () => ${never} })`,
	],
])(
	'a driver that hangs in %s does not hold up the stop',
	async (_name, method) => {
		await using support = await temporarySupport()
		await using registry = await TestRegistry.withDriver(`export default { ${method} }`)
		const parts = await openParts({ support, registry: registry.source, log: silentLog })
		const manifest = await parts.drivers.ensure('tiny')
		const { id } = await parts.connections.add({ name: 'x', driverId: 'tiny', settings: {} }, manifest)
		const opening = parts.sessions.open(id).then(
			() => 'open',
			error => (error as Error).message,
		)
		await sleep(300)
		const process = await parts.drivers.process('tiny')
		await parts.close()
		expect(process.isAlive).toBe(false)
		expect(await opening).toMatch(/^open$|it was stopped/)
	},
	12_000,
)
