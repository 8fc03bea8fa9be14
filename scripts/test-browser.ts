import { spawnSync } from 'node:child_process'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress } from 'node:zlib'
import { extract } from 'tar'
import { inCheckout } from './layout.ts'

/**
 * A Chromium for the tests where none is installed: the headless shell that `@sparticuz/chromium` ships for machines
 * without anything. It is unpacked here, not by the package, which would run whatever lies under a fixed name in the
 * folder for temporary files.
 */
const shipped = inCheckout('node_modules', '@sparticuz', 'chromium', 'bin')
const folder = inCheckout('dist', 'test-browser')

/** A program that starts it; `undefined` where it does not run, for it is made for Linux on x64. */
export async function unpackTestBrowser(): Promise<string | undefined> {
	if (process.platform !== 'linux' || process.arch !== 'x64' || !existsSync(shipped)) return undefined
	const program = `${folder}/start`
	if (!existsSync(program)) await unpack()
	return spawnSync(program, ['--version']).status === 0 ? program : undefined
}

async function unpack(): Promise<void> {
	const unpacked = `${folder}.new`
	await rm(unpacked, { recursive: true, force: true })
	await mkdir(unpacked, { recursive: true })
	await pipeline(
		createReadStream(`${shipped}/chromium.br`),
		createBrotliDecompress(),
		createWriteStream(`${unpacked}/chromium`, { mode: 0o700 }),
	)
	// The libraries that it needs beside the C library, and a font.
	for (const archive of ['al2023', 'fonts']) {
		await pipeline(
			createReadStream(`${shipped}/${archive}.tar.br`),
			createBrotliDecompress(),
			extract({ cwd: unpacked, strict: true }),
		)
	}
	await writeFile(`${unpacked}/start`, start)
	await chmod(`${unpacked}/start`, 0o700)
	await writeFile(`${unpacked}/fonts.conf`, fonts)
	await rm(folder, { recursive: true, force: true })
	await rename(unpacked, folder)
}

/** Under the locale of a bare machine its pages would be told a language that is none. */
const start = `#!/bin/sh
here=$(dirname "$0")
export LANG=en_US.UTF-8 LD_LIBRARY_PATH="$here/lib" FONTCONFIG_FILE="$here/fonts.conf"
exec "$here/chromium" "$@"
`

/** Whole paths: a cache folder that is relative is made wherever the browser is started. */
const fonts = `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/font-cache</cachedir></fontconfig>`
