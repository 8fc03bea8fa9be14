import { join } from 'node:path'
import { afterEach, expect, inject, test, vi } from 'vitest'
import { testedBinaries } from '../../plugins/postgres/servers/binaries.ts'
import { checkDrivers } from '../../tests/support/driver-check.ts'

/** The driver for PostgreSQL passes all cases, on its sample and on a real server. */

const folder = join(import.meta.dirname, '../../plugins/postgres')
const server = (await testedBinaries())?.version
if (server === undefined) console.log('SKIPPED: a real PostgreSQL server, because this machine has none.')
const tried = [
	...(server === undefined ? [] : [server]),
	...(inject('runsAllCases') || server === undefined ? ['sample'] : []),
]

afterEach(() => vi.unstubAllEnvs())

test.each(tried)('no case fails on %s', { timeout: 480_000 }, async version => {
	vi.stubEnv('ROUNDHOUSE_POSTGRES', version)
	const [report] = await checkDrivers([{ folder, only: [] }])
	expect(report?.findings).toEqual([])
	const failed = report?.groups.filter(({ failed }) => failed > 0)
	expect(failed).toEqual([])
	// All groups but tools, which the driver does not have.
	expect(report?.groups.filter(({ passed }) => passed === 0).map(({ group }) => group)).toEqual(['tools'])
})
