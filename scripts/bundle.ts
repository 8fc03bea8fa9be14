import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packExtension } from '@anthropic-ai/mcpb/cli'
import { build } from 'esbuild'
import { unzipSync, zipSync } from 'fflate'
import { node, versionOf } from './build-parts.ts'
import { inCheckout } from './layout.ts'

/**
 * Packs the bridge for clients that install bundles (`.mcpb`, https://github.com/anthropics/mcpb). It contains no
 * secret and asks for none: the bridge finds the running host and its token by the host's handshake file.
 */

/** What a release fixes. */
interface BundledRelease {
	readonly version: string
	/** ISO 8601. */
	readonly date: string
}

/** What the client's Node must support; a bundle includes none. */
const oldestNode = 22

/**
 * @param folder gets the bundle
 * @param release its version and date; by default those of the checkout
 * @returns the path of the bundle
 */
export async function bundle(folder: string, release?: BundledRelease): Promise<string> {
	const [parts, packed] = [join(folder, 'mcpb'), join(folder, 'roundhouse.mcpb')]
	const { version, date } = release ?? { version: await versionOf('host'), date: '1980-01-01T00:00:00Z' }
	await rm(parts, { recursive: true, force: true })
	await mkdir(join(parts, 'server'), { recursive: true })
	await build({
		...node,
		target: `node${oldestNode}`,
		entryPoints: { bridge: inCheckout('host/commands/bridge-alone.ts') },
		outdir: join(parts, 'server'),
		outExtension: { '.js': '.mjs' },
		sourcemap: false,
		define: { ROUNDHOUSE_VERSION: JSON.stringify(version) },
	})
	await cp(inCheckout('LICENSE'), join(parts, 'LICENSE'))
	await writeFile(join(parts, 'manifest.json'), `${JSON.stringify(manifest(version), undefined, 2)}\n`)
	const isPacked = await packExtension({ extensionPath: parts, outputPath: packed, silent: true })
	if (!isPacked) throw new Error('The bundle was not packed: its manifest is not as the format wants it.')
	await settleTimes(packed, new Date(date))
	return packed
}

/** The packer writes the current time into the bundle. Replaces it, so that the same sources give the same bytes. */
async function settleTimes(file: string, mtime: Date): Promise<void> {
	const files = Object.entries(unzipSync(await readFile(file))).sort(([a], [b]) => (a < b ? -1 : 1))
	// The format has times of a local zone, without the zone.
	const local = new Date(mtime.getTime() + mtime.getTimezoneOffset() * 60_000)
	await writeFile(file, zipSync(Object.fromEntries(files), { level: 9, mtime: local, os: 0, attrs: 0 }))
}

const manifest = (version: string) => ({
	manifest_version: '0.3',
	name: 'roundhouse',
	display_name: 'Roundhouse',
	version,
	description: 'Your databases, through the Roundhouse on this machine: every write asks you first.',
	author: { name: 'Roundhouse' },
	license: 'MIT',
	server: {
		type: 'node',
		entry_point: 'server/bridge.mjs',
		// A variable of the format, which the client fills in.
		mcp_config: { command: 'node', args: [`\${__dirname}/server/bridge.mjs`] },
	},
	tools_generated: true,
	prompts_generated: true,
	compatibility: { platforms: ['darwin', 'linux', 'win32'], runtimes: { node: `>=${oldestNode}.0.0` } },
})

if (import.meta.main) {
	const path = await bundle(inCheckout('dist'))
	process.stdout.write(`Packed ${path}\n`)
}
