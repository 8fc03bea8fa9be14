import { spawnSync } from 'node:child_process'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress } from 'node:zlib'
import { extract } from 'tar'
import { findBrowser } from '../host/desktop/browser.ts'
import { inCheckout } from './layout.ts'

/**
 * A Chromium for the tests: the headless shell that `@sparticuz/chromium` ships. It is unpacked here and not by the
 * package, which would run any file under a fixed name in the temporary folder.
 */
const shipped = inCheckout('node_modules', '@sparticuz', 'chromium', 'bin')
const folder = inCheckout('dist', 'test-browser')
/** The shipped font is proportional, and code in it would look and measure as nowhere else. */
const monospace = 'JetBrainsMono_400Regular.ttf'

/** Arguments of a Chromium for tests: no network and no services of the browser's maker. */
export const browserArguments = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
]

/**
 * Returns the browser for tests of the window: the one that `ROUNDHOUSE_BROWSER` names, else the headless shell, which opens
 * a page in a third of the CPU time of a full browser, else an installed one.
 */
export async function findTestBrowser(): Promise<string | undefined> {
	return process.env.ROUNDHOUSE_BROWSER ?? (await unpackTestBrowser()) ?? (await findBrowser())
}

/** Unpacks the headless shell if needed. @returns the program that starts it; `undefined` except on Linux on x64 */
async function unpackTestBrowser(): Promise<string | undefined> {
	if (process.platform !== 'linux' || process.arch !== 'x64' || !existsSync(shipped)) return undefined
	const program = `${folder}/start`
	if (!existsSync(program) || !existsSync(`${folder}/fonts/${monospace}`)) await unpack()
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
	// The libraries that it needs beside the C library, and a font for texts.
	for (const archive of ['al2023', 'fonts']) {
		await pipeline(
			createReadStream(`${shipped}/${archive}.tar.br`),
			createBrotliDecompress(),
			extract({ cwd: unpacked, strict: true }),
		)
	}
	const code = inCheckout('node_modules', '@expo-google-fonts', 'jetbrains-mono', '400Regular', monospace)
	await copyFile(code, `${unpacked}/fonts/${monospace}`)
	await writeFile(`${unpacked}/start`, start)
	await chmod(`${unpacked}/start`, 0o700)
	await writeFile(`${unpacked}/fonts.conf`, fonts)
	await rm(folder, { recursive: true, force: true })
	await rename(unpacked, folder)
}

/** With the locale of a bare machine, pages would see an invalid language. */
const start = `#!/bin/sh
here=$(dirname "$0")
export LANG=en_US.UTF-8 LD_LIBRARY_PATH="$here/lib" FONTCONFIG_FILE="$here/fonts.conf"
exec "$here/chromium" "$@"
`

/** Absolute paths: a relative cache folder would be created wherever the browser starts. */
const fonts = `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/font-cache</cachedir></fontconfig>`
