import { realpath } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import type { Loader, OnResolveArgs, PartialMessage, Plugin } from 'esbuild'
import { messageOf } from '../../base/errors.ts'
import { readAtMost } from '../../base/regular-file.ts'
import { packageLimits } from '../format/format.ts'
import { type BudgetLimits, ReadingBudget } from '../format/reading-budget.ts'
import type { ImplicitFiles } from './implicit-files.ts'
import { openRealFile } from './real-file.ts'
import { withoutSourceMapComments } from './source-map-comments.ts'

/**
 * Confines a bundle to the driver's folder, to the packages that are installed for it, and to the kit. Otherwise a
 * dependency could import any JSON file of the author's machine, for example `../../../.docker/config.json`, and
 * publish it with the driver.
 */

/** The folders that imports may lead to, as real paths. */
interface Owners {
	/** The driver's folder. */
	readonly folder: string
	/** The folders `node_modules` in which its packages are found. */
	readonly modules: readonly string[]
	/** The kit and the SQL layer of this host, and the folders of their dependencies. */
	readonly kit: readonly string[]
}

/** @param folder the real path of the driver's folder */
export async function ownersOf(folder: string): Promise<Owners> {
	const modules = await modulesOf(folder)
	return { folder, modules, kit: [...(await ownedBy('@roundhouse/kit', 2)), ...(await ownedBy('@roundhouse/sql', 1))] }
}

/** Returns the folders of a package of this host. @param depth of its entry in the package */
async function ownedBy(specifier: string, depth: 1 | 2): Promise<readonly string[]> {
	const entry = kitEntry(specifier)
	if (entry === undefined) return []
	const folder = dirname(await realpath(entry))
	const root = depth === 1 ? folder : dirname(folder)
	return [root, ...(await modulesOf(root))]
}

/**
 * Returns the folders where Node finds packages for a folder. A link could name any folder as one, also above: the
 * driver may be a part of a larger folder of its author.
 */
async function modulesOf(folder: string): Promise<string[]> {
	const path = join(folder, 'node_modules')
	const real = await realpath(path).catch(() => undefined)
	const above = dirname(folder) === folder ? [] : await modulesOf(dirname(folder))
	return real === path ? [path, ...above] : above
}

function kitEntry(specifier: string): string | undefined {
	try {
		return createRequire(import.meta.url).resolve(specifier)
	} catch {
		return undefined
	}
}

/** Limits of the modules of a bundle. */
const bundleLimits: BudgetLimits = { files: 50_000, bytes: packageLimits.packageBytes }
/** What the bundler makes of a file by the attribute `type` of its import. It takes the file unchanged. */
const loaders: Readonly<Record<string, Loader>> = { bytes: 'binary', json: 'json', text: 'text' }
const isOwnLookup = Symbol('own lookup')
const kitPattern = /^@roundhouse\/(?:kit|sql)(\/|$)/

/** Returns a plugin that refuses every import of a file elsewhere, and everything that is not a regular file. */
export function confinedTo(owners: Owners, implicit: ImplicitFiles): Plugin {
	return {
		name: 'confined-imports',
		setup(build) {
			/** Files that an import names. */
			const named = new Set<string>()
			const budget = new ReadingBudget(bundleLimits)
			build.onResolve({ filter: /.*/ }, async ({ path, pluginData, with: attributes, ...place }) => {
				if (pluginData === isOwnLookup) return undefined
				const { importer, kind, namespace, resolveDir } = place
				const faults = await faultsOf(implicit.checkImport(path, resolveDir))
				if (faults) return faults
				const lookup = { importer, kind, namespace, resolveDir, with: attributes, pluginData: isOwnLookup }
				const found = await build.resolve(path, lookup)
				// The bundler fails then too, except for an optional dependency.
				if (found.errors.length > 0) return kitPattern.test(path) ? kitOfHost(path) : undefined
				if (found.external || found.namespace !== 'file') return found
				const fault = await faultOf(owners, { path, importer, kind, file: found.path })
				if (fault !== undefined) return { errors: [fault] }
				named.add(found.path)
				return found
			})
			// The resolver does not see what a pattern of names leads to (`import('./locales/' + name)`), nor who imports it. So a
			// pattern leads to files of packages only, where no secret of the author is. The bundler gets the bytes that were
			// checked: it would read a path in its own way, for example `/__virtual__/a/3/` as three folders above.
			build.onLoad({ filter: /.*/, namespace: 'file' }, async ({ path, with: { type } }) => {
				try {
					await using opened = await openRealFile(path)
					const root = rootOf(owners, opened.real)
					if (root === undefined) return { errors: [elsewhere(path)] }
					if (root === owners.folder && !named.has(path)) return { errors: [byPattern(relative(root, path))] }
					const { size } = await opened.file.stat()
					if (!budget.take(1, size)) throw new Error('it is too large, alone or with the other modules')
					const bytes = await readAtMost(opened.file, size)
					if (type !== undefined) return { contents: bytes, loader: loaders[type] ?? 'default' }
					return { contents: withoutSourceMapComments(path, bytes), loader: 'default' }
				} catch (error) {
					return { errors: [{ text: `"${relative(owners.folder, path)}" cannot be bundled: ${messageOf(error)}` }] }
				}
			})
		},
	}
}

/** Gives a driver without its own copy of the kit the one of this host, so that a new folder needs no installation. */
function kitOfHost(path: string) {
	const found = kitEntry(path)
	if (found !== undefined) return { path: found }
	const [scope, name] = path.split('/')
	const text = `${path} is missing. Install it in the driver's folder: npm install --save-dev ${scope}/${name}`
	return { errors: [{ text }] }
}

interface Found extends Pick<OnResolveArgs, 'path' | 'importer' | 'kind'> {
	/** The file that the import leads to. */
	readonly file: string
}

async function faultOf(owners: Owners, { path, importer, kind, file }: Found): Promise<PartialMessage | undefined> {
	const root = rootOf(owners, await realpath(file))
	if (root === undefined) return elsewhere(path)
	if (kind === 'entry-point') return root === owners.folder ? undefined : elsewhere(path)
	const isWithin = /^(?:[./#]|[A-Za-z]:[\\/])/.test(path)
	if (isWithin && root !== rootOf(owners, await realpath(importer)))
		return { text: `"${path}" leads out of the package that imports it` }
	// By its name, a package could lead back to a file of the driver that the driver does not publish.
	if (!isWithin && root === owners.folder) return { text: `"${path}" is no installed package` }
	return undefined
}

/** Returns the fault of a check as the bundler takes it. */
function faultsOf(check: Promise<void>): Promise<{ errors: PartialMessage[] } | undefined> {
	return check.then(
		() => undefined,
		(error: unknown) => ({ errors: [{ text: messageOf(error) }] }),
	)
}

const byPattern = (path: string): PartialMessage => ({
	text: `A pattern of names leads to "${path}". Import a file of the driver by its whole name`,
})

const elsewhere = (path: string): PartialMessage => ({
	text: `"${path}" is outside of the driver's folder and of its node_modules, so it is not bundled`,
})

/** Returns the folder of the package that has a file, or `undefined` if imports may not lead to the file. */
function rootOf({ folder, modules, kit }: Owners, file: string): string | undefined {
	const within = [folder, ...modules, ...kit].filter(place => file.startsWith(place + sep))
	const [place] = within.sort((a, b) => b.length - a.length)
	if (place === undefined) return undefined
	const parts = file.slice(place.length + 1).split(sep)
	const last = parts.lastIndexOf('node_modules')
	const installed = place.endsWith(`${sep}node_modules`) || last >= 0
	if (!installed) return place
	const names = parts.slice(last + 1)
	const depth = names[0]?.startsWith('@') ? 2 : 1
	// A hidden folder of node_modules has files of the package manager, with addresses and tokens of registries.
	if (names.length <= depth || names[0]?.startsWith('.')) return undefined
	return [place, ...parts.slice(0, last + 1), ...names.slice(0, depth)].join(sep)
}
