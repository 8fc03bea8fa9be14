import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const textOf = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')

test('a user of the grid gives it at most 15 members, those of its model counted', () => {
	const [, props = ''] = /export function Grid\(props: \{(.*?)\n\}\)/s.exec(textOf('view/grid.tsx')) ?? []
	const names = [...props.matchAll(/^\treadonly (\w+)\??:/gm)].map(([, name]) => name)
	const [, model = ''] = /return \{ (.*) \}\n\}/.exec(textOf('model.ts')) ?? []
	const members = model.split(', ')
	expect(names).toContain('grid')
	expect(members).toContain('source')
	expect(names.length + members.length).toBeLessThanOrEqual(15)
})
