import { lstat, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { type Zippable, zipSync } from 'fflate'
import { everythingIn } from './support-directory.ts'

/** Returns the folder of a registry as a bundle, valid or not. */
export async function zipOf(folder: string): Promise<Uint8Array> {
	const files: Zippable = {}
	for (const name of await everythingIn(folder)) {
		const path = join(folder, name)
		if (/^(metadata|targets)/.test(name) && (await lstat(path)).isFile())
			files[name.replaceAll(sep, '/')] = await readFile(path)
	}
	return zipSync(files, { level: 0 })
}
