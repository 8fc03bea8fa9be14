import { readFile, writeFile } from 'node:fs/promises'
import { referenceOf, reportOf, versionFault } from './kit/pages.ts'
import { readSurface } from './kit/surface.ts'
import { inCheckout } from './layout.ts'

/** `npm run kit:report`: writes the reference of the kit, and the reports of what kit and SQL layer export. */
const surfaces = [await readSurface('kit'), await readSurface('sql')]
const reports = surfaces.map(surface => ({
	file: inCheckout('plugins', surface.id, 'api-report.md'),
	text: reportOf(surface),
}))
const faults = await Promise.all(
	reports.map(async ({ file, text }) => versionFault(await readFile(file, 'utf8').catch(() => ''), text)),
)
const fault = faults.find(fault => fault !== undefined)
if (fault === undefined) {
	const [kit] = surfaces
	if (kit) await writeFile(inCheckout('docs', 'kit.md'), referenceOf(kit))
	for (const { file, text } of reports) await writeFile(file, text)
} else {
	process.stderr.write(`${fault}\n`)
	process.exitCode = 1
}
