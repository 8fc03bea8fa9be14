import { readFileSync } from 'node:fs'
import { packageSchema } from '@roundhouse/kit/manifest'
import { expect, test } from 'vitest'
import { initialValues, isVisible, sections, settingsOf, valueError } from './form-values.ts'

/** The form of a driver. */
const { roundhouse: manifest } = packageSchema.parse(
	JSON.parse(readFileSync('plugins/search-engine/package.json', 'utf8')),
)

test('a new form has its default values', () => {
	expect(initialValues(manifest)).toMatchObject({ hosts: 'localhost:9200', auth: 'basic', sslMode: 'Disabled' })
})

test('a field is shown only if its condition applies', () => {
	const shown = (auth: string) =>
		manifest.form.filter(field => isVisible(field, { ...initialValues(manifest), auth })).map(field => field.key)
	expect(shown('basic')).toEqual(expect.arrayContaining(['username', 'password']))
	expect(shown('apiKey')).not.toContain('password')
	expect(shown('none')).not.toEqual(expect.arrayContaining(['username']))
})

test('a section without visible fields is not shown', () => {
	for (const section of sections(manifest, initialValues(manifest))) expect(section.fields.length).toBeGreaterThan(0)
})

test('hidden and empty values are not saved, so a stored secret stays', () => {
	const values = { ...initialValues(manifest), auth: 'none', username: 'me', password: '' }
	const settings = settingsOf(manifest, values)
	expect(settings).toMatchObject({ auth: 'none' })
	expect(settings).not.toHaveProperty('username')
	expect(settings).not.toHaveProperty('password')
})

test('the error names missing values', () => {
	const field = { key: 'h', label: 'Hosts', type: 'text', section: '', required: true } as const
	expect(valueError(field, '')).toBe('Hosts is required.')
	expect(valueError({ ...field, type: 'number', required: false }, 'x')).toBe('Hosts must be a number.')
	expect(valueError(field, 'a')).toBeUndefined()
})
