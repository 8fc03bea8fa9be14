import type { Statement } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { call } from '../fixture.ts'
import type { EngineUnderTest } from './subject.ts'

/** Contract of explanations: where a query spends its time. */
export function describeExplains(engine: EngineUnderTest) {
	const statementOf = (text: string): Statement => {
		const [verdict] = engine.connection.console.analyse(text)
		if (!verdict) throw new Error('no statement')
		return { ...verdict, text }
	}

	test('measures a search, its count, and the rows of a grid by running them', async () => {
		const rows = {
			table: engine.largeTable,
			filters: [{ column: 'n', operator: 'less', values: ['100'] }],
			match: 'all',
			sort: [{ column: 'm', direction: 'desc' }],
		} as const
		const explained = [
			{ statement: statementOf(`GET /${engine.largeTable}/_search\n{"query": {"term": {"m": "a"}}}`) },
			{ statement: statementOf(`GET /${engine.largeTable}/_search?q=m:a&size=1`) },
			{ statement: statementOf(`POST /${engine.largeTable}/_count\n{"query": {"match_all": {}}}`) },
			{ query: rows },
		]
		for (const what of explained) {
			const { wasRun, tookMs, steps } = await engine.connection.explain(what, call())
			expect([wasRun, typeof tookMs, steps[0]?.depth]).toEqual([true, 'number', 0])
			for (const { name, share = -1 } of steps) {
				expect(name).not.toBe('')
				expect(share).toBeGreaterThanOrEqual(0)
				expect(share).toBeLessThanOrEqual(1)
			}
		}
	})

	test('rejects other statements with a message, and reports a rejection by the engine', async () => {
		for (const text of ['GET /_cluster/health', `GET /${engine.largeTable}/_search?scroll=1m`, 'GET /_cat/indices?v']) {
			await expect(engine.connection.explain({ statement: statementOf(text) }, call())).rejects.toThrow(/Only a search/)
		}
		const broken = statementOf(`GET /${engine.largeTable}/_search\n{"query": {"nonsense": {}}}`)
		await expect(engine.connection.explain({ statement: broken }, call())).rejects.toMatchObject({
			code: 'query_failed',
		})
	})
}
