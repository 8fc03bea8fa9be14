import { expect, test } from 'vitest'
import { specificationOf } from '../console/complete/specification.ts'
import { publishedRoutes } from './published.ts'
import { serverlessEndpoints, shapeOf } from './serverless-endpoints.ts'

const endpoints = serverlessEndpoints()
const offered = new Set(endpoints.flatMap(({ methods, path }) => methods.map(method => `${method} ${shapeOf(path)}`)))
/** A name that no word of the API and no other kind of name can be taken for. */
const segmentsOf = (shape: string) => shape.replaceAll('{}', 'x1').split('/').filter(Boolean)
/** The client describes endpoints as the specification does, but with one method of several that mean the same. */
const published = [...new Set(publishedRoutes(9).map(({ method, path }) => `${method} ${path}`))]

test('the list of endpoints is complete and readable', () => {
	expect(endpoints).toHaveLength(285)
	for (const { methods, path } of endpoints) {
		expect(path).toMatch(/^\/[\w{}/]*$/)
		for (const method of methods) expect(['GET', 'HEAD', 'POST', 'PUT', 'DELETE']).toContain(method)
	}
})

test('completion on Serverless has every endpoint that it offers and the client describes', async () => {
	const specification = await specificationOf('serverless')
	const known = published.filter(line => offered.has(line) && !line.includes(' /_sql'))
	expect(known.length).toBeGreaterThan(300)
	const missing = known.filter(line => {
		const [method = '', shape = ''] = line.split(' ')
		return specification.endpoint(method, segmentsOf(shape)) === undefined
	})
	expect(missing).toEqual([])
})

test('completion on Serverless has no endpoint that it does not offer', async () => {
	const specification = await specificationOf('serverless')
	const others = published.filter(line => !offered.has(line) && !line.includes(' /_sql'))
	expect(others.length).toBeGreaterThan(200)
	const wrong = others.filter(line => {
		const [method = '', shape = ''] = line.split(' ')
		const segments = segmentsOf(shape)
		const last = segments.at(-1) ?? ''
		return specification.next(method, segments.slice(0, -1)).words.get(last)?.methods.includes(method)
	})
	expect(wrong).toEqual([])
})
