import { expect, test } from 'vitest'
import { imports, sources } from './sources.ts'

/**
 * Files that import each other in a circle can only be read, moved and tested together. Types count: who needs a type of
 * a file that needs one of his has the two the wrong way round, or one file in two.
 */
function circles(): string[][] {
	const targets = Map.groupBy(imports, ({ file }) => file)
	const found: string[][] = []
	const done = new Set<string>()
	const visit = (file: string, path: readonly string[]) => {
		const at = path.indexOf(file)
		if (at >= 0) return void found.push([...path.slice(at), file])
		if (done.has(file)) return
		for (const { target } of targets.get(file) ?? []) visit(target, [...path, file])
		done.add(file)
	}
	for (const file of sources) visit(file, [])
	return found
}

test('no files import each other in a circle', () => {
	expect(imports.length).toBeGreaterThan(1000)
	expect(circles().map(circle => circle.join(' → '))).toEqual([])
})
