import { expect, test } from 'vitest'
import { driverMethods } from './methods.ts'

test('rejects a change with a cut value', () => {
	const { params } = driverMethods.applyChanges
	const isTaken = (cell: object) => {
		const update = { kind: 'update', rowId: '1', set: { list: cell } }
		const insert = { kind: 'insert', values: { list: cell } }
		return [update, insert].map(
			change => params.safeParse({ connection: 1, table: 'books', changes: [change] }).success,
		)
	}
	expect(isTaken({ json: '[1]' })).toEqual([true, true])
	expect(isTaken({ json: '[1...', cutFrom: 20_000 })).toEqual([false, false])
	expect(isTaken({ unread: true })).toEqual([false, false])
})

test('keeps the value of every column, whatever its name', () => {
	const change = JSON.parse('{"kind":"insert","values":{"__proto__":"mine","constructor":1}}')
	const { changes } = driverMethods.applyChanges.params.parse({ connection: 1, table: 'books', changes: [change] })
	expect(JSON.stringify(changes)).toBe(JSON.stringify([change]))
})
