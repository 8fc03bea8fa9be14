import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type Metafile } from 'esbuild'
import { driverFolders } from '../build-parts.ts'
import { checkout, inCheckout } from '../layout.ts'

/** A package of another project that is inside the release, whole or in part. */
export interface BundledPackage {
	readonly name: string
	readonly version: string
	/** SPDX id or expression. */
	readonly license: string
	/** The texts of its licence and notice files. */
	readonly texts: readonly string[]
}

/** Licences that the release may contain. None asks for more than its text. */
const allowed = new Set([
	'MIT',
	'ISC',
	'BSD-2-Clause',
	'BSD-3-Clause',
	'BlueOak-1.0.0',
	'Apache-2.0',
	'0BSD',
	'Unlicense',
])

/** Returns the packages that bundles really consist of, in the order of their names. @throws Error for other licences */
export async function bundledPackages(metafiles: readonly Metafile[]): Promise<readonly BundledPackage[]> {
	const inputs = metafiles.flatMap(({ outputs }) =>
		// An input of which nothing is left in the output is not inside.
		Object.values(outputs).flatMap(output =>
			Object.entries(output.inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
		),
	)
	const folders = new Set(inputs.flatMap(path => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []))
	const packages = await Promise.all([...folders].map(readBundled))
	const distinct = new Map(packages.map(found => [`${found.name}@${found.version}`, found]))
	const sorted = [...distinct.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, found]) => found)
	const refused = sorted.filter(({ license }) => !isAllowed(license))
	if (refused.length > 0)
		throw new Error(
			`Not on the list of licences: ${refused.map(({ name, license }) => `${name} (${license})`).join(', ')}`,
		)
	return sorted
}

/** Of alternatives one must be allowed, of a combination all. */
export function isAllowed(expression: string): boolean {
	const alternatives = expression.replace(/^\((.*)\)$/, '$1').split(' OR ')
	return alternatives.some(part => part.split(' AND ').every(id => allowed.has(id)))
}

async function readBundled(folder: string): Promise<BundledPackage> {
	const path = inCheckout(folder)
	const { name, version, license = 'unknown' } = JSON.parse(await readFile(join(path, 'package.json'), 'utf8'))
	const files = (await readdir(path)).filter(file => /^(licen[cs]e|notice|copying)/i.test(file)).sort()
	const texts = await Promise.all(files.map(async file => (await readFile(join(path, file), 'utf8')).trim()))
	return { name, version, license: typeof license === 'string' ? license : license.type, texts }
}

/** Returns what the drivers of the checkout consist of, as the registry's publisher bundles them. */
export async function driverMetafiles(): Promise<readonly Metafile[]> {
	const folders = await driverFolders()
	const results = folders.map(folder =>
		build({
			entryPoints: [join(folder, 'driver.ts')],
			absWorkingDir: checkout,
			bundle: true,
			write: false,
			metafile: true,
			platform: 'node',
			format: 'esm',
			target: 'node26',
			outdir: join(checkout, 'dist'),
			mainFields: ['module', 'main'],
			logLevel: 'error',
		}),
	)
	return (await Promise.all(results)).map(({ metafile }) => metafile)
}
