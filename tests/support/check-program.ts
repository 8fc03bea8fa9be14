import { checkDriver } from '../../host/driver-check/check-driver.ts'
import { loadConformance } from '../../host/driver-check/load-conformance.ts'
import { prepareSubject } from '../../host/driver-check/subject.ts'
import { packDriver } from '../../registry/publisher/pack.ts'

/**
 * Checks drivers, and prints a line of JSON for each. Arguments: a JSON list of folders, each with the ids of the
 * cases. This is a separate program, because the module loader of the tests would load the conformance files instead of
 * Node's loader.
 */

const terms = { minHostVersion: '0.1.0', publishedAt: new Date().toISOString() }
const drivers: { folder: string; only: string[] }[] = JSON.parse(process.argv[2] ?? '[]')
for (const { folder, only } of drivers) {
	await using subject = await prepareSubject(() => packDriver(folder, terms))
	const file = await loadConformance(folder)
	if (!file) throw new Error(`${folder} has no conformance.ts`)
	process.stdout.write(`${JSON.stringify(await checkDriver(subject, file, only))}\n`)
}
