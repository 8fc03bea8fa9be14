import { checkDriver } from '../../host/driver-check/check-driver.ts'
import { loadConformance } from '../../host/driver-check/load-conformance.ts'
import type { Report } from '../../host/driver-check/report.ts'
import { prepareSubject } from '../../host/driver-check/subject.ts'
import { packDriver } from '../../registry/publisher/pack.ts'
import type { Checked } from './driver-check.ts'

/**
 * Checks drivers, and prints their reports as a JSON list in the same order. Argument: a JSON list of {@link Checked}. This is a separate program, because the module loader of the tests would load the conformance files instead of
 * Node's loader.
 */

const terms = { minHostVersion: '0.1.0', publishedAt: new Date().toISOString() }
/** Some cases only wait, for example for a server that never answers. More lanes than this delay cases with a limit. */
const lanes = 4
const drivers: readonly Checked[] = JSON.parse(process.argv[2] ?? '[]')
const reports: Report[] = []
const waiting = drivers.entries()
await Promise.all(
	Array.from({ length: lanes }, async () => {
		// The lanes share one iterator, so each driver is checked once.
		for (const [index, driver] of waiting) reports[index] = await check(driver)
	}),
)
process.stdout.write(JSON.stringify(reports))

async function check({ folder, only }: Checked): Promise<Report> {
	await using subject = await prepareSubject(folder, () => packDriver(folder, terms))
	const file = await loadConformance(folder)
	if (!file) throw new Error(`${folder} has no conformance.ts`)
	return await checkDriver(subject, file, only)
}
