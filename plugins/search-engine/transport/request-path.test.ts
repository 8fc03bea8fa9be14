import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parsePath, pathOf } from './request-path.ts'

const sent = (text: string) => {
	const { pathname, search } = parsePath(text)
	return search === '' ? pathname : `${pathname}?${search}`
}

test('sends a path in one spelling', () => {
	expect(sent('_cat/indices?format=json')).toBe('/_cat/indices?format=json')
	expect(sent('/books//_search/')).toBe('/books/_search')
	expect(sent('/')).toBe('/')
	expect(sent('/books/_doc/a%2Fb%20c')).toBe('/books/_doc/a%2Fb%20c')
	expect(sent('/logs-*,books/_search?q=title:"two words"&size=1')).toBe(
		'/logs-*%2Cbooks/_search?q=title:%22two%20words%22&size=1',
	)
	expect(sent('/<logs-{now%2Fd}>/_search')).toBe('/%3Clogs-%7Bnow%2Fd%7D%3E/_search')
	expect(sent('/bücher/_search?q=größe%21')).toBe('/b%C3%BCcher/_search?q=gr%C3%B6%C3%9Fe%21')
	expect(sent('remote:books/_search')).toBe('/remote%3Abooks/_search')
})

test.each([
	['/a/_search?q=x&time_zone=+08:00', '/a/_search?q=x&time_zone=%2B08:00'],
	['/a/_search?time_zone=%2B08:00&q=+a%20-b', '/a/_search?time_zone=%2B08:00&q=%2Ba%20-b'],
	['/a/_search?q=100%&x=%{[agent.name]}', '/a/_search?q=100%25&x=%25%7B%5Bagent.name%5D%7D'],
	['/a/_search?q=%25{x}&y=%zz', '/a/_search?q=%25%7Bx%7D&y=%25zz'],
	['/<kube-{now/d}>/_search', '/%3Ckube-%7Bnow%2Fd%7D%3E/_search'],
	['/%3Ckube-%7Bnow%2Fd%7D%3E/_search', '/%3Ckube-%7Bnow%2Fd%7D%3E/_search'],
	['/<kube-{now%2Fd}>/_search', '/%3Ckube-%7Bnow%2Fd%7D%3E/_search'],
	[
		'/<a-{now/M-1d{yyyy.MM.dd|+12:00}}>,b,<c-{now-1w/w}>/_count',
		'/%3Ca-%7Bnow%2FM-1d%7Byyyy.MM.dd%7C%2B12%3A00%7D%7D%3E%2Cb%2C%3Cc-%7Bnow-1w%2Fw%7D%3E/_count',
	],
	['/_ingest/pipeline/%{type}', '/_ingest/pipeline/%25%7Btype%7D'],
	['/<not-math/_search', '/%3Cnot-math/_search'],
])('sends %s as %s', (typed, encoded) => {
	expect(sent(typed)).toBe(encoded)
	expect(sent(encoded)).toBe(encoded)
})

test('any parameter in a path survives unchanged', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'grapheme' }), value => {
			fc.pre(value.isWellFormed() && !/[\p{Cc}&]|%[0-9a-f]{2}/iu.test(value))
			const { search } = parsePath(`/a?x=${value}`)
			expect(new URLSearchParams(search).get('x')).toBe(value)
			expect(search).toMatch(/^[\x21-\x7e]*$/)
		}),
	)
})

test('any id in a path survives unchanged', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), id => {
			fc.pre(id.isWellFormed())
			const path = pathOf('books', '_doc', id)
			expect(path).toMatch(/^\/books\/_doc\/[\x21-\x7e]+$/)
			expect(path.split('/')).toHaveLength(4)
			expect(decodeURIComponent(path.split('/')[3] ?? '')).toBe(id)
		}),
	)
})

test('a path cannot leave the node', () => {
	for (const text of [
		'http://other/x',
		'HTTPS://other/x',
		'/../x',
		'/a/%2e%2E/x',
		'/a/%252e%252e/x',
		'/a/./x',
		'/a\\b',
		'/a b',
		'/a#b',
		'/a\nHost: other',
		'/a?x=1\r\nHost: other',
		'/a\u0000',
		'/a\ud800',
		'/%zz',
	]) {
		expect(() => parsePath(text), text).toThrow('The request path is malformed')
	}
	expect(sent('//other.example/x')).toBe('/other.example/x')
})

test('rejects _sql in every spelling', () => {
	for (const text of [
		'/_sql',
		'_sql',
		'/_sql?format=txt',
		'/_sql/translate',
		'/_sql/close',
		'/_sql/async/xyz',
		'//_sql',
		'/_SQL',
		'/%5fsql',
		'/_%73ql',
		'/%255Fsql',
		'/%25255Fsql',
		'/_xpack/sql',
		'/_xpack//sql/translate',
		'/_XPACK/%53QL',
		'/_xpack%2Fsql',
		'/books/_sql',
		'/proxy/es/_sql',
		'/_sql%2Ftranslate',
		'/_sql;x=1',
		'/_sql%20',
		'/_sql%3Fformat=txt',
	]) {
		expect(() => parsePath(text), text).toThrow('_sql')
	}
})

test('accepts a document called _sql, and an index whose name contains the letters', () => {
	expect(sent('/books/_doc/_sql')).toBe('/books/_doc/_sql')
	expect(sent('/my_sql/_search?q=_sql')).toBe('/my_sql/_search?q=_sql')
	expect(sent('/sql/_search')).toBe('/sql/_search')
})
