import { join } from 'node:path'
import { expect, test } from 'vitest'
import { allBinaries } from '../../plugins/postgres/servers/binaries.ts'
import { checkDrivers } from '../../tests/support/driver-check.ts'

/** The driver for PostgreSQL passes all cases, on its sample and on the real servers of this machine. */

const folder = join(import.meta.dirname, '../../plugins/postgres')
const versions = (await allBinaries()).map(({ version }) => version)
if (versions.length === 0) console.log('SKIPPED: real PostgreSQL servers, because this machine has none.')
// The kit tries the same on all of them, so that CI has the time for it.
const tried = process.env.CI === 'true' || versions.length === 0 ? [...versions, 'sample'] : versions.slice(0, 1)

test.each(tried)('no case fails on %s', { timeout: 480_000 }, async version => {
	const [report] = await checkDrivers([{ folder, only: [] }], { ROUNDHOUSE_POSTGRES: version })
	expect(report?.findings).toEqual([])
	const failed = report?.groups.filter(({ failed }) => failed > 0)
	expect(failed).toEqual([])
	// All groups but tools, which the driver does not have.
	expect(report?.groups.filter(({ passed }) => passed === 0).map(({ group }) => group)).toEqual(['tools'])
})
