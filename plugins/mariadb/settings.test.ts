import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { manifestSchema } from '@roundhouse/kit/manifest'
import { expect, test } from 'vitest'
import { readSettings, sslModes } from './settings.ts'

test('the manifest is valid, and its form has the SSL modes and defaults that are read', async () => {
	const text = await readFile(join(import.meta.dirname, 'package.json'), 'utf8')
	const { form } = manifestSchema.parse(JSON.parse(text).roundhouse)
	const field = (key: string) => form.find(field => field.key === key)
	expect(field('sslMode')?.options?.map(({ value }) => value)).toEqual(sslModes)
	const defaults = Object.fromEntries(
		form.flatMap(({ key, default: value }) => (value === undefined ? [] : [[key, value] as const])),
	)
	expect(readSettings(defaults)).toEqual(readSettings({}))
})

test.each<readonly [object, string]>([
	[{ port: 70_000 }, 'The port 70000'],
	[{ sslMode: 'prefer' }, 'The SSL mode prefer'],
])('refuses %j', (settings, message) => {
	expect(() => readSettings({ ...settings })).toThrow(message)
})
