import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { buildCheckoutRegistry } from '@roundhouse/registry/publisher/checkout'
import { commonJsBanner } from '@roundhouse/registry/publisher/common-js'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import { copyPrograms } from '../plugins/postgres/copy-programs.ts'
import { writeSpecification } from '../plugins/search-engine/specification/write-table.ts'
import { built, inCheckout } from './layout.ts'
import { solid } from './solid-plugin.ts'

interface PackageJson {
	readonly version: string
	readonly workspaces: readonly string[]
	/** A driver's manifest. */
	readonly roundhouse?: unknown
}

export const node: BuildOptions = {
	bundle: true,
	platform: 'node',
	format: 'esm',
	target: 'node26',
	sourcemap: true,
	logLevel: 'warning',
}

/** A part of the build: where it goes, and what a release wants otherwise than a checkout. */
interface Part {
	readonly folder: string
	/** Default: that of the checkout. */
	readonly version?: string
	/** Whether to write source maps. A release has none. */
	readonly sourcemap?: boolean
}

/** Workspaces that declare themselves drivers: a new one needs only its line in the workspace list. */
export async function driverFolders(): Promise<string[]> {
	const { workspaces } = await packageOf('.')
	const packages = await Promise.all(workspaces.map(async folder => ({ folder, ...(await packageOf(folder)) })))
	return packages.filter(({ roundhouse }) => roundhouse !== undefined).map(({ folder }) => inCheckout(folder))
}

const packageOf = async (folder: string): Promise<PackageJson> =>
	JSON.parse(await readFile(inCheckout(folder, 'package.json'), 'utf8'))

export const versionOf = async (folder: string): Promise<string> => (await packageOf(folder)).version

/**
 * Packages with a binary are found beside the build. All others are bundled, in the version of host/package.json: a
 * build that resolved from node_modules would find whatever another package had installed there.
 */
const native = ['@napi-rs/keyring', 'fs-native-extensions', 'esbuild']

/**
 * Loads Node's modules by `process.getBuiltinModule` in place of `import` where that is much cheaper: an import of
 * `node:http` reads all exports, among them a getter that loads Node's whole web client (60 ms of each command's
 * start).
 */
const lazyBuiltins: Plugin = {
	name: 'lazy-builtins',
	setup(build) {
		build.onResolve({ filter: /^(node:)?(http|https|http2)$/ }, ({ path, kind }) =>
			kind === 'import-statement' ? { path: path.replace('node:', ''), namespace: 'lazy-builtins' } : undefined,
		)
		build.onLoad({ filter: /.*/, namespace: 'lazy-builtins' }, ({ path }) => ({
			contents: `module.exports = process.getBuiltinModule('node:${path}')`,
		}))
	},
}

/** @returns what each program consists of, for the notices of a release */
export async function buildHost(part: Part = { folder: built.host }): Promise<readonly Metafile[]> {
	const { folder, version = await versionOf('host'), sourcemap = true } = part
	await rm(folder, { recursive: true, force: true })
	const results = await Promise.all([
		build({
			...node,
			metafile: true,
			sourcemap,
			entryPoints: { main: inCheckout('host/commands/main.ts'), electron: inCheckout('host/desktop/electron-main.ts') },
			outdir: folder,
			splitting: true,
			external: [...native, 'electron'],
			// `main` of jsonc-parser has a form that bundlers cannot follow.
			mainFields: ['module', 'main'],
			plugins: [lazyBuiltins],
			banner: { js: commonJsBanner },
			define: { ROUNDHOUSE_VERSION: JSON.stringify(version) },
		}),
		// One file each, with everything: these processes may read nothing else of the host.
		build({
			...node,
			metafile: true,
			entryPoints: {
				'driver-runtime': inCheckout('plugins/kit/runtime/process.ts'),
				'conformance-program': inCheckout('host/driver-check/conformance-program.ts'),
			},
			outdir: folder,
			sourcemap: false,
		}),
		// CommonJS runs before the event loop turns, which the launcher depends on.
		build({
			...node,
			metafile: true,
			entryPoints: { 'driver-launcher': inCheckout('host/driver-runtime/wall/launcher.ts') },
			outdir: folder,
			outExtension: { '.js': '.cjs' },
			format: 'cjs',
			sourcemap: false,
		}),
	])
	return results.map(({ metafile }) => metafile)
}

/** Builds Electron's main file for a packaged application: one file, since its archive has no other parts. */
export async function buildShell({ folder, version = '' }: Part): Promise<void> {
	await build({
		...node,
		entryPoints: { electron: inCheckout('host/desktop/electron-main.ts') },
		outdir: folder,
		sourcemap: false,
		external: [...native, 'electron'],
		mainFields: ['module', 'main'],
		plugins: [lazyBuiltins],
		banner: { js: commonJsBanner },
		define: { ROUNDHOUSE_VERSION: JSON.stringify(version) },
	})
}

/** @returns what the window and its workers consist of */
export async function buildUi(part: Part = { folder: built.ui }): Promise<readonly Metafile[]> {
	const { folder, version = await versionOf('host'), sourcemap = true } = part
	await rm(folder, { recursive: true, force: true })
	const options: BuildOptions = {
		outdir: folder,
		bundle: true,
		format: 'esm',
		target: 'chrome156',
		minify: true,
		sourcemap,
		// Not `solid`: packages with compiled code would be compiled again, icon by icon.
		conditions: ['browser', 'production'],
		define: { 'process.env.NODE_ENV': '"production"', ROUNDHOUSE_VERSION: JSON.stringify(version) },
		logLevel: 'warning',
		plugins: [solid()],
	}
	const results = await Promise.all([
		// What a start does not show is in files apart (ui/state/later.ts).
		build({ ...options, metafile: true, splitting: true, entryPoints: { main: inCheckout('ui/main.tsx') } }),
		// One file each: what they share with the window would be a file of a few hundred bytes more for its start.
		build({
			...options,
			metafile: true,
			entryPoints: {
				'filter-worker': inCheckout('ui/json/filter-worker.ts'),
				'layout-worker': inCheckout('ui/diagram/layout-worker.ts'),
			},
		}),
	])
	for (const file of ['index.html', 'icon.svg']) await cp(inCheckout('ui', file), `${folder}/${file}`)
	return results.map(({ metafile }) => metafile)
}

/**
 * The pages for the chats of AI clients, with the program of each. A page of changes knows its tool by `data-page`,
 * because the arguments of a call do not identify the tool.
 */
const appPages = { rows: 'rows', chart: 'chart', insert: 'changes', update: 'changes', delete: 'changes' }

/** Writes one file for each page, because the policy of a page allows no other address. */
export async function buildApps({ folder }: Part = { folder: built.apps }): Promise<Metafile> {
	await rm(folder, { recursive: true, force: true })
	await mkdir(folder, { recursive: true })
	const { outputFiles, metafile } = await build({
		metafile: true,
		entryPoints: [...new Set(Object.values(appPages))].map(entry => inCheckout('ui', 'apps', `${entry}.tsx`)),
		outdir: folder,
		write: false,
		bundle: true,
		format: 'iife',
		// The first that have `light-dark()` and `JSON.rawJSON`.
		target: ['chrome123', 'firefox135', 'safari18.4'],
		minify: true,
		conditions: ['browser', 'production'],
		define: { 'process.env.NODE_ENV': '"production"' },
		logLevel: 'warning',
		plugins: [solid({ isSmall: true })],
	})
	const textOf = (file: string) => outputFiles.find(({ path }) => basename(path) === file)?.text.trim() ?? ''
	for (const [name, entry] of Object.entries(appPages)) {
		const policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"
		const head = `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width, initial-scale=1">`
		const style = `<style>${textOf(`${entry}.css`)}</style>`
		const body = `<body data-page="${name}"><script>${textOf(`${entry}.js`)}</script></body>`
		const page = `<!doctype html><html lang="en"><head>${head}<title>Roundhouse</title>${style}</head>${body}</html>`
		await writeFile(join(folder, `${name}.html`), page)
	}
	return metafile
}

/** What `roundhouse driver new` copies. */
export async function buildTemplates({ folder }: Part = { folder: built.templates }): Promise<void> {
	await rm(folder, { recursive: true, force: true })
	await cp(inCheckout('plugins', 'templates'), folder, { recursive: true })
}

/** What drivers pack beside their code: an API table, and WebAssembly. */
export async function buildDriverFiles(): Promise<void> {
	await Promise.all([writeSpecification(), copyPrograms()])
}

/** The registry of this checkout; its signing keys stay on this machine. */
export async function buildDefaultRegistry(): Promise<void> {
	await buildCheckoutRegistry({
		name: 'Roundhouse (this checkout)',
		drivers: await driverFolders(),
		output: built.registry,
		state: inCheckout('registry/.local'),
		minHostVersion: await versionOf('host'),
	})
}
