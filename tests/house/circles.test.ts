import { expect, test } from 'vitest'
import { circlesIn, imports, sources } from './sources.ts'

/**
 * Files that import each other in a circle can only be read, moved and tested together. Type imports count too: a type
 * that both files need belongs to the lower file, or to a separate file.
 */
test('no files import each other in a circle', () => {
	expect(imports.length).toBeGreaterThan(1000)
	const targets = new Map(sources.map(file => [file, new Set<string>()]))
	for (const { file, target } of imports) targets.get(file)?.add(target)
	expect(circlesIn(targets)).toEqual([])
})
