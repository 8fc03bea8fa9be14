import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hasServer } from '../../plugins/mariadb/servers/server.ts'
import { checkDrivers } from '../../tests/support/driver-check.ts'

/** The driver for MariaDB and MySQL passes all cases, on a real server. */

const folder = join(import.meta.dirname, '../../plugins/mariadb')

test.skipIf(!hasServer)('no case fails on MariaDB', { timeout: 480_000 }, async () => {
	const [report] = await checkDrivers([{ folder, only: [] }])
	expect(report?.findings).toEqual([])
	expect(report?.groups.filter(({ failed }) => failed > 0)).toEqual([])
	// All groups but tools, which the driver does not have.
	expect(report?.groups.filter(({ passed }) => passed === 0).map(({ group }) => group)).toEqual(['tools'])
})
