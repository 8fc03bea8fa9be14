import { describe, expect, test } from 'vitest'
import { complete } from '../console/complete/complete.ts'
import { specificationOf } from '../console/complete/specification.ts'
import { linesOf, membersOfInterface, publishedRoutes, publishedTypes } from './published.ts'

describe.each([7, 8, 9])('of the clients for %d.x', major => {
	const known = {
		specification: () => specificationOf(major),
		version: [major, 0] as const,
		indices: async () => ['some-index'],
		sources: async () => [],
		catColumns: async () => [],
		clusterSettings: async () => [],
		values: async () => [],
		mapping: async () => undefined,
	}
	const kept = new Map<string, Promise<ReadonlySet<string>>>()

	/** Returns the completions at the end of a text. */
	function offered(text: string): Promise<ReadonlySet<string>> {
		const found =
			kept.get(text) ??
			complete(text, text.length, known).then(({ options }) => new Set(options.map(({ label }) => label)))
		kept.set(text, found)
		return found
	}

	const routes = publishedRoutes(major).filter(({ path }) => !path.startsWith('/_sql'))
	const filled = (path: string) => path.replaceAll('{}', 'x1')

	test('completes every path with every method, segment by segment', async () => {
		expect(routes.length).toBeGreaterThan(600)
		const missing: string[] = []
		for (const { method, path } of routes) {
			const segments = path.split('/').slice(1)
			for (const [index, segment] of segments.entries()) {
				if (segment === '{}' || segment === '') continue
				const before = filled(['', ...segments.slice(0, index), ''].join('/'))
				if (!(await offered(`${method} ${before}`)).has(segment)) missing.push(`${method} ${path} at ${segment}`)
			}
		}
		expect(missing).toEqual([])
	})

	test('completes every parameter', async () => {
		const missing: string[] = []
		let count = 0
		for (const { method, path, query } of routes) {
			const labels = await offered(`${method} ${filled(path)}?`)
			for (const name of query) {
				count++
				if (!labels.has(name)) missing.push(`${method} ${path}?${name}`)
			}
		}
		expect(count).toBeGreaterThan(1500)
		expect(missing).toEqual([])
	})

	test.each([
		['query', '"query": {', /^QueryDslQueryContainer(?:ExclusiveProps|CommonProps)?$/],
		['aggregation', '"aggs": { "mine": {', /^AggregationsAggregationContainer(?:ExclusiveProps|CommonProps)?$/],
	])('completes every kind of %s with its keys', async (_, place, container) => {
		const types = publishedTypes(major)
		const names = [...types.matchAll(/^(?:export )?interface (\w+)/gm)].flatMap(([, name = '']) =>
			container.test(name) ? [name] : [],
		)
		const lines = names.flatMap(name => linesOf(types, name))
		const kinds = lines.flatMap(line => /^(?: {2}| {4})(\w+)\?: (.*?);?$/.exec(line)?.slice(1, 3).map(String) ?? [])
		expect(kinds.length).toBeGreaterThan(100)
		const start = `POST /some-index/_search\n{ ${place} `
		const missing: string[] = []
		let keys = 0
		for (let at = 0; at < kinds.length; at += 2) {
			const [kind = '', type = ''] = kinds.slice(at)
			if (!(await offered(`${start}"`)).has(kind)) missing.push(kind)
			const [, byField, name = ''] = /^(Partial<Record<Field, )?(\w+)/.exec(type) ?? []
			const inside = `${start}"${kind}": { ${byField === undefined ? '' : '"some.field": { '}"`
			for (const key of membersOfInterface(types, name)) {
				keys++
				if (!(await offered(inside)).has(key)) missing.push(`${kind}.${key}`)
			}
		}
		expect(keys).toBeGreaterThan(100)
		expect(missing).toEqual([])
	})
})
