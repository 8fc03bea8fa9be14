import { expect, test } from 'vitest'
import { cyclesIn, imports, sources } from './sources.ts'

/**
 * Files in an import cycle can be read, moved and tested only together. Type imports count too: a type that both files
 * need belongs to the lower file, or to a separate file.
 */
test('there are no import cycles', () => {
	expect(imports.length).toBeGreaterThan(1000)
	const targets = new Map(sources.map(file => [file, new Set<string>()]))
	for (const { file, target } of imports) targets.get(file)?.add(target)
	expect(cyclesIn(targets)).toEqual([])
})
