import {
	cutText,
	type Explained,
	type ExplainedStep,
	isExactNumber,
	isJsonObject,
	type Json,
	type JsonObject,
	parseJson,
} from '@roundhouse/kit'
import type { Answer, Query, Session } from '../wire/session.ts'
import { plannedIn, planSql } from './planned-rows.ts'

/** Plans of the server as steps. */

/** A statement to explain. */
export interface ExplainRequest {
	readonly query: Query
	/** If `true`, the statement is not run, as it writes or only its plan is wanted. */
	readonly isPlanOnly: boolean
	/** Whether it changes rows. It is then planned in a transaction that is rolled back, because one that reads refuses it. Default: `false` */
	readonly isChange?: boolean
	/** The number of rows that an AI client may read. */
	readonly limitRows?: number | undefined
}

/** Explains a query. It is run, to measure it, unless it reads more rows than an AI client may. */
export async function explain(session: Session, asked: ExplainRequest, signal: AbortSignal): Promise<Explained> {
	const { query, isPlanOnly, isChange = false, limitRows } = asked
	const isTooMuch = !isPlanOnly && limitRows !== undefined && (await examinedRows(session, query, signal)) > limitRows
	const isRun = !isPlanOnly && !isChange && !isTooMuch
	const prefix = isRun ? measuring[session.server.product] : 'explain format=json'
	const explained = { ...query, sql: `${prefix} ${query.sql}` }
	const answer = isChange ? await session.trying(signal, run => run(explained)) : await session.read(explained, signal)
	const steps = stepsIn(answer)
	const tookMs = steps[0]?.tookMs
	return {
		wasRun: isRun,
		...(isRun && tookMs !== undefined && { tookMs }),
		steps,
		notices: isTooMuch
			? ['It reads more rows than AI clients may read at once (mcp.costLimitRows in the settings).']
			: [],
	}
}

const explaining =
	/^\s*(?:(?:explain|describe|desc)\s+(?:(?:extended|partitions)\s+|format\s*=\s*\S+\s+)*)?(analyze\s+(?:format\s*=\s*\S+\s+)?)?(?=select\b|with\b|values\b|insert\b|update\b|delete\b|replace\b|\()/i

/** Returns the statement behind EXPLAIN or ANALYZE, and whether that runs it; `undefined` for another statement. */
export function explainedIn(sql: string): { readonly sql: string; readonly isRun: boolean } | undefined {
	const [head = '', analyze] = explaining.exec(sql) ?? []
	return head.trim() === '' ? undefined : { sql: sql.slice(head.length), isRun: analyze !== undefined }
}

/** MySQL measures a query only in its form of a tree. */
const measuring = { MariaDB: 'analyze format=json', MySQL: 'explain analyze' } as const

/** Returns how many rows the server expects to look at for a query, in all of its tables. @throws DriverError */
export async function examinedRows(session: Session, query: Query, signal: AbortSignal): Promise<number> {
	return plannedIn(await session.read({ ...query, sql: planSql(session, query.sql) }, signal)).examined
}

/** Returns the steps of an answer of EXPLAIN or ANALYZE in JSON, or of EXPLAIN ANALYZE as a tree; none for other forms. */
export function stepsIn({ rows, fields }: Pick<Answer, 'rows' | 'fields'>): readonly ExplainedStep[] {
	const text = String(rows[0]?.[0] ?? '')
	if (fields.length !== 1 || rows.length !== 1) return []
	if (text.startsWith('->')) return stepsOfTree(text)
	const plan = text.startsWith('{') ? planIn(text) : undefined
	return isJsonObject(plan) ? stepsOf(plan) : []
}

/** Some servers do not escape the conditions in a plan, so that it may not be JSON. It is then shown as it is. */
function planIn(text: string): Json | undefined {
	try {
		return parseJson(text)
	} catch {
		return undefined
	}
}

/** A step with its parts, before shares are known. */
interface Node {
	readonly step: Omit<ExplainedStep, 'depth' | 'share'>
	readonly parts: readonly Node[]
}

/** Returns the steps of a plan in JSON, in the order of a tree. */
export function stepsOf(plan: JsonObject): readonly ExplainedStep[] {
	const roots = partsOf(plan)
	const totalMs = roots.reduce((sum, { step }) => sum + (step.tookMs ?? 0), 0)
	return roots.flatMap(node => flat(node, { depth: 0, totalMs }))
}

function flat({ step, parts }: Node, place: { readonly depth: number; readonly totalMs: number }): ExplainedStep[] {
	const { depth, totalMs } = place
	const share = step.tookMs !== undefined && totalMs > 0 ? { share: Math.min(1, step.tookMs / totalMs) } : {}
	return [{ ...step, depth, ...share }, ...parts.flatMap(part => flat(part, { depth: depth + 1, totalMs }))]
}

/** Members that are steps. All others that are objects or lists only contain steps. */
const steps = new Set([
	'query_block',
	'table',
	'filesort',
	'ordering_operation',
	'grouping_operation',
	'temporary_table',
	'union_result',
	'recursive_union',
	'duplicates_removal',
	'windows',
	'window_functions_computation',
	'block-nl-join',
	'materialized',
	'materialized_from_subquery',
	'read_sorted_file',
	'insert_from',
])

/** Members about a step, in which no other is. */
const notSteps = new Set(['cost_info', 'r_engine_stats', 'query_optimization', 'rowid_filter', 'buffer_result'])

function partsOf(value: Json | undefined): readonly Node[] {
	if (Array.isArray(value)) return value.flatMap(partsOf)
	if (!isJsonObject(value)) return []
	return Object.entries(value).flatMap(([name, member]) => {
		if (notSteps.has(name)) return []
		return steps.has(name) && isJsonObject(member) ? [nodeOf(name, member)] : partsOf(member)
	})
}

/** To microseconds. */
const rounded = (ms: number) => Math.round(ms * 1_000) / 1_000

function nodeOf(name: string, body: JsonObject): Node {
	const parts = partsOf(body)
	const number = (key: string) => numberOf(body[key])
	const cost = isJsonObject(body.cost_info) ? body.cost_info : {}
	const loops = number('r_loops')
	const rows = number('r_rows')
	const estimated = number('rows') ?? number('rows_examined_per_scan')
	const estimatedCost = numberOf(cost.query_cost ?? cost.prefix_cost ?? body.cost)
	const tookMs = timeOf(name, body, parts)
	const detail = detailOf(body)
	const step = {
		name: name === 'table' ? accessName(body) : stepName(name, body),
		...(detail !== '' && { detail }),
		...(rows !== undefined && { rows: Math.round(rows * (loops ?? 1)) }),
		...(estimated !== undefined && { estimatedRows: Math.round(estimated * Math.max(1, loops ?? 1)) }),
		...(rows === undefined && estimatedCost !== undefined && { estimatedCost }),
		...(tookMs !== undefined && { tookMs: rounded(tookMs) }),
		...(loops !== undefined && { loops }),
	}
	return { step, parts }
}

/** A query block has the time of its parts. Others have their own. */
function timeOf(name: string, body: JsonObject, parts: readonly Node[]): number | undefined {
	const total = numberOf(body.r_total_time_ms)
	if (name === 'query_block' && total !== undefined) return total
	const own = [total, numberOf(body.r_table_time_ms), numberOf(body.r_other_time_ms)]
	const times = [...own, ...parts.map(({ step }) => step.tookMs)].filter(time => time !== undefined)
	return times.length === 0 ? undefined : times.reduce((sum, time) => sum + time, 0)
}

const accessNames: Readonly<Record<string, string>> = {
	ALL: 'Table scan',
	index: 'Index scan',
	range: 'Index range scan',
	ref: 'Index lookup',
	ref_or_null: 'Index lookup with NULL',
	eq_ref: 'Unique index lookup',
	const: 'Constant row',
	system: 'Only row',
	index_merge: 'Index merge',
	fulltext: 'Full-text search',
}

function accessName({ message, access_type: access, insert, update, delete: deleted }: JsonObject): string {
	if (typeof message === 'string') return message
	const verb = insert ? 'Insert' : update ? 'Update' : deleted ? 'Delete' : undefined
	const name = typeof access === 'string' ? (accessNames[access] ?? access) : 'Table'
	return verb === undefined ? name : `${verb}: ${name}`
}

function stepName(name: string, { operation, select_id: id }: JsonObject): string {
	const words = name.replaceAll(/[_-]/g, ' ')
	const title = `${words[0]?.toUpperCase()}${words.slice(1)}`
	const numbered = id === undefined ? title : `${title} ${numberOf(id)}`
	return typeof operation === 'string' ? `${numbered} (${operation})` : numbered
}

const longest = 200

function detailOf(body: JsonObject): string {
	const { table_name: table, key, used_key_parts: used, attached_condition: condition, sort_key: sort } = body
	const parts = [
		typeof table === 'string' ? table : '',
		typeof key === 'string' ? `index ${key}${Array.isArray(used) ? ` (${used.join(', ')})` : ''}` : '',
		body.using_index === true ? 'index only' : '',
		typeof condition === 'string' ? `Condition: ${condition}` : '',
		typeof sort === 'string' ? `Sort key: ${sort}` : '',
		body.using_filesort === true ? 'filesort' : '',
		body.using_temporary_table === true ? 'temporary table' : '',
	]
	return cutText(parts.filter(part => part !== '').join(' · '), longest)
}

/** Some numbers are texts, and times have more digits than a double. */
function numberOf(value: Json | undefined): number | undefined {
	const plain = isExactNumber(value) ? value.rawJSON : value
	if (typeof plain !== 'string' && typeof plain !== 'number') return undefined
	return Number.isFinite(Number(plain)) ? Number(plain) : undefined
}

const treeLine = /^( *)-> (.*)$/
const measures = /\(actual time=[\d.e+]+\.\.([\d.e+]+) rows=([\d.e+]+) loops=(\d+)\)/
const expected = /\(cost=([\d.e+]+)(?:\.\.([\d.e+]+))? rows=([\d.e+]+)\)/

/** Returns the steps of a tree of MySQL: `-> Table scan on t  (cost=1 rows=4) (actual time=0.1..0.2 rows=4 loops=1)`. */
export function stepsOfTree(text: string): readonly ExplainedStep[] {
	const found = text.split('\n').flatMap(line => {
		const [, indent, body = ''] = treeLine.exec(line) ?? []
		if (indent === undefined) return []
		const [, lastMs, rows, loops] = measures.exec(body) ?? []
		const [, firstCost, cost = firstCost, estimated] = expected.exec(body) ?? []
		const [name = '', ...detail] = body.replace(/\s+\((?:cost|actual|never).*$/, '').split(': ')
		const count = Number(loops ?? 1)
		const step = {
			name,
			...(detail.length > 0 && { detail: detail.join(': ').slice(0, longest) }),
			depth: indent.length / 4,
			...(rows !== undefined && { rows: Math.round(Number(rows) * count), loops: count }),
			...(estimated !== undefined && { estimatedRows: Math.round(Number(estimated) * count) }),
			...(rows === undefined && cost !== undefined && { estimatedCost: Number(cost) }),
			...(lastMs !== undefined && { tookMs: rounded(Number(lastMs) * count) }),
		}
		return [step]
	})
	const totalMs = found[0]?.tookMs ?? 0
	return found.map(step =>
		step.tookMs === undefined || totalMs === 0 ? step : { ...step, share: Math.min(1, step.tookMs / totalMs) },
	)
}
