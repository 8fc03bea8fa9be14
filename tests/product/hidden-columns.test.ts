import { expect, test } from 'vitest'
import { Roundhouse } from '../support/roundhouse.ts'

test('the command line hides columns from AI clients, lists them, and shows them again', async () => {
	await using roundhouse = await Roundhouse.make()
	await roundhouse.install()
	const settings = ['--set', 'hosts=http://127.0.0.1:1', '--set', 'auth=none']
	await roundhouse.json(['connection', 'add', '--driver', 'search-engine', '--name', 'Mine', ...settings])
	const marks = (...columns: readonly string[]) => columns.map(column => ({ table: 'people', column }))
	expect(await roundhouse.json(['connection', 'hide', 'Mine', 'people', 'email', 'phone'])).toEqual(
		marks('email', 'phone'),
	)
	expect(await roundhouse.json(['connection', 'unhide', 'Mine', 'people', 'email'])).toEqual(marks('phone'))
	expect(await roundhouse.json(['connection', 'hidden', 'Mine'])).toEqual(marks('phone'))
})
