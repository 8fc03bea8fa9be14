import { readFile, realpath, writeFile } from 'node:fs/promises'
import { dirname, relative, resolve, sep } from 'node:path'
import { firstLines } from '../../base/first-lines.ts'
import { withoutControls } from '../../base/terminal-text.ts'
import { loadBundler } from './bundler.ts'
import { commonJsBanner } from './common-js.ts'
import { confinedTo, ownersOf } from './confined-imports.ts'
import { ImplicitFiles } from './implicit-files.ts'

interface Bundling {
	/** The driver's folder. */
	readonly folder: string
	/** The driver's module in that folder. */
	readonly entry: string
	readonly outfile: string
}

/**
 * Bundles a driver's module with everything that it imports, and writes a source map beside it, so that a stack names
 * the driver's own file. The bytes do not depend on where the folder is. Reads no file outside of the folder, of the
 * packages that are installed for it, and of the kit.
 * @throws HostError `registry/no_bundler`
 */
export async function bundleDriver({ folder: place, entry, outfile }: Bundling): Promise<void> {
	const { build, formatMessages } = await loadBundler()
	const folder = await realpath(place)
	const implicit = new ImplicitFiles()
	await implicit.checkFolder(folder)
	const { metafile, warnings } = await build({
		absWorkingDir: folder,
		entryPoints: [`./${entry}`],
		outfile,
		bundle: true,
		metafile: true,
		platform: 'node',
		format: 'esm',
		target: 'node26',
		// Otherwise the bundler reads the `tsconfig.json` of each folder, and what it extends, wherever that is.
		tsconfigRaw: '{}',
		// Some packages' `main` is UMD, which no bundler can follow; their `module` can be followed.
		mainFields: ['module', 'main'],
		legalComments: 'inline',
		sourcemap: 'linked',
		sourcesContent: false,
		// An error is thrown with its place; the bundler would print it a second time.
		logLevel: 'silent',
		banner: { js: commonJsBanner },
		plugins: [confinedTo(await ownersOf(folder), implicit)],
	})
	const shown = await formatMessages([...warnings], { kind: 'warning' })
	for (const text of firstLines(shown, others => `${others} more warnings of the bundler.\n`))
		process.stderr.write(withoutControls(text))
	const code = await readFile(outfile, 'utf8')
	await writeFile(outfile, withoutPlaces(code, Object.keys(metafile.inputs)))
	const map: SourceMap = JSON.parse(await readFile(`${outfile}.map`, 'utf8'))
	const sources = map.sources.map(source => placeOf(folder, resolve(dirname(outfile), source)))
	await writeFile(`${outfile}.map`, JSON.stringify({ ...map, sources }))
}

/** The part of a source map that names files, relative to the map. */
interface SourceMap {
	readonly sources: readonly string[]
}

/** Returns the path of a source in the driver's folder. A file elsewhere gets a path outside of it, without its folders. */
function placeOf(folder: string, path: string): string {
	const place = relative(folder, path).replaceAll(sep, '/')
	return place.startsWith('..') ? `../${lastParts(place)}` : place
}

const lastParts = (path: string) => path.split('/').slice(-2).join('/')

/**
 * Names files outside the driver's folder by the last two parts of their paths. The bundler writes their relative paths
 * into comments and keys, which would reveal the folders of the machine.
 */
function withoutPlaces(code: string, inputs: readonly string[]): string {
	const outside = new Set(inputs.filter(path => path.startsWith('..')))
	const shorten = (whole: string, before: string, path: string, after: string) =>
		outside.has(path) ? `${before}${lastParts(path)}${after}` : whole
	return code.replace(/^(\/\/ )(\.\..*)()$/gm, shorten).replace(/(")(\.\.[^"\n]*)("\()/g, shorten)
}
