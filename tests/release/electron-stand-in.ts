import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Marks the place of the fuses in Electron's program (electron/fuses). After it: version, count, one byte for each. */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
const fuseCount = 9

/**
 * Writes files in place of an unpacked Electron for Linux, whose binary is not available on every machine: what the packer
 * reads and changes is real, the program only says its arguments.
 * @param packer the folder of the packer's modules
 */
export async function standInElectron(folder: string, packer: string): Promise<void> {
	await mkdir(join(folder, 'resources'), { recursive: true })
	const fuses = `${sentinel}\u0001${String.fromCharCode(fuseCount)}${'1'.repeat(fuseCount)}`
	await writeFile(join(folder, 'electron'), `#!/bin/sh\necho "$@"\nexit\n${fuses}\n`, 'latin1')
	await chmod(join(folder, 'electron'), 0o755)
	for (const name of ['LICENSE', 'LICENSES.chromium.html', 'version', 'chrome-sandbox', 'resources.pak'])
		await writeFile(join(folder, name), name)
	const empty = await mkdtemp(join(tmpdir(), 'roundhouse-empty-'))
	try {
		await writeFile(join(empty, 'package.json'), '{}')
		const asar = await import(createRequire(pathToFileURL(join(packer, 'package.json'))).resolve('@electron/asar'))
		await asar.createPackage(empty, join(folder, 'resources', 'default_app.asar'))
	} finally {
		await rm(empty, { recursive: true, force: true })
	}
}
