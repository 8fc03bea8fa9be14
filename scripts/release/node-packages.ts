import { copyFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { ReleaseConfig } from './config.ts'
import { copyStripped, fromArchive, fromCheckout, type NodeOrigin } from './node-binary.ts'
import { type NodePackage, nodePackages } from './node-platforms.ts'
import { packNpm, settle } from './tarball.ts'

/**
 * Packs the Node of each platform into `out`: the program and its licence, without headers and without a `bin`, which
 * would shadow the `node` of a project. Without archives, only the platform of this machine is packed.
 * @param archives a folder with Node's own archives and their SHASUMS256.txt
 * @returns file names of the tarballs
 */
export async function packNodes(config: ReleaseConfig, out: string, archives?: string): Promise<readonly string[]> {
	const made: string[] = []
	for (const pack of nodePackages) {
		const staging = join(out, 'node', `${pack.os}-${pack.cpu}`)
		const origin = archives
			? await fromArchive(pack, config, { archives, staging: join(staging, 'archive') })
			: await fromCheckout(pack, config.node)
		if (origin) made.push(await packNode(config, pack, { origin, out, folder: join(staging, 'package') }))
	}
	await rm(join(out, 'node'), { recursive: true, force: true })
	return made
}

async function packNode(
	{ node: version, date }: ReleaseConfig,
	pack: NodePackage,
	{ origin, out, folder }: { readonly origin: NodeOrigin; readonly out: string; readonly folder: string },
): Promise<string> {
	const { name, os, cpu } = pack
	const program = await copyStripped(pack, origin.program, join(folder, 'bin'))
	await copyFile(origin.license, join(folder, 'LICENSE'))
	const manifest = {
		name,
		version,
		description: `Node ${version} for ${os} on ${cpu}, as Roundhouse runs on it.`,
		license: 'MIT',
		os: [os],
		cpu: [cpu],
		// fs-native-extensions has no build for musl.
		...(os === 'linux' && { libc: ['glibc'] }),
		preferUnplugged: true,
	}
	await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
	const stripped = os === 'linux' ? ' Its symbols were removed.' : ''
	await writeFile(join(folder, 'README.md'), `# ${name}\n\nNode ${version}. ${origin.says}${stripped}\n`)
	await settle(folder, date, [`bin/${basename(program)}`])
	const file = `${name.slice(1).replace('/', '-')}-${version}.tgz`
	await packNpm(folder, join(out, file))
	return file
}
