import { mkdir, writeFile } from 'node:fs/promises'
import { isFresh, stampOfSources } from './fresh.mjs'
import { built, checkout, inCheckout } from './layout.ts'

/** Builds what is missing or older than its source into `dist/`: host, window and default registry. */

/** A build takes a few seconds; a whole checkout on a slow machine, with others waiting, a few minutes. */
const longestBuildMs = 300_000

export async function ensureBuilt(): Promise<void> {
	if (isFresh()) return
	await withLock(async () => {
		if (!isFresh()) await buildAll()
	})
}

export async function buildAll(): Promise<void> {
	const stamp = stampOfSources()
	const { buildHost, buildUi, buildApps, buildTemplates, buildDriverFiles, buildDefaultRegistry } = await import(
		'./build-parts.ts'
	)
	await Promise.all([buildHost(), buildUi(), buildApps(), buildTemplates(), buildDriverFiles()])
	await buildDefaultRegistry()
	await writeFile(built.stamp, `${stamp}|${Date.now()}`)
}

/** One builder at a time: commands that start together would overwrite each other. */
async function withLock(work: () => Promise<void>): Promise<void> {
	await mkdir(inCheckout('dist'), { recursive: true })
	const { fileLock } = await import('../base/file-lock.ts')
	using lock = await fileLock(inCheckout('dist', 'lock'), longestBuildMs)
	if (!lock) throw new Error('Another build has not come to its end. Stop it, then try again.')
	await work()
}

if (import.meta.main) {
	await withLock(buildAll)
	process.stdout.write(`Built into ${built.host.slice(0, -'host'.length).replace(`${checkout}/`, '')}\n`)
}
