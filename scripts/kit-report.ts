import { readFile, writeFile } from 'node:fs/promises'
import { referenceOf, reportOf, versionFault } from './kit/pages.ts'
import { readSurface } from './kit/surface.ts'
import { inCheckout } from './layout.ts'

/** `npm run kit:report`: writes the reference of the kit and the report of its public surface. */
const surface = await readSurface()
const report = inCheckout('plugins', 'kit', 'api-report.md')
const after = reportOf(surface)
const fault = versionFault(await readFile(report, 'utf8').catch(() => ''), after)
if (fault === undefined) {
	await writeFile(inCheckout('docs', 'kit.md'), referenceOf(surface))
	await writeFile(report, after)
} else {
	process.stderr.write(`${fault}\n`)
	process.exitCode = 1
}
