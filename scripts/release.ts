import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { bundle } from './bundle.ts'
import { checkout } from './layout.ts'
import { bundledPackages, driverMetafiles } from './release/bundled.ts'
import { renderCatalogues, renderServerJson, writeChecksums } from './release/channels.ts'
import { openPoints, type ReleaseConfig, readConfig } from './release/config.ts'
import { packDesktop, stageDesktop } from './release/desktop.ts'
import { packNodes } from './release/node-packages.ts'
import { noticesOf } from './release/notices.ts'
import { installedBeside, packProgram } from './release/npm-package.ts'
import { buildProgram } from './release/program.ts'
import { sbomOf } from './release/sbom.ts'

/**
 * `npm run release -- --out FOLDER`: renders a release from `release.json`. Run twice, also elsewhere, it writes the same
 * bytes (docs/releasing.md).
 */
const { values } = parseArgs({
	options: {
		out: { type: 'string', default: 'out' },
		/** Another `release.json`, for rehearsals. */
		config: { type: 'string' },
		/** Whether to pack the Node of this machine's platform. */
		node: { type: 'boolean', default: false },
		/** A folder with the archives of all platforms and Node's SHASUMS256.txt. */
		'node-archives': { type: 'string' },
		/** An unpacked Electron: renders the desktop application, and packs the named targets, such as `linux dir`. */
		electron: { type: 'string' },
		target: { type: 'string', multiple: true, default: [] },
		/** Signs it with the certificates of the environment. */
		signed: { type: 'boolean', default: false },
		/** A folder with the signed installers, for the catalogues. */
		installers: { type: 'string' },
		/** Refuses a release that cannot be published. */
		final: { type: 'boolean', default: false },
	},
})
const places = {
	out: resolve(values.out),
	config: values.config && resolve(values.config),
	archives: values['node-archives'] && resolve(values['node-archives']),
	installers: values.installers && resolve(values.installers),
	electron: values.electron && resolve(values.electron),
}
// Bundlers write paths relative to the current folder.
process.chdir(checkout)

const config = await readConfig(places.config)
const missing = [
	...openPoints(config),
	...(values.final && !places.archives ? ['--node-archives is missing: Node is packed from its own archives.'] : []),
]
if (values.final && missing.length > 0) throw new Error(`This release cannot be published. ${missing.join(' ')}`)
await rm(places.out, { recursive: true, force: true })
await mkdir(places.out, { recursive: true })
for (const name of await render(config, places.out)) process.stdout.write(`${name}\n`)
await writeChecksums(places.out)
for (const point of missing) process.stdout.write(`For rehearsals only: ${point}\n`)

/** @returns the artefacts, below `out` */
async function render(config: ReleaseConfig, out: string): Promise<readonly string[]> {
	const program = join(out, 'program')
	const { metafiles } = await buildProgram(config, program)
	const parts = await bundledPackages([...metafiles, ...(await driverMetafiles())])
	const sbom = sbomOf(config, parts, await installedBeside())
	await writeFile(join(program, 'THIRD-PARTY-NOTICES.txt'), noticesOf(parts))
	for (const folder of [program, out]) await writeFile(join(folder, 'sbom.cdx.json'), sbom)
	const made = [await packProgram(config, program, out), 'sbom.cdx.json', await renderServerJson(config, out)]
	await bundle(out, config)
	await rm(join(out, 'mcpb'), { recursive: true })
	if (values.node || places.archives) made.push(...(await packNodes(config, out, places.archives)))
	if (places.installers) made.push(...(await renderCatalogues(config, places.installers, out)))
	if (places.electron) made.push(await renderDesktop(config, program, { out, electron: places.electron }))
	await rm(program, { recursive: true })
	return [...made, 'roundhouse.mcpb']
}

/** @returns the folder of the stage, with what was packed in its `out` */
async function renderDesktop(
	config: ReleaseConfig,
	program: string,
	{ out, electron }: { readonly out: string; readonly electron: string },
): Promise<string> {
	const stage = join(out, 'desktop')
	const packer = await stageDesktop({
		config,
		program,
		electron,
		stage,
		archives: places.archives,
		isSigned: values.signed,
	})
	if (values.target.length > 0) packDesktop(packer, stage, values.target)
	return 'desktop'
}
