import { readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'

/**
 * Returns the place in the driver's source of code that the bundle contains exactly once, as ` (notes.ts:14:7)`, or an
 * empty string. It serves failures that carry no stack: a thrown value that is no Error, and an import that Node
 * refuses before the module runs.
 */
export function placeInSource(code: RegExp): string {
	// The host names the driver's module on the command line.
	const [, , entry = ''] = process.argv
	try {
		const bundle = readFileSync(entry, 'utf8')
		const [found, ...others] = [...bundle.matchAll(new RegExp(code, 'g'))]
		if (found === undefined || others.length > 0) return ''
		const before = bundle.slice(0, found.index).split('\n')
		const map = new SourceMap(JSON.parse(readFileSync(`${entry}.map`, 'utf8')) as SourceMapPayload)
		const origin = map.findOrigin(before.length, (before.at(-1)?.length ?? 0) + 1)
		if (!('fileName' in origin)) return ''
		return ` (${origin.fileName}:${origin.lineNumber}:${origin.columnNumber})`
	} catch {
		// A package of another bundler has no source map.
		return ''
	}
}
