import { cutText, type Explained, type ExplainedStep } from '@roundhouse/kit'
import type { Query, SearchPath, Session } from '../wire/session.ts'
import { isExpensive } from './cost-guard.ts'

/** Plans of the server as steps. */

/** A step of a plan in JSON. */
export interface Plan {
	readonly 'Node Type': string
	/** Absent with `costs off`, as are the measures without `analyze`, and the time with `timing off`. */
	readonly 'Plan Rows'?: number
	readonly 'Total Cost'?: number
	readonly 'Actual Rows'?: number
	readonly 'Actual Loops'?: number
	readonly 'Actual Total Time'?: number
	readonly Plans?: readonly Plan[]
	readonly [key: string]: unknown
}

/** A statement to explain. */
export interface ExplainRequest {
	readonly query: Query
	/** If `true`, the statement is not run, as it writes or only its plan is wanted. */
	readonly isPlanOnly: boolean
	/** Of a text of the user. */
	readonly path: SearchPath
	readonly guard?: Query | undefined
	/** The number of rows that an AI client may read. */
	readonly limitRows: number | undefined
}

/** Explains a query. It is run, to measure it, unless it costs more than an AI client may spend. */
export async function explain(session: Session, asked: ExplainRequest, signal: AbortSignal): Promise<Explained> {
	const { query } = asked
	const isTooMuch = !asked.isPlanOnly && (await isExpensive(session, asked, signal))
	const isRun = !asked.isPlanOnly && !isTooMuch
	const options = isRun ? 'analyze, buffers, format json' : 'format json'
	const explained = { ...query, sql: `explain (${options}) ${query.sql}`, explained: query.explained ?? query.sql }
	const { rows } = await session.read(explained, signal, { path: asked.path, guard: asked.guard })
	const [found] = JSON.parse(rows[0]?.[0] ?? '[]')
	const plan: Plan = found?.Plan
	const tookMs = found?.['Execution Time']
	return {
		wasRun: isRun,
		...(typeof tookMs === 'number' && { tookMs: rounded(tookMs) }),
		steps: plan ? stepsOf(plan) : [],
		notices: isTooMuch
			? ['It reads more rows than AI clients may read at once (mcp.costLimitRows in the settings).']
			: [],
	}
}

/** The server gives the average of the loops. Those of processes side by side do not add up. */
const msOf = (plan: Plan, processes: number) =>
	((plan['Actual Total Time'] ?? 0) * (plan['Actual Loops'] ?? 1)) / processes

/** To microseconds, which the server measures. */
const rounded = (ms: number) => Math.round(ms * 1_000) / 1_000

interface StepPlace {
	readonly depth: number
	readonly totalMs: number
	/** Number of processes that run the step side by side. */
	readonly processes: number
}

/** Returns the steps of a plan in the order of a tree. */
export function stepsOf(
	plan: Plan,
	{ depth, totalMs, processes }: StepPlace = { depth: 0, totalMs: msOf(plan, 1), processes: 1 },
): ExplainedStep[] {
	const { 'Actual Rows': rows, 'Actual Loops': loops = 1, 'Plan Rows': planned, 'Total Cost': cost } = plan
	const isTimed = plan['Actual Total Time'] !== undefined
	const detail = detailOf(plan)
	const step: ExplainedStep = {
		name: nameOf(plan),
		...(detail !== '' && { detail }),
		depth,
		...(rows !== undefined && { rows: Math.round(rows * loops) }),
		...(planned !== undefined && { estimatedRows: planned * (rows === undefined ? 1 : Math.max(1, loops)) }),
		...(rows === undefined && cost !== undefined && { estimatedCost: cost }),
		...(isTimed && { tookMs: rounded(msOf(plan, processes)) }),
		...(rows !== undefined && { loops }),
		...(isTimed && totalMs > 0 && { share: Math.min(1, msOf(plan, processes) / totalMs) }),
	}
	const below = plan['Workers Launched'] === undefined ? processes : Number(plan['Workers Launched']) + 1
	return [step, ...(plan.Plans ?? []).flatMap(part => stepsOf(part, { depth: depth + 1, totalMs, processes: below }))]
}

function nameOf(plan: Plan): string {
	const { 'Join Type': join, Strategy: strategy, Operation: operation } = plan
	const name = plan['Node Type']
	if (typeof operation === 'string' && name === 'ModifyTable') return operation
	if (typeof join === 'string' && join !== 'Inner') return name.replace(/(?= Join$)|$/, ` ${join}`)
	const whole = strategy === 'Hashed' ? `Hash${name}` : name
	return plan['Parallel Aware'] === true ? `Parallel ${whole}` : whole
}

const details = [
	'Index Cond',
	'Hash Cond',
	'Merge Cond',
	'Join Filter',
	'Recheck Cond',
	'Filter',
	'Sort Key',
	'Group Key',
]
/** Numbers of pages: found in memory, and read into it or written from it. */
const buffers = [
	['Shared Hit Blocks', 'hit'],
	['Shared Read Blocks', 'read'],
	['Shared Dirtied Blocks', 'dirtied'],
	['Shared Written Blocks', 'written'],
	['Temp Read Blocks', 'temporary read'],
	['Temp Written Blocks', 'temporary written'],
] as const

/** Returns the buffers that a step used with its parts. */
function buffersOf(plan: Plan): readonly string[] {
	const used = buffers.flatMap(([key, word]) => (Number(plan[key] ?? 0) > 0 ? [`${word} ${plan[key]}`] : []))
	return used.length === 0 ? [] : [`Buffers: ${used.join(', ')}`]
}

const longest = 200

function detailOf(plan: Plan): string {
	const { 'Relation Name': table, Schema: schema, Alias: alias, 'Index Name': index, 'Function Name': called } = plan
	const target = [schema, table].filter(Boolean).join('.')
	const named = alias && alias !== table ? `${target} ${alias}`.trim() : target
	const objects = [named, index ? `index ${index}` : '', called].filter(Boolean).map(String)
	// The server gives the average of the loops.
	const removed = Math.round(Number(plan['Rows Removed by Filter'] ?? 0) * (plan['Actual Loops'] ?? 1))
	const conditions = details.flatMap(key =>
		plan[key] === undefined ? [] : [`${key}: ${[plan[key]].flat().map(String).join(', ')}`],
	)
	const parts = [...objects, ...conditions, ...(removed > 0 ? [`${removed} rows removed by the filter`] : [])]
	return [cutText(parts.join(' · '), longest), ...buffersOf(plan)].filter(part => part !== '').join(' · ')
}
