import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Whether `dist/` holds what the sources say. JavaScript, because every start asks, and the first TypeScript file that a
 * process loads costs it 55 ms.
 */

const checkout = dirname(import.meta.dirname)
const stampFile = join(checkout, 'dist', 'stamp')
/** What the build writes beside the sources. */
const generated = join(checkout, 'plugins', 'search-engine', 'generated', 'specification.json')
const sources = ['host', 'plugins', 'registry', 'ui', 'scripts', 'package.json']
/** The signatures of a checkout's registry are good for a year; it is built anew well before. */
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
		if (name === 'node_modules' || name === 'generated' || name.startsWith('.') || /\.(test\.tsx?|md)$/.test(name))
			return
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
	return stamp === stampOfSources() && existsSync(generated) && Date.now() - Number(builtAt) < maxAgeMs
}

function readStamp() {
	try {
		return readFileSync(stampFile, 'utf8')
	} catch {
		return ''
	}
}
