import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import { packageSchema } from '@roundhouse/kit/manifest'
import { create } from 'tar'
import { reasonOf } from '../../base/reason-of.ts'
import { registryErrors } from '../format/errors.ts'
import { packagePrefix } from '../format/format.ts'
import { bundleDriver } from './bundle-driver.ts'
import { type PackedRelease, readPackage } from './package.ts'
import { PlainFiles } from './plain-files.ts'

/** Files that are copied into a package if the driver has them. */
const extras = ['README.md', 'LICENSE', 'CHANGELOG.md']

/** A release that was packed from a folder. */
export interface PackedDriver extends PackedRelease {
	/** Files that were left out, because they may be secrets and `files` does not name them one by one. */
	readonly leftOut: readonly string[]
}

/**
 * Bundles the driver in `folder` into its entry file and packs it: an npm-style `.tgz` whose bytes depend only on its
 * content. Runs no code of the folder. @throws HostError `registry/manifest_malformed`, `registry/file_not_plain`
 */
export async function packDriver(
	folder: string,
	options: { readonly minHostVersion: string; readonly publishedAt: string },
): Promise<PackedDriver> {
	const source = await PlainFiles.of(folder)
	const {
		name,
		version,
		license = 'UNLICENSED',
		files,
		roundhouse: manifest,
	} = await readPackageJson(source, join(folder, 'package.json'))
	const staging = await mkdtemp(join(tmpdir(), 'roundhouse-pack-'))
	try {
		const content = join(staging, packagePrefix)
		await mkdir(content)
		const entry = manifest.entry.replace(/\.js$/, '.ts')
		await bundleDriver({ folder, entry, outfile: join(content, manifest.entry) })
		const packageJson = { name, version, license, type: 'module', roundhouse: manifest }
		await writeFile(join(content, 'package.json'), `${JSON.stringify(packageJson, null, '\t')}\n`)
		// A missing file is an error, because the driver needs it.
		for (const file of files) await copyTo(content, source.at(file))
		for (const extra of extras) await copyTo(content, source.at(extra)).catch(ignoreMissing)

		const packed = await filesIn(content)
		// The mode of a new file follows the umask of who packs. All of these files were written above.
		await Promise.all(packed.map(file => chmod(join(content, file), 0o644)))
		const path = join(staging, 'package.tgz')
		await create(
			{ file: path, cwd: staging, gzip: { level: 9 }, portable: true, mtime: new Date(0), noDirRecurse: true },
			packed.map(file => packagePrefix + file),
		)
		return { ...(await readPackage(await readFile(path), options)), leftOut: source.leftOut }
	} finally {
		await rm(staging, { recursive: true, force: true })
	}
}

async function readPackageJson(source: PlainFiles, file: string) {
	try {
		return packageSchema.parse(JSON.parse((await source.read('package.json')).toString('utf8')))
	} catch (error) {
		throw registryErrors.make('manifest_malformed', { file, reason: reasonOf(error) }, { cause: error })
	}
}

async function copyTo(
	folder: string,
	files: AsyncIterable<{ readonly path: string; readonly data: Buffer }>,
): Promise<void> {
	for await (const { path, data } of files) {
		const file = join(folder, path)
		await mkdir(dirname(file), { recursive: true })
		await writeFile(file, data)
	}
}

async function filesIn(folder: string): Promise<string[]> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true })
	return entries
		.filter(entry => entry.isFile())
		.map(entry => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
		.sort()
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
	if (error.code !== 'ENOENT') throw error
}
