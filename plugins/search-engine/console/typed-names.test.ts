import { expect, test } from 'vitest'
import { fullEngine } from '../test/fixture.ts'
import type { Engine } from '../transport/product.ts'
import { classifyRequest } from './classify.ts'
import { readRequest } from './request.ts'

/** 7.x reads `_doc` as a type: a mapping below it was judged, and shown, as a document. */

const seven: Engine = { version: [7, 17], isOpenSource: false, isServerless: false }
const access = (text: string, engine: Engine) => classifyRequest(readRequest(text), engine).access

test.each(['_mapping', '_mappings'])('on 7.x, %s below a type is a mapping', name => {
	const typed = (body: string) => access(`PUT /b/_doc/${name}?include_type_name=true\n${body}`, seven)
	expect(typed('{"_doc":{"_source":{"enabled":false}}}')).toBe('destructive')
	expect(typed('{"_doc":{"properties":{}}}')).toBe('write')
})

test.each([
	'PUT /b/_doc/_close',
	'PUT /b/_create/_settings',
	'POST /b/_update/_open',
])('on 7.x, any other id with an underscore is destructive: %s', line => {
	expect(access(`${line}\n{}`, seven)).toBe('destructive')
	expect(access(`${line}\n{}`, fullEngine)).toBe('write')
})
