import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readMapping } from '../../mapping/mapping.ts'
import { kqlInLuceneSyntax } from '../../query/kql.ts'
import type { EngineUnderTest } from './subject.ts'

interface Line {
	readonly level?: string
	readonly status?: number
	readonly message?: string
}

const levels = ['error', 'very bad', undefined]
const statuses = [200, 500, undefined]
const messages = ['connection refused', 'refused', 'done', undefined]
/** Each combination of values, some of them missing. */
const lines: readonly Line[] = levels.flatMap(level =>
	statuses.flatMap(status =>
		messages.map(message => ({
			...(level !== undefined && { level }),
			...(status !== undefined && { status }),
			...(message !== undefined && { message }),
		})),
	),
)
const properties = { level: { type: 'keyword' }, status: { type: 'long' }, message: { type: 'text' } }

const isError = ({ level }: Line) => level === 'error'
const isFailure = ({ status }: Line) => status === 500
const isRefused = ({ message }: Line) => message?.includes('refused') === true

/** What a user of Kibana types, and the lines that Kibana finds. */
const queries: readonly (readonly [string, (line: Line) => boolean])[] = [
	['level : "error" and status >= 500', line => isError(line) && isFailure(line)],
	['level : "error" or status >= 500', line => isError(line) || isFailure(line)],
	['not level: error', line => !isError(line)],
	['not level: error and status: 500', line => !isError(line) && isFailure(line)],
	['not level: error or status: 500', line => !isError(line) || isFailure(line)],
	['status: 500 or not level: error', line => !isError(line) || isFailure(line)],
	['not (level: error or status: 500)', line => !isError(line) && !isFailure(line)],
	['not not level: error', isError],
	['level: error or status: 500 and message: refused', line => isError(line) || (isFailure(line) && isRefused(line))],
	['(level: error or status: 500) and message: refused', line => (isError(line) || isFailure(line)) && isRefused(line)],
	['level: (error or very bad) and status: *', ({ level, status }) => level !== undefined && status !== undefined],
	['level: (not error)', line => !isError(line)],
	['level: (error or not very bad)', line => line.level !== 'very bad'],
	['message: (refused and not connection)', ({ message }) => message === 'refused'],
	['level: very bad and status < 300', ({ level, status }) => level === 'very bad' && status === 200],
	['level: very b* and status < 300', ({ level, status }) => level === 'very bad' && status === 200],
	['message: connection done and level: error', line => isError(line) && /connection|done/.test(line.message ?? '')],
	['message: "connection refused" and level: error', line => isError(line) && line.message === 'connection refused'],
	['connection done and level: error', line => isError(line) && /connection|done/.test(line.message ?? '')],
	['not message: *', ({ message }) => message === undefined],
]

/** Queries of Kibana's language find the same when they are written in Lucene syntax. */
export function describeKibanaQueries(engine: EngineUnderTest) {
	describe('queries of Kibana', () => {
		const table = `${engine.table}-kibana`
		const mapping = readMapping({ [table]: { mappings: { properties } } })
		beforeAll(async () => {
			await engine.createTable(table, { properties })
			await engine.bulk(
				table,
				lines.map((line, index) => [String(index), JSON.stringify(line)] as const),
			)
		})
		afterAll(() => engine.request('DELETE', `/${table}`))

		test.each(queries)('%s', async (text, isFound) => {
			const raw = kqlInLuceneSyntax(text, mapping)
			if (raw === undefined) throw new Error('not read')
			const ids = await engine.idsOf({ table, raw })
			const expected = lines.flatMap((line, index) => (isFound(line) ? [String(index)] : []))
			expect(ids.sort(), raw).toEqual(expected.sort())
		})
	})
}
