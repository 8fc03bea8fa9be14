import { parseJson } from '@roundhouse/kit/json'
import { expect, test } from 'vitest'
import type { Column } from '../../../host/api/api.ts'
import { duplicated } from './duplicated.ts'

const column = (name: string, changes: Partial<Column> = {}): Column => ({
	name,
	type: '',
	kind: 'text',
	isKey: false,
	isReadOnly: false,
	isSortable: true,
	...changes,
})

test('a new row has every digit of the other one, without its key and what the engine sets', () => {
	const row = parseJson(
		'{"id":7,"total":1.50,"made":"now","big":12345678901234567890,"author":{"name":"Ada"},"tags":["a"]}',
	)
	const columns = [
		column('id', { isKey: true }),
		column('made', { isReadOnly: true }),
		column('total', { generated: 'default' }),
		column('author.name'),
		column('missing', { isReadOnly: true }),
	]
	const draft = duplicated({ document: row, jsonNulls: ['tags'] }, columns)
	expect(draft?.jsonNulls).toEqual(['tags'])
	expect(draft?.keys).toEqual({})
	expect(JSON.stringify(parseJson(draft?.text ?? ''))).toBe(
		'{"total":1.50,"big":12345678901234567890,"author":{"name":"Ada"},"tags":["a"]}',
	)
	expect(duplicated({ document: ['no row'], jsonNulls: [] }, columns)).toBeUndefined()
})
