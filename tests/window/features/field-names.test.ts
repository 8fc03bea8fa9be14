import { expect, test } from 'vitest'
import { SampleWindow } from '../../support/window.ts'

/**
 * Attack: documents have fields with names of members of every object: `constructor`, `toString`, `__proto__`. A user
 * who can write one document makes the grid unusable for all its readers, or moves values to other columns.
 */
test('fields with names of members of every object are ordinary columns, and change separately', async () => {
	await using window = await SampleWindow.open()
	const names = ['constructor', 'toString', 'hasOwnProperty', 'valueOf', '__proto__']
	for (const id of ['1', '2']) {
		const members = ['plain', ...names, 'last'].map(name => `${JSON.stringify(name)}:"${name} of ${id}"`)
		await window.cluster(`/named/_doc/${id}?refresh=true`, {
			method: 'PUT',
			body: JSON.parse(`{${members.join(',')}}`),
		})
	}
	await window.page.getByRole('navigation').getByRole('button', { name: 'Reload' }).click()
	const table = await window.openTable('named')
	for (const name of ['plain', ...names, 'last']) {
		await table.scrollTo(name)
		const cell = await table.cell(0, name)
		expect(await cell.innerText()).toBe(`${name} of 1`)
		const [head, below] = [await table.header(name).boundingBox(), await cell.boundingBox()]
		expect([below?.x, below?.width]).toEqual([head?.x, head?.width])
	}
	for (const name of names) {
		await table.scrollTo(name)
		await table.edit(0, name, `new ${name}`)
	}
	await table.save()
	await table.dismissMessage('Saved 1 document.')
	const { _source } = await window.cluster<{ _source: Record<string, string> }>('/named/_doc/1')
	for (const name of names) expect(Object.getOwnPropertyDescriptor(_source, name)?.value).toBe(`new ${name}`)
	expect([_source.plain, _source.last, window.faults]).toEqual(['plain of 1', 'last of 1', []])
})
