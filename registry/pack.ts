import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { packageSchema } from '@roundhouse/kit/manifest'
import { build } from 'esbuild'
import { create } from 'tar'
import { commonJsBanner } from './common-js.ts'
import { packagePrefix, type Release } from './documents.ts'
import { type PackedRelease, readPackage } from './package.ts'

/** One driver packed for the registry. */
export interface PackedDriver extends PackedRelease {
	readonly fileName: string
	readonly release: Release
}

/** Files that go into a package as they are, where the driver has them. */
const extras = ['README.md', 'LICENSE', 'CHANGELOG.md']

export const sha512 = (data: Buffer) => createHash('sha512').update(data).digest('hex')

/**
 * Bundles the driver in `folder` into its entry file and packs it: an npm-style `.tgz` whose bytes depend on its
 * content alone. @throws ZodError where the manifest is wrong.
 */
export async function packDriver(
	folder: string,
	options: { readonly minHostVersion: string; readonly publishedAt: string },
): Promise<PackedDriver> {
	const {
		name,
		version,
		license = 'UNLICENSED',
		roundhouse: manifest,
	} = packageSchema.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')))
	const staging = await mkdtemp(join(tmpdir(), 'roundhouse-pack-'))
	try {
		const content = join(staging, packagePrefix)
		await mkdir(content)
		await build({
			entryPoints: [join(folder, manifest.entry.replace(/\.js$/, '.ts'))],
			outfile: join(content, manifest.entry),
			bundle: true,
			platform: 'node',
			format: 'esm',
			target: 'node26',
			legalComments: 'inline',
			logLevel: 'warning',
			banner: { js: commonJsBanner },
		})
		const packageJson = { name, version, license, type: 'module', roundhouse: manifest }
		await writeFile(join(content, 'package.json'), `${JSON.stringify(packageJson, null, '\t')}\n`)
		for (const extra of extras) await cp(join(folder, extra), join(content, extra)).catch(ignoreMissing)

		const files = await filesOf(content)
		const fileName = `${manifest.id}-${version}.tgz`
		const path = join(staging, fileName)
		await create(
			{ file: path, cwd: staging, gzip: { level: 9 }, portable: true, mtime: new Date(0), noDirRecurse: true },
			Object.keys(files).map(file => packagePrefix + file),
		)
		const tarball = await readFile(path)
		const release: Release = {
			id: manifest.id,
			version,
			manifest,
			license,
			...options,
			isYanked: false,
			package: { path: fileName, sizeBytes: tarball.length, sha512: sha512(tarball) },
			files,
		}
		return { ...(await readPackage(tarball, options)), fileName, release }
	} finally {
		await rm(staging, { recursive: true, force: true })
	}
}

async function filesOf(folder: string): Promise<Release['files']> {
	const files: Release['files'] = {}
	for (const name of (await readdir(folder, { recursive: true })).sort()) {
		const path = join(folder, name)
		if (!(await stat(path)).isFile()) continue
		const data = await readFile(path)
		files[relative(folder, path).split(sep).join('/')] = { sizeBytes: data.length, sha512: sha512(data) }
	}
	return files
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
	if (error.code !== 'ENOENT') throw error
}
