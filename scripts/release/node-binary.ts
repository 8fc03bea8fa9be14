import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { unzipSync } from 'fflate'
import { extract } from 'tar'
import { inCheckout } from '../layout.ts'
import type { ReleaseConfig } from './config.ts'
import { archiveOf, type NodePackage } from './node-platforms.ts'

const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Where the program of a package comes from. */
export interface NodeOrigin {
	/** The unchanged program. */
	readonly program: string
	readonly license: string
	/** A sentence with the digest that was compared. */
	readonly says: string
}

/**
 * Takes the program of a platform from Node's own archive, compared with the digests that Node publishes.
 * @param archives a folder with the archives of nodejs.org/dist and their SHASUMS256.txt
 * @throws Error if an archive is missing, or is not the published one
 */
export async function fromArchive(
	pack: NodePackage,
	{ node: version, nodeSums }: Pick<ReleaseConfig, 'node' | 'nodeSums'>,
	{ archives, staging }: { readonly archives: string; readonly staging: string },
): Promise<NodeOrigin> {
	const { os } = pack
	const file = archiveOf(pack, version)
	const name = file.replace(/(\.tar\.gz|\.zip)$/, '')
	const bytes = await readFile(join(archives, file))
	const digest = sha256Of(bytes)
	const sums = await readFile(join(archives, 'SHASUMS256.txt'))
	if (sha256Of(sums) !== nodeSums) throw new Error('SHASUMS256.txt is not the one that release.json names.')
	const published = sums.toString('utf8').split('\n')
	if (!published.includes(`${digest}  ${file}`)) throw new Error(`${file} is not the one that Node published.`)
	const paths = [os === 'win32' ? `${name}/node.exe` : `${name}/bin/node`, `${name}/LICENSE`] as const
	await mkdir(staging, { recursive: true })
	if (os === 'win32') {
		const found = unzipSync(bytes, { filter: entry => paths.includes(entry.name) })
		for (const path of paths) {
			await mkdir(join(staging, dirname(path)), { recursive: true })
			await writeFile(join(staging, path), found[path] ?? '')
		}
	} else await extract({ file: join(archives, file), cwd: staging }, [...paths])
	const says = `It is from ${file} of nodejs.org, whose SHA-256 ${digest} is the one that Node published.`
	return { program: join(staging, paths[0]), license: join(staging, paths[1]), says }
}

/** Takes the program that `npm ci` installed in this checkout, or `undefined` if it is for another platform. */
export async function fromCheckout({ source, os }: NodePackage, version: string): Promise<NodeOrigin | undefined> {
	try {
		const manifest = createRequire(import.meta.url).resolve(`${source}/package.json`)
		if (JSON.parse(await readFile(manifest, 'utf8')).version !== version) return undefined
		const lock = JSON.parse(await readFile(inCheckout('package-lock.json'), 'utf8'))
		const { integrity } = lock.packages[`node_modules/${source}`]
		const program = join(dirname(manifest), 'bin', os === 'win32' ? 'node.exe' : 'node')
		const says = `It is from the npm package ${source}@${version} with the integrity ${integrity}. It was not compared with Node's own archive.`
		return { program, license: join(dirname(manifest), 'LICENSE'), says }
	} catch {
		return undefined
	}
}

/**
 * Copies a program without its symbols, which only a debugger of Node itself needs. A program for macOS or Windows stays
 * as it is, because a change would break its signature.
 */
export async function copyStripped({ os }: NodePackage, from: string, folder: string): Promise<string> {
	const to = join(folder, basename(from))
	await mkdir(folder, { recursive: true })
	if (os === 'linux') await promisify(execFile)('strip', ['--strip-all', '-o', to, from])
	else await copyFile(from, to)
	return to
}
