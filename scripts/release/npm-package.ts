import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inCheckout } from '../layout.ts'
import type { ReleaseConfig } from './config.ts'
import { nodePackages } from './node-platforms.ts'
import { packNpm, settle } from './tarball.ts'

/** Packages with a binary. All others are bundled into the program. */
export const external = [
	{ name: '@napi-rs/keyring', from: 'host' },
	{ name: 'fs-native-extensions', from: 'base' },
]

const launcher = 'host/bin/roundhouse.mjs'

/** Name of the package. `roundhouse` alone belongs to another project. */
const packageName = 'roundhouse-db'

/** Returns the packages that are installed beside the program. */
export async function installedBeside(): Promise<Readonly<Record<string, string>>> {
	const versions = external.map(async ({ name, from }) => {
		const { dependencies } = JSON.parse(await readFile(inCheckout(from, 'package.json'), 'utf8'))
		return [name, dependencies[name]] as const
	})
	return Object.fromEntries(await Promise.all(versions))
}

/**
 * Makes the npm package of a program: its command is `roundhouse`.
 * @param program the folder of the program, which becomes the package
 * @param out the folder for the tarball
 * @returns the tarball's file name
 */
export async function packProgram(config: ReleaseConfig, program: string, out: string): Promise<string> {
	const { version, date } = config
	const read = async (...path: string[]) => JSON.parse(await readFile(inCheckout(...path), 'utf8'))
	const [workspace, host] = [await read('package.json'), await read('host', 'package.json')]
	const manifest = {
		name: packageName,
		version,
		description: workspace.description,
		license: host.license,
		mcpName: host.mcpName,
		type: 'module',
		bin: { roundhouse: launcher },
		engines: workspace.engines,
		files: ['dist', 'host/bin', 'THIRD-PARTY-NOTICES.txt', 'sbom.cdx.json'],
		dependencies: await installedBeside(),
		optionalDependencies: Object.fromEntries(nodePackages.map(({ name }) => [name, config.node])),
	}
	await writeFile(join(program, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
	await cp(inCheckout('README.md'), join(program, 'README.md'))
	await settle(program, date, [launcher])
	const name = `${packageName}-${version}.tgz`
	await packNpm(program, join(out, name))
	return name
}
