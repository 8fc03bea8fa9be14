import type { Column } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { readHits } from '../hits/read-hits.ts'
import { columnsOf } from '../mapping/columns.ts'
import { readMapping } from '../mapping/mapping.ts'
import { Reply } from '../transport/reply.ts'
import { inDocumentOrder } from './document-order.ts'

const long = { type: 'long' }
const properties = {
	added: long,
	author: { properties: { born: long, name: { type: 'keyword' } } },
	empty: long,
	title: { type: 'text' },
	year: long,
}
const columns = columnsOf(readMapping({ books: { mappings: { properties } } }))

const orderOf = (...documents: readonly unknown[]) => orderIn(columns, ...documents)
function orderIn(columns: readonly Column[], ...documents: readonly unknown[]): readonly string[] {
	const hits = documents.map((_source, id) => ({ _index: 'books', _id: String(id), _source }))
	const bytes = Buffer.from(JSON.stringify({ hits: { hits } }))
	const { hits: read } = readHits(new Reply({ status: 200, statusText: 'OK', headers: {}, bytes }))
	return inDocumentOrder(columns, read).map(({ name }) => name)
}
const meta = ['_id', '_index', '_score']

test('orders columns by the fields of the documents, also nested ones, not alphabetically', () => {
	expect(orderOf({ title: 'A', author: { name: 'B', born: 1 }, year: 2 })).toEqual([
		...meta,
		'title',
		'author.name',
		'author.born',
		'year',
		'added',
		'empty',
	])
})

test('places a field that only a later document has at its position in that document', () => {
	expect(orderOf({ title: 'A', year: 2 }, { title: 'B', added: 3, year: 4, 'author.born': 5 })).toEqual([
		...meta,
		'title',
		'added',
		'year',
		'author.born',
		'author.name',
		'empty',
	])
})

test('begins with time, level, service and message of a log', () => {
	const log = readMapping({
		logs: {
			mappings: {
				properties: {
					'@timestamp': { type: 'date' },
					agent: { properties: { name: { type: 'keyword' } } },
					log: { properties: { level: { type: 'keyword' }, logger: { type: 'keyword' } } },
					message: { type: 'text' },
					service: { properties: { name: { type: 'keyword' } } },
				},
			},
		},
	})
	const document = {
		agent: { name: 'a' },
		log: { logger: 'l', level: 'error' },
		message: 'm',
		'@timestamp': '2026',
		service: { name: 's' },
	}
	expect(orderIn(columnsOf(log), document)).toEqual([
		...meta,
		'@timestamp',
		'log.level',
		'service.name',
		'message',
		'agent.name',
		'log.logger',
	])
})

test('keeps the order of the mapping if there are no documents', () => {
	expect(orderOf()).toEqual(columns.map(({ name }) => name))
})
