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
	readonly at?: string
	readonly staff?: readonly { readonly name: string; readonly age: number }[]
}

const levels = ['error', 'very bad', undefined]
const statuses = [200, 500, undefined]
const messages = ['connection refused', 'refused', 'done', undefined]
const paths = ['/api/basket', '/api/basket/1', '/api/basket/2', 'api', '/api/', undefined, 'basket']
/** Three days, the first two before the test and the last one after it. */
const days = ['2026-01-24T10:00:00Z', '2026-01-25T10:00:00Z', '2126-01-26T10:00:00Z', undefined]
const ann = { name: 'Ann', age: 50 }
const staffs = [
	[ann],
	[
		{ ...ann, age: 20 },
		{ name: 'Bob', age: 60 },
	],
	undefined,
	[{ name: 'Bob', age: 60 }],
	undefined,
]
const ips = ['192.168.1.3', '192.168.1.20', undefined]
/** Each combination of levels, statuses and messages, some of them missing. */
const lines: readonly Line[] = levels
	.flatMap(level => statuses.flatMap(status => messages.map(message => ({ level, status, message }))))
	.map(({ level, status, message }, index) => {
		const [path, ip] = [paths[index % paths.length], ips[index % ips.length]]
		const [at, staff] = [days[index % days.length], staffs[index % staffs.length]]
		return {
			...(level !== undefined && { level }),
			...(status !== undefined && { status }),
			...(message !== undefined && { message }),
			...(path !== undefined && { path }),
			...(ip !== undefined && { ip }),
			...(at !== undefined && { at }),
			...(staff !== undefined && { staff }),
		}
	})
const keyword = { type: 'keyword' }
const properties = {
	level: keyword,
	status: { type: 'long' },
	message: { type: 'text' },
	path: keyword,
	ip: { type: 'ip' },
	at: { type: 'date' },
	staff: { type: 'nested', properties: { name: keyword, age: { type: 'long' } } },
}

const isError = ({ level }: Line) => level === 'error'
const isFailure = ({ status }: Line) => status === 500
const isRefused = ({ message }: Line) => message?.includes('refused') === true

const isFrom = ({ at }: Line, least: string) => at !== undefined && at >= least
const isBefore = ({ at }: Line, end: string) => at !== undefined && at < end

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
	// Comparisons with values in quotes.
	['at >= "2026-01-25"', line => isFrom(line, '2026-01-25')],
	['at > "2026-01-24"', line => isFrom(line, '2026-01-25')],
	['at < "2026-01-25"', line => isBefore(line, '2026-01-25')],
	['at <= "2026-01-25"', line => isBefore(line, '2026-01-26')],
	['at >= "2026-01-25T10:00:00Z"', line => isFrom(line, '2026-01-25')],
	['at > "2026-01-25T10:00:00Z"', line => isFrom(line, '2026-01-26')],
	['at >= 2026-01-25T10:00:00Z', line => isFrom(line, '2026-01-25')],
	['at >= "now-3h"', line => isFrom(line, '2126')],
	['at < "now/d"', line => isBefore(line, '2126')],
	['at < now-1d/d', line => isBefore(line, '2126')],
	['at >= "2026-01-24" and at < "2026-01-26"', line => isBefore(line, '2026-01-26')],
	['not at >= "2026-01-25"', line => !isFrom(line, '2026-01-25')],
	['status >= "500"', isFailure],
	['status > "200"', isFailure],
	['status < "500"', ({ status }) => status === 200],
	['status <= "200"', ({ status }) => status === 200],
	['level >= "very bad"', ({ level }) => level === 'very bad'],
	['level >= very bad and status: *', ({ level, status }) => level === 'very bad' && status !== undefined],
	['level < "very bad"', isError],
	[String.raw`level > "very\\" and status: 500`, () => false],
	[String.raw`level > "a\"b\\" and status: 500`, line => line.level !== undefined && isFailure(line)],
	['ip >= "192.168.1.4"', ({ ip }) => ip === '192.168.1.20'],
	// The same in Lucene syntax, and with a blank before the value.
	['at:>="2026-01-25"', line => isFrom(line, '2026-01-25')],
	['at:>=2026-01-25T10:00:00Z', line => isFrom(line, '2026-01-25')],
	['at:<now/d', line => isBefore(line, '2126')],
	['status:>= 500', isFailure],
	['status:(>="200" AND <"500")', ({ status }) => status === 200],
	['status:(>= 200 AND < 500)', ({ status }) => status === 200],
	['path:/.api.basket.[0-9]/ AND status:>"200"', line => isFailure(line) && /basket\/[12]/.test(line.path ?? '')],
	// Nested objects.
	['staff.age > 55', ({ staff = [] }) => staff.some(({ age }) => age > 55)],
	['staff.age >= "50" and status: 500', line => isFailure(line) && line.staff !== undefined],
	['staff:{ name: Ann and age > 45 }', ({ staff }) => staff?.[0] === ann],
	['staff.name: Ann and staff.age > 45', ({ staff }) => staff?.[0] === ann],
	['staff:{ name: Ann } and staff:{ age > 45 }', ({ staff = [] }) => staff.some(({ name }) => name === 'Ann')],
	['not staff:{ name: Ann }', ({ staff = [] }) => !staff.some(({ name }) => name === 'Ann')],
	['staff:{ not name: Ann }', ({ staff = [] }) => staff.some(({ name }) => name !== 'Ann')],
	['staff:{ name: Ann and age > 45 } or level: error', line => line.staff?.[0] === ann || isError(line)],
	// Lucene syntax, which stays as it is. A value in quotes after a sign is searched in all fields.
	['status:>=500 AND at:<2026-01-25', line => isFailure(line) && isBefore(line, '2026-01-25')],

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

		test.each<[string, (line: Line) => boolean]>([
			['at:>="2026-01-25"', ({ at }) => at?.startsWith('2026-01-25') === true],
			['status:>= 500', isFailure],
			['status:>="501"', () => false],
			['level:>="error"', ({ level }) => level !== undefined],
			['level:> "error"', isError],
		])('without the correction, %s has another meaning', async (raw, isFound) => {
			const expected = lines.flatMap((line, index) => (isFound(line) ? [String(index)] : []))
			expect((await engine.idsOf({ table, raw })).sort()).toEqual(expected.sort())
		})

		test('the engine refuses a time without quotes and escapes', async () => {
			await expect(engine.idsOf({ table, raw: 'at:>=2026-01-25T10:00:00Z' })).rejects.toThrow('Failed to parse query')
		})
	})
}
