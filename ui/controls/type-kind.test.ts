import { expect, test } from 'vitest'
import { kindOfType } from './type-kind.ts'

/** The icon of a type is chosen by its name. */

test.each([
	['bigint', 'number'],
	['numeric(12,2)', 'number'],
	['double precision', 'number'],
	['Timestamp with time zone', 'date'],
	['interval', 'date'],
	['tinyint(1)', 'number'],
	['boolean', 'boolean'],
	['varchar(20)', 'text'],
	["enum('a','b')", 'text'],
	['jsonb', 'json'],
	['text[]', 'json'],
	['bytea', 'binary'],
	['varbinary(16)', 'binary'],
	['uuid', 'other'],
	['shop.order_status', 'other'],
	['', 'other'],
])('%s has values of the kind %s', (type, kind) => {
	expect(kindOfType(type)).toBe(kind)
})
