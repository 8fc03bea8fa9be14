import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { allBinaries } from '../../plugins/postgres/servers/binaries.ts'
import { checkDrivers } from '../../tests/support/driver-check.ts'

/** The driver for PostgreSQL passes all cases, on its sample and on real servers. */

const folder = join(import.meta.dirname, '../../plugins/postgres')
const servers = (await allBinaries()).map(({ version }) => version)
if (servers.length === 0) console.log('SKIPPED: a real PostgreSQL server, because this machine has none.')
const newestAndOldest = new Set([...servers.slice(0, 1), ...servers.slice(-1)])

afterEach(() => vi.unstubAllEnvs())

test.each([...newestAndOldest, 'sample'])('no case fails on %s', { timeout: 480_000 }, async version => {
	vi.stubEnv('ROUNDHOUSE_POSTGRES', version)
	const [report] = await checkDrivers([{ folder, only: [] }])
	expect(report?.findings).toEqual([])
	const failed = report?.groups.filter(({ failed }) => failed > 0)
	expect(failed).toEqual([])
	// All groups but tools, which the driver does not have.
	expect(report?.groups.filter(({ passed }) => passed === 0).map(({ group }) => group)).toEqual(['tools'])
})
