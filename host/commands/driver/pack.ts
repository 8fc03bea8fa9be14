import { join, relative, resolve } from 'node:path'
import { filesIn } from '@roundhouse/registry/publisher/changes'
import { replaceFile } from '@roundhouse/registry/publisher/replace-file'
import { hostVersion } from '../../../base/version.ts'
import { type CommandContext, print } from '../context.ts'
import { apiWarnings } from './api-warning.ts'
import { leftOutWarnings } from './left-out-warning.ts'
import { readmeWarnings } from './readme-warning.ts'

/** Packs a driver as `registry add` does, into its folder. @throws HostError `registry/…` */
export async function pack(context: CommandContext, folder: string): Promise<void> {
	const { packDriver } = await import('@roundhouse/registry/publisher/pack')
	const packed = await packDriver(folder, { minHostVersion: hostVersion, publishedAt: new Date().toISOString() })
	const { id, version, tarball, summary } = packed
	const file = join(resolve(folder), `${id}-${version}.tgz`)
	await replaceFile(file, tarball)
	const files = filesIn(packed.document)
	const { api, permissions, license } = summary
	const warnings = [...apiWarnings(summary), ...leftOutWarnings(packed.leftOut), ...(await readmeWarnings(folder))]
	const text = [
		`Packed ${id} ${version} into ${relative('', file)}, ${tarball.length} bytes, ${license}.`,
		`It needs driver API ${api}, and may: network ${permissions.network}, ${permissions.memoryMb} MiB of memory.`,
		...Object.entries(files).map(([path, { sizeBytes }]) => `  ${path}  ${sizeBytes} bytes`),
		...warnings,
	]
	print(
		context,
		{ id, version, file, sizeBytes: tarball.length, api, permissions, license, files, warnings },
		text.join('\n'),
	)
}
