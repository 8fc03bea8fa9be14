import { parseJson } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { call, openSample } from '../test/fixture.ts'

test('removes an alias from those of the chosen indices that have it, as a write', async () => {
	await using opened = await openSample()
	const { connection } = opened
	const labels = async (...tables: string[]) =>
		(await connection.tableActions(tables, call())).map(({ label }) => label)
	expect(await labels('events')).not.toContain('Remove an alias …')
	const actions = await connection.tableActions(['books', 'events'], call())
	const form = actions.find(({ label }) => label === 'Remove an alias …')?.form
	expect(form?.fields).toMatchObject([{ key: 'alias', default: 'library' }])
	const fill = (alias: string) =>
		connection.fillAction({ tables: ['books', 'events'], form: form?.id ?? '', values: { alias } }, call())
	const text = await fill('library')
	const [line, ...body] = text.split('\n')
	expect(line).toBe('POST /_aliases')
	expect(parseJson(body.join('\n'))).toEqual({ actions: [{ remove: { index: 'books', alias: 'library' } }] })
	expect(connection.console.analyse(text).map(({ access }) => access)).toEqual(['write'])
	await expect(fill('gone')).rejects.toThrow('no longer have the alias gone')
})
