import { expect, test } from 'vitest'
import type { Column } from '../../../host/api/api.ts'
import { isGeneratedKey, isRequired } from './needed-values.ts'

const key = (more: Partial<Column> = {}): Column => ({
	name: 'id',
	type: 'integer',
	kind: 'number',
	isKey: true,
	isReadOnly: false,
	isSortable: true,
	...more,
})

test('a key without a default is required, whatever the manifest says of keys', () => {
	const plain = key({ isRequired: true })
	expect([isRequired(plain), isGeneratedKey(plain, 'generated'), isGeneratedKey(plain, 'given')]).toEqual([
		true,
		false,
		false,
	])
})

test('a key with a default or an identity is generated', () => {
	for (const column of [key({ generated: 'default' }), key({ default: "nextval('ids')" })])
		expect([isRequired(column), isGeneratedKey(column, 'given')]).toEqual([false, true])
})

test('the manifest decides about a key of which the driver says nothing', () => {
	expect([isGeneratedKey(key(), 'generated'), isGeneratedKey(key(), 'given')]).toEqual([true, false])
})

test('a column with a default or a generated value needs no value, even if it is required', () => {
	expect(isRequired(key({ isRequired: true }))).toBe(true)
	expect(isRequired(key({ isRequired: true, default: 'now()' }))).toBe(false)
	expect(isRequired(key({ isRequired: true, generated: 'always' }))).toBe(false)
})
