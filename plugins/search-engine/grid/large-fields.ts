import { type Column, stringifyJson } from '@roundhouse/kit'
import type { Hit } from '../hits/read-hits.ts'
import { pathInSource } from '../mapping/columns.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { readerOf } from '../mapping/source.ts'
import { pageBytes } from './page.ts'

/** Part of the largest answer that the rest of the documents may fill. The next documents may be larger than these. */
const usedPart = 1 / 4

/** Leaving out shorter values saves little. */
const shortBytes = 1_000

interface LargeFieldsOptions {
	readonly columns: readonly Column[]
	readonly mapping: Mapping
	/** Paths that the answers leave out already, or should. */
	readonly leftOut: readonly string[]
	/** Number of rows of the page. */
	readonly rows: number
}

/**
 * Returns the paths to leave out of a page of `rows` documents like these, the largest first, so that it fits into one
 * answer. Short values stay.
 */
export function largeFields(
	hits: readonly Hit[],
	{ columns, mapping, leftOut: before, rows }: LargeFieldsOptions,
): readonly string[] {
	const count = Math.max(hits.length, 1)
	let rest = hits.reduce((sum, { start, end }) => sum + end - start, 0) / count
	const sizes = [...sizesByPath(hits, columns, mapping)]
		.filter(([path]) => !isLeftOut(path, before))
		.map(([path, size]) => ({ path, size: size / count }))
	const leftOut: string[] = []
	for (const { path, size } of sizes.sort((a, b) => b.size - a.size)) {
		if (rest * rows <= pageBytes * usedPart || size <= shortBytes) break
		leftOut.push(path)
		rest -= size
	}
	return leftOut
}

/** Returns the bytes of all values, by path. */
function sizesByPath(hits: readonly Hit[], columns: readonly Column[], mapping: Mapping): ReadonlyMap<string, number> {
	const paths = new Set(columns.flatMap(column => pathInSource(column, mapping) ?? []))
	// The document of a row has no value under the name of an alias.
	const aliased = new Set([...mapping.fields.values()].flatMap(({ aliasOf }) => aliasOf ?? []))
	// A part of a value that a column shows as a whole cannot be left out, because the rest would look whole.
	const isPart = (path: string) => ancestorsOf(path).some(ancestor => paths.has(ancestor))
	const sizes = new Map<string, number>()
	for (const path of paths) {
		// These characters have a meaning in a filter of the source.
		if (/[*\\]/.test(path) || aliased.has(path) || isPart(path)) continue
		sizes.set(
			path,
			hits.reduce((sum, hit) => sum + sizeIn(hit, path), 0),
		)
	}
	return sizes
}

function sizeIn({ inner }: Hit, path: string): number {
	const range = inner?.range(path)
	if (range) return range[1] - range[0]
	const [first = path] = path.split('.', 1)
	const outer = inner?.range(first)
	// Small objects are not parsed.
	if (inner === undefined || outer === undefined || first === path || outer[1] - outer[0] <= shortBytes) return 0
	const value = readerOf(path)(inner.values(first))
	return value === undefined ? 0 : Buffer.byteLength(stringifyJson(value))
}

/** Returns the paths of the objects around a path. */
function ancestorsOf(path: string): readonly string[] {
	const keys = path.split('.')
	return keys.slice(1).map((_, index) => keys.slice(0, index + 1).join('.'))
}

/** Returns whether a filter that leaves out these paths leaves out this one. */
export function isLeftOut(path: string, leftOut: readonly string[]): boolean {
	return leftOut.includes(path) || ancestorsOf(path).some(ancestor => leftOut.includes(ancestor))
}

/** Returns whether it leaves out a part of this one. */
export function isPartLeftOut(path: string, leftOut: readonly string[]): boolean {
	return leftOut.some(left => left.startsWith(`${path}.`))
}
