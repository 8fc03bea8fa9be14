import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { hasDisplay } from './browser.ts'

/**
 * Returns Electron's binary, if installed. The `electron` package itself would start a download, so its folder is
 * checked instead.
 */
export async function findElectron(): Promise<string | undefined> {
	if (process.env.ROUNDHOUSE_WINDOW && process.env.ROUNDHOUSE_WINDOW !== 'electron') return undefined
	if (!hasDisplay()) return undefined
	try {
		const folder = dirname(createRequire(import.meta.url).resolve('electron/package.json'))
		const name = (await readFile(join(folder, 'path.txt'), 'utf8')).trim()
		const path = join(process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(folder, 'dist'), name)
		return existsSync(path) ? path : undefined
	} catch {
		return undefined
	}
}

/** Runs the shell in Electron until its window closes. @returns its exit code */
export async function runElectron(electron: string, main: string, args: readonly string[]): Promise<number> {
	const child = spawn(electron, [main, ...args], { stdio: 'inherit' })
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => child.kill(signal))
	const [code] = await once(child, 'exit')
	return code ?? 0
}
