import { expect, test } from 'vitest'
import { namespaceWords } from './place-words.ts'

test('a console names its database and its schema, and none after its database was dropped', () => {
	expect(namespaceWords({ database: 'shop', schema: 'public' })).toBe('shop.public')
	expect(namespaceWords({ database: '' })).toBeUndefined()
})
