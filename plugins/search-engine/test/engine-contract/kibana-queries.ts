import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readMapping } from '../../mapping/mapping.ts'
import { correctionOf } from '../../query/kql.ts'
import type { EngineUnderTest } from './subject.ts'

interface Line {
	readonly level?: string
	readonly status?: number
	readonly message?: string
	readonly path?: string
	readonly ip?: string
}

const levels = ['error', 'very bad', undefined]
const statuses = [200, 500, undefined]
const messages = ['connection refused', 'refused', 'done', undefined]
const paths = ['/api/basket', '/api/basket/1', '/api/basket/2', 'api', '/api/', undefined, 'basket']
const ips = ['192.168.1.3', '192.168.1.20', undefined]
/** Each combination of levels, statuses and messages, some of them missing. */
const lines: readonly Line[] = levels
	.flatMap(level => statuses.flatMap(status => messages.map(message => ({ level, status, message }))))
	.map(({ level, status, message }, index) => {
		const [path, ip] = [paths[index % paths.length], ips[index % ips.length]]
		return {
			...(level !== undefined && { level }),
			...(status !== undefined && { status }),
			...(message !== undefined && { message }),
			...(path !== undefined && { path }),
			...(ip !== undefined && { ip }),
		}
	})
const keyword = { type: 'keyword' }
const properties = {
	...{ level: keyword, status: { type: 'long' }, message: { type: 'text' } },
	...{ path: keyword, ip: { type: 'ip' } },
}

const isError = ({ level }: Line) => level === 'error'
const isFailure = ({ status }: Line) => status === 500
const isRefused = ({ message }: Line) => message?.includes('refused') === true

/** What a user types, and the lines that the user means. */
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
	// Without an operator in small letters or a comparison.
	['level : "error"', isError],
	['level : error', isError],
	['path: /api/basket/1', ({ path }) => path === '/api/basket/1'],
	['path : /api/basket/1', ({ path }) => path === '/api/basket/1'],
	['path: "/api/basket/1"', ({ path }) => path === '/api/basket/1'],
	['path:/api/basket*', ({ path }) => path?.startsWith('/api/basket') === true],
	['path: /api/*/1', ({ path }) => path === '/api/basket/1'],
	['path: (/api/basket/1 or /api/basket/2)', ({ path }) => /basket\/[12]/.test(path ?? '')],
	['path: /api/basket/1 AND level: error', line => isError(line) && line.path === '/api/basket/1'],
	['ip: 192.168.1.0/28', ({ ip }) => ip === '192.168.1.3'],
	['message: connection done', ({ message }) => /connection|done/.test(message ?? '')],
	['message : connection done', ({ message }) => /connection|done/.test(message ?? '')],
	['level: very bad', ({ level }) => level === 'very bad'],
	// Lucene syntax, which stays as it is.
	['path:/api/', ({ path }) => path === 'api'],
	['path:/.api.basket.[0-9]/', ({ path }) => /basket\/[12]/.test(path ?? '')],
	['status:500 done', line => isFailure(line) || line.message === 'done'],
]

/** The query bar searches for the correction of a text if there is one. */
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
			const raw = correctionOf(text, mapping) ?? text
			const ids = await engine.idsOf({ table, raw })
			const expected = lines.flatMap((line, index) => (isFound(line) ? [String(index)] : []))
			expect(ids.sort(), raw).toEqual(expected.sort())
		})
	})
}
