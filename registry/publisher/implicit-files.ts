import { readdir, realpath, stat } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { readRegularFile } from '../../base/regular-file.ts'
import { packageLimits } from '../format/format.ts'

/** The file that the bundler reads by itself in each folder where it looks for a module. */
const described = 'package.json'
/**
 * What the bundler reads for Yarn without `node_modules`: a map of packages, and archives as if they were folders. None
 * can be bundled, because they lead to files without a real path. An archive can unpack to any size. A driver may have
 * an archive among its own files.
 */
const ofYarn = /^\.pnp\.(?:cjs|js|data\.json)$|\.zip$/
const modules = 'node_modules'
/** Far more than a driver and its packages have. A link can lead to a whole disk. */
const mostFolders = 100_000

/**
 * Checks the files that the bundler reads without being asked, before it reads them: a pipe has no end, and a device
 * fills the memory. Looks only into packages that are imported, once each.
 */
export class ImplicitFiles {
	readonly #folders = new Set<string>()
	readonly #mostFolders: number
	/** One check at a time. After a fault, each check fails, so that the bundler reads nothing more. */
	#checks: Promise<void> = Promise.resolve()

	constructor(most = mostFolders) {
		this.#mostFolders = most
	}

	/** Checks a folder without the packages in it. @throws Error that names the file */
	checkFolder(folder: string): Promise<void> {
		this.#checks = this.#checks.then(() => this.#check(folder))
		return this.#checks
	}

	/** Checks the packages that an import in a folder may lead to. @throws Error that names the file */
	checkImport(specifier: string, folder: string): Promise<void> {
		this.#checks = this.#checks.then(() => this.#checkImport(specifier, folder))
		return this.#checks
	}

	async #checkImport(specifier: string, folder: string): Promise<void> {
		for (const place of packagesOf(specifier, folder)) await this.#check(place)
	}

	async #check(folder: string): Promise<void> {
		const real = await realpath(folder).catch(() => undefined)
		if (real === undefined || this.#folders.has(real)) return
		if (this.#folders.size >= this.#mostFolders)
			throw new Error(
				`${folder} cannot be bundled: with what its links lead to, there are more than ${this.#mostFolders} folders`,
			)
		this.#folders.add(real)
		const isOfPackage = real.split(sep).includes(modules)
		for (const entry of await readdir(real, { withFileTypes: true }).catch(() => [])) {
			const path = join(real, entry.name)
			const target = entry.isSymbolicLink() ? await stat(path).catch(() => undefined) : entry
			if (entry.name === described) await checkDescription(path)
			if (target?.isDirectory()) {
				if (entry.name !== modules) await this.#check(path)
			} else if (ofYarn.test(entry.name) && (isOfPackage || !target?.isFile()))
				throw new Error(`${path} is not bundled: the bundler would read more than the package has`)
		}
		// The bundler follows a name of `imports` in the same step.
		for (const name of await importsOf(real)) await this.#checkImport(name, real)
	}
}

/** The bundler reads a `package.json` whole, whatever it is. @throws Error that names the file */
async function checkDescription(path: string): Promise<void> {
	const found = await stat(path).catch(() => undefined)
	if (found?.isFile() === false) throw new Error(`${path} is not a regular file`)
	if ((found?.size ?? 0) > packageLimits.documentBytes) throw new Error(`${path} is too large`)
}

/** Returns the folders of packages where the bundler looks for an import. */
function packagesOf(specifier: string, folder: string): string[] {
	if (/^(?:[./]|[A-Za-z]:[\\/])/.test(specifier)) return packagesAbove(resolve(folder, specifier))
	return ancestorsOf(folder).flatMap(above => packagesAbove(join(above, modules, specifier)))
}

/** Returns the folders of the packages that contain a path. */
function packagesAbove(path: string): string[] {
	const parts = path.split(sep)
	return parts.flatMap((part, index) => {
		if (part !== modules) return []
		const depth = parts[index + 1]?.startsWith('@') ? 3 : 2
		return [parts.slice(0, index + depth).join(sep)]
	})
}

const ancestorsOf = (folder: string): string[] =>
	dirname(folder) === folder ? [folder] : [folder, ...ancestorsOf(dirname(folder))]

/** Returns the names of packages among the `imports` of a package. The bundler reports a malformed file. */
async function importsOf(folder: string): Promise<string[]> {
	try {
		const bytes = await readRegularFile(join(folder, described), packageLimits.documentBytes)
		return textsIn(JSON.parse(bytes.toString('utf8')).imports).filter(name => !name.startsWith('.'))
	} catch {
		return []
	}
}

function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value]
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
