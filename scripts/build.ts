import { readdirSync, statSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { built, checkout, inCheckout } from './layout.ts'

/** Builds what is missing or older than its source: the host, the window and the default registry, into `dist/`. */

const sources = ['host', 'plugins', 'registry', 'ui', 'scripts', 'package.json']
/** The registry's index lives 30 days; build it anew well before. */
const maxAgeMs = 14 * 24 * 3600 * 1000
/** A build takes a few seconds; a whole checkout on a slow machine, with others waiting, a few minutes. */
const longestBuildMs = 300_000

/** Changes whenever a source file does, or its turn to be renewed has come. */
function stampOfSources(): string {
	let newest = 0
	let count = 0
	const visit = (path: string, name: string) => {
		if (name === 'node_modules' || name.startsWith('.') || /\.(test\.tsx?|md)$/.test(name)) return
		const stat = statSync(path)
		if (stat.isDirectory()) {
			for (const child of readdirSync(path)) visit(`${path}/${child}`, child)
		} else {
			newest = Math.max(newest, stat.mtimeMs)
			count++
		}
	}
	for (const source of sources) visit(inCheckout(source), source)
	return `${newest} ${count}`
}

/** Whether `dist/` holds what the sources say. Cheap: it looks at times, not at contents. */
async function isFresh(): Promise<boolean> {
	const text = await readFile(built.stamp, 'utf8').catch(() => '')
	const [stamp, builtAt] = text.split('|')
	return stamp === stampOfSources() && Date.now() - Number(builtAt) < maxAgeMs
}

export async function ensureBuilt(): Promise<void> {
	if (await isFresh()) return
	await withLock(async () => {
		if (!(await isFresh())) await buildAll()
	})
}

export async function buildAll(): Promise<void> {
	const stamp = stampOfSources()
	const { buildHost, buildUi, buildDefaultRegistry } = await import('./build-parts.ts')
	await Promise.all([buildHost(), buildUi()])
	await buildDefaultRegistry()
	await writeFile(built.stamp, `${stamp}|${Date.now()}`)
}

/** One builder at a time: commands that start together would write over each other. */
async function withLock(work: () => Promise<void>): Promise<void> {
	await mkdir(inCheckout('dist'), { recursive: true })
	const { fileLock } = await import('../host/base/file-lock.ts')
	using lock = await fileLock(inCheckout('dist', 'lock'), longestBuildMs)
	if (!lock) throw new Error('Another build has not come to its end. Stop it, then try again.')
	await work()
}

if (import.meta.main) {
	await withLock(buildAll)
	process.stdout.write(`Built into ${built.host.slice(0, -'host'.length).replace(`${checkout}/`, '')}\n`)
}
