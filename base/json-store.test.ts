import { readFile, rm, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { temporarySupport } from '../tests/support/support-directory.ts'
import { JsonStore } from './json-store.ts'

const schema = z.array(z.string())

test('a narrowing is visible before it is written, also during the write of another change', async () => {
	await using support = await temporarySupport()
	const path = support.file('list.json')
	const store = await JsonStore.open(path, schema, ['a', 'b'])
	const seen: (readonly string[])[] = []
	store.onChange(value => seen.push(value))
	const adding = store.update(list => [...list, 'c'])
	const taking = store.narrow(list => list.filter(name => name !== 'a'))
	expect(store.value).toEqual(['b'])
	await adding
	expect(store.value).toEqual(['b', 'c'])
	await taking
	expect(seen.every(list => !list.includes('a'))).toBe(true)
	expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(['b', 'c'])
})

test('an addition is not visible until it is written; a narrowing that is not written is reported, and written with the next change', async () => {
	await using support = await temporarySupport()
	const path = support.file('folder/list.json')
	const store = await JsonStore.open(path, schema, ['a', 'b'])
	await writeFile(support.file('folder'), '')
	await expect(store.update(list => [...list, 'c'])).rejects.toThrow()
	expect(store.value).toEqual(['a', 'b'])
	await expect(store.narrow(list => list.filter(name => name !== 'a'))).rejects.toThrow(
		'applies only until Roundhouse stops',
	)
	expect(store.value).toEqual(['b'])
	await rm(support.file('folder'))
	await store.update(list => [...list, 'd'])
	expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(['b', 'd'])
})
