import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Whether `dist/` matches the sources. JavaScript, because every start asks, and the first TypeScript file of a process
 * costs 55 ms.
 */

const checkout = dirname(import.meta.dirname)
const stampFile = join(checkout, 'dist', 'stamp')
/** Generated files beside the sources. */
const generated = [
	join(checkout, 'plugins', 'search-engine', 'generated', 'specification.json'),
	join(checkout, 'plugins', 'postgres', 'generated', 'libpg-query.wasm'),
]
const sources = ['base', 'host', 'plugins', 'registry', 'ui', 'scripts', 'package.json']
/** A checkout's registry is signed for a year; it is rebuilt well before. */
const maxAgeMs = 14 * 24 * 3600 * 1000

/**
 * Changes whenever a source file does.
 * @returns {string}
 */
export function stampOfSources() {
	let newest = 0
	let count = 0
	/** @type {(path: string, name: string) => void} */
	const visit = (path, name) => {
		if (name === 'node_modules' || name === 'generated' || name.startsWith('.') || name.endsWith('.test.ts')) return
		// Templates of drivers are built with their documents.
		if (/\.(test\.tsx|md)$/.test(name) && !path.includes('/plugins/templates/')) return
		const stat = statSync(path)
		if (stat.isDirectory()) {
			for (const child of readdirSync(path)) visit(`${path}/${child}`, child)
		} else {
			newest = Math.max(newest, stat.mtimeMs)
			count++
		}
	}
	for (const source of sources) visit(join(checkout, source), source)
	return `${newest} ${count}`
}

/**
 * Cheap: it looks at times, not at contents.
 * @returns {boolean}
 */
export function isFresh() {
	const [stamp, builtAt] = readStamp().split('|')
	return stamp === stampOfSources() && generated.every(existsSync) && Date.now() - Number(builtAt) < maxAgeMs
}

function readStamp() {
	try {
		return readFileSync(stampFile, 'utf8')
	} catch {
		return ''
	}
}
