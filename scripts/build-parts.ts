import { cp, readFile, rm } from 'node:fs/promises'
import { buildCheckoutRegistry } from '@roundhouse/registry/checkout'
import { commonJsBanner } from '@roundhouse/registry/common-js'
import { type BuildOptions, build } from 'esbuild'
import { writeSpecification } from '../plugins/search-engine/specification/write-table.ts'
import { built, inCheckout } from './layout.ts'
import { lazyBuiltins } from './lazy-builtins-plugin.ts'
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

/** Workspaces that say of themselves that they are drivers: a new one is built by its line in the workspace list. */
async function driverFolders(): Promise<string[]> {
	const { workspaces } = await packageOf('.')
	const packages = await Promise.all(workspaces.map(async folder => ({ folder, ...(await packageOf(folder)) })))
	return packages.filter(({ roundhouse }) => roundhouse !== undefined).map(({ folder }) => inCheckout(folder))
}

const packageOf = async (folder: string): Promise<PackageJson> =>
	JSON.parse(await readFile(inCheckout(folder, 'package.json'), 'utf8'))

export const versionOf = async (folder: string): Promise<string> => (await packageOf(folder)).version

/**
 * What holds a binary is looked for beside the build. All else is bundled, in the version that host/package.json names: a
 * build that looked in node_modules would find whatever another package had npm put there.
 */
const native = ['@napi-rs/keyring', 'fs-native-extensions', 'esbuild']

export async function buildHost(): Promise<void> {
	await rm(built.host, { recursive: true, force: true })
	await Promise.all([
		build({
			...node,
			entryPoints: { main: inCheckout('host/main.ts'), electron: inCheckout('host/desktop/electron-main.ts') },
			outdir: built.host,
			splitting: true,
			external: [...native, 'electron'],
			// `main` of jsonc-parser is a form that no bundler can follow.
			mainFields: ['module', 'main'],
			plugins: [lazyBuiltins],
			banner: { js: commonJsBanner },
			define: { ROUNDHOUSE_VERSION: JSON.stringify(await versionOf('host')) },
		}),
		// One file with everything in it: a driver process may read nothing else.
		build({
			...node,
			entryPoints: { 'driver-runtime': inCheckout('plugins/kit/runtime/process.ts') },
			outdir: built.host,
			sourcemap: false,
		}),
	])
}

export async function buildUi(): Promise<void> {
	await rm(built.ui, { recursive: true, force: true })
	await build({
		entryPoints: { main: inCheckout('ui/main.tsx'), 'filter-worker': inCheckout('ui/json/filter-worker.ts') },
		outdir: built.ui,
		bundle: true,
		format: 'esm',
		target: 'chrome156',
		minify: true,
		sourcemap: true,
		// Not `solid`: packages that ship compiled code would be compiled again, icon by icon.
		conditions: ['browser', 'production'],
		define: { 'process.env.NODE_ENV': '"production"' },
		logLevel: 'warning',
		plugins: [solid()],
	})
	for (const file of ['index.html', 'icon.svg']) await cp(inCheckout('ui', file), `${built.ui}/${file}`)
}

/** What the search driver knows of its engine's API, which it packs. */
export const buildSpecification = writeSpecification

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
