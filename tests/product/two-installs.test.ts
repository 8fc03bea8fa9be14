import { expect, test } from 'vitest'
import { Roundhouse } from '../support/roundhouse.ts'

/** Windows, commands or both install one driver at the same time. The result is one valid installation. */

const install = ['plugin', 'install', 'search-engine']

async function expectOneGood(roundhouse: Roundhouse): Promise<void> {
	expect(await roundhouse.json(['plugin', 'list'])).toMatchObject([{ id: 'search-engine', state: 'installed' }])
	expect(await roundhouse.json(['plugin', 'verify'])).toEqual({ 'search-engine': null })
	const { drivers } = await roundhouse.json<{ readonly drivers: object }>(['plugin', 'lock'])
	expect(Object.keys(drivers)).toEqual(['search-engine'])
}

test('three simultaneous commands without a host', async () => {
	await using roundhouse = await Roundhouse.make()
	const results = await Promise.all([install, install, install].map(args => roundhouse.run(args)))
	// A command that waited too long names the process that holds the lock.
	for (const { code, stderr } of results) if (code !== 0) expect(stderr).toContain('is using')
	expect(results.map(({ code }) => code)).toContain(0)
	await expectOneGood(roundhouse)
})

test('three simultaneous commands with a host', async () => {
	await using roundhouse = await Roundhouse.make()
	await roundhouse.serve()
	const results = await Promise.all([install, install, install].map(args => roundhouse.run(args)))
	expect(results.map(({ code }) => code)).toEqual([0, 0, 0])
	await expectOneGood(roundhouse)
})
