import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve, sep } from 'node:path'
import { packageSchema } from '@roundhouse/kit/manifest'
import { create } from 'tar'
import { reasonOf } from '../../base/reason-of.ts'
import { registryErrors } from '../format/errors.ts'
import { packagePrefix } from '../format/format.ts'
import { bundleDriver } from './bundle-driver.ts'
import { type PackedRelease, readPackage } from './package.ts'

/** Files that are copied into a package if the driver has them. */
const extras = ['README.md', 'LICENSE', 'CHANGELOG.md']

/**
 * Bundles the driver in `folder` into its entry file and packs it: an npm-style `.tgz` whose bytes depend only on its
 * content. @throws HostError `registry/manifest_malformed`
 */
export async function packDriver(
	folder: string,
	options: { readonly minHostVersion: string; readonly publishedAt: string },
): Promise<PackedRelease> {
	const {
		name,
		version,
		license = 'UNLICENSED',
		files,
		roundhouse: manifest,
	} = await readPackageJson(join(folder, 'package.json'))
	const staging = await mkdtemp(join(tmpdir(), 'roundhouse-pack-'))
	try {
		const content = join(staging, packagePrefix)
		await mkdir(content)
		const entry = manifest.entry.replace(/\.js$/, '.ts')
		await bundleDriver({ folder: resolve(folder), entry, outfile: join(content, manifest.entry) })
		const packageJson = { name, version, license, type: 'module', roundhouse: manifest }
		await writeFile(join(content, 'package.json'), `${JSON.stringify(packageJson, null, '\t')}\n`)
		// A missing file is an error, because the driver needs it.
		for (const file of files) await cp(join(folder, file), join(content, file), { recursive: true })
		for (const extra of extras) await cp(join(folder, extra), join(content, extra)).catch(ignoreMissing)

		const packed = await filesIn(content)
		// The mode of a new file follows the umask of who packs.
		await Promise.all(packed.map(file => chmod(join(content, file), 0o644)))
		const path = join(staging, 'package.tgz')
		await create(
			{ file: path, cwd: staging, gzip: { level: 9 }, portable: true, mtime: new Date(0), noDirRecurse: true },
			packed.map(file => packagePrefix + file),
		)
		return await readPackage(await readFile(path), options)
	} finally {
		await rm(staging, { recursive: true, force: true })
	}
}

async function readPackageJson(file: string) {
	try {
		return packageSchema.parse(JSON.parse(await readFile(file, 'utf8')))
	} catch (error) {
		throw registryErrors.make('manifest_malformed', { file, reason: reasonOf(error) }, { cause: error })
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
