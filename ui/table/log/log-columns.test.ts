import { expect, test } from 'vitest'
import type { Column, Row } from '../../../host/api/api.ts'
import { logColumns } from './log-columns.ts'

const column = (name: string, kind: Column['kind'] = 'text'): Column => {
	return { name, kind, type: kind, isKey: name === '_id', isReadOnly: false, isSortable: true }
}
const columns = (...names: readonly string[]) => [
	column('_id'),
	column('created', 'date'),
	column('@timestamp', 'date'),
	...names.map(name => column(name)),
]
/** Rows with the values of one column after the first three. */
const rows = (...values: readonly string[]): readonly Row[] =>
	values.map((value, at) => ({ id: `${at}`, cells: [`${at}`, '', '', 'm', value] }))

test('a log is read by its time, level and message, and by a service and a host', () => {
	const found = logColumns(columns('message', 'host.name', 'logger', 'level', 'service.name'), [])
	expect(found).toEqual({
		time: '@timestamp',
		level: 'level',
		message: 'message',
		sources: ['service.name', 'host.name'],
	})
})

test('a source without a value in the first rows gives way to the next kind of name', () => {
	const all = [...columns('message', 'service.name'), column('log.logger')]
	expect(logColumns(all, [{ id: '0', cells: ['0', '', '', 'm', null, 'shop.Cart'] }])?.sources).toEqual(['log.logger'])
})

test('without known names, the fields of few values tell sources apart', () => {
	expect(logColumns(columns('message', 'region'), rows('eu', 'us', 'eu'))?.sources).toEqual(['region'])
	expect(logColumns(columns('message', 'region'), rows('eu', 'eu'))?.sources).toEqual([])
	const many = Array.from({ length: 40 }, (_, at) => `user ${at}`)
	expect(logColumns(columns('message', 'user'), rows(...many))?.sources).toEqual([])
})

test.each(['severity', 'log.level', 'severity_text', 'loglevel'])('%s is the level of a log', name => {
	expect(logColumns(columns('msg', name), [])?.level).toBe(name)
})

test('a table without a message or without a time is no log', () => {
	expect(logColumns(columns('title'), [])).toBeUndefined()
	expect(logColumns([column('message')], [])).toBeUndefined()
})
