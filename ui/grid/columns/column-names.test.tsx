import { expect, test } from 'vitest'
import { FakeTable } from '../../testing/fake-tables.ts'
import { openWindow } from '../../testing/fake-window.tsx'

/**
 * Attack: rows have columns with names of members of every object: `constructor`, `toString`, `__proto__`. A user who can
 * write one row makes the grid unusable for all its readers, or moves values to other columns.
 */
const names = ['constructor', 'toString', 'hasOwnProperty', 'valueOf', '__proto__']
const all = ['plain', ...names, 'last']

test('columns with names of members of every object are ordinary columns, and change separately', async () => {
	const rows = ['1', '2'].map(id => [id, ...all.map(name => `${name} of ${id}`)])
	const columns = Object.fromEntries([['id', {}], ...all.map(name => [name, {}] as const)])
	const stored = new FakeTable('named', { columns, rows })
	const window = await openWindow({ tables: [stored] })
	const table = await window.openTable('named')
	for (const name of all) {
		await table.scrollTo(name)
		await expect.poll(() => table.texts(name)).toEqual([`${name} of 1`, `${name} of 2`])
		const [head, below] = [table.header(name), table.cell(0, name).element()].map(part => part.getBoundingClientRect())
		expect([below?.x, below?.width]).toEqual([head?.x, head?.width])
	}
	for (const name of names) {
		await table.scrollTo(name)
		await table.edit(0, name, `new ${name}`)
	}
	await table.save()
	for (const name of names) await expect.poll(() => stored.value('["1"]', name)).toBe(`new ${name}`)
	expect(['plain', 'last'].map(name => stored.value('["1"]', name))).toEqual(['plain of 1', 'last of 1'])
	for (const name of all) expect(stored.value('["2"]', name)).toBe(`${name} of 2`)
})
