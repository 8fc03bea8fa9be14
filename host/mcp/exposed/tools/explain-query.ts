import { cutText, type Explainable, type Explained, type JsonObject } from '@roundhouse/kit'
import { z } from 'zod'
import { explainable, withReason } from '../../../connections/explainable.ts'
import { printable } from '../../protocol/printable.ts'
import { defineConnectionTool } from '../framework/define-tool.ts'
import { shownNotices } from './notices.ts'
import { noticesOutput } from './outputs.ts'
import { parameters, statementOf, unlistedParameters } from './parameters.ts'
import { gridQueryOf, oneOf, rowsOrStatement } from './row-arguments.ts'
import { resultLimits } from './row-set.ts'
import { defaultTimeoutSeconds, withTimeLimit } from './time-limit.ts'

export const explainQuery = defineConnectionTool({
	name: 'explain_query',
	title: 'Explain query',
	description: 'What the engine does for rows or a statement, and where its time goes. Changes nothing.',
	access: 'read',
	group: 'core',
	effect: 'none',
	input: { ...rowsOrStatement, parameters },
	unlisted: unlistedParameters,
	output: {
		was_run: z.boolean(),
		took_ms: z.number().optional(),
		steps: z.array(
			z.object({
				name: z.string(),
				detail: z.string().optional(),
				depth: z.number(),
				rows: z.number().optional(),
				estimated_rows: z.number().optional(),
				share: z.number().optional(),
			}),
		),
		notices: noticesOutput,
	},
	summary: asText,
	run: async (args, { call, open, services: { clock } }) => {
		const session = await open()
		const what = await oneOf<Promise<Explainable>>(args, {
			browse: async browsed => ({ query: gridQueryOf(browsed) }),
			query: async query => explainable(session, await statementOf(session, { ...args, query }, call)),
		})
		const explained = await withTimeLimit({ clock, seconds: defaultTimeoutSeconds, signal: call.signal }, signal =>
			session.call('explain', { what }, { signal }),
		)
		return describe(withReason(explained, what))
	},
})

/** Limits for texts and depth of a driver's plan. */
const maxLengths = { name: 200, detail: 1_000 }
const maxDepth = 50

function describe({ wasRun, tookMs, steps, notices }: Explained): JsonObject {
	const included: JsonObject[] = []
	let size = 0
	for (const { name, detail, depth, share, rows, estimatedRows } of steps) {
		const step = {
			name: cutText(name, maxLengths.name),
			...(detail !== undefined && { detail: cutText(detail, maxLengths.detail) }),
			depth: Math.min(depth, maxDepth),
			...(rows !== undefined && { rows }),
			...(estimatedRows !== undefined && { estimated_rows: estimatedRows }),
			...(share !== undefined && { share: Math.round(share * 1000) / 1000 }),
		}
		size += Buffer.byteLength(JSON.stringify(step)) + step.depth * 2
		if (size > resultLimits.bytes) break
		included.push(step)
	}
	const left = steps.length - included.length
	const allNotices = [...shownNotices(notices), ...(left > 0 ? [`${left} steps are not shown.`] : [])]
	return {
		was_run: wasRun,
		...(tookMs !== undefined && { took_ms: tookMs }),
		steps: included,
		...(allNotices.length > 0 && { notices: allNotices }),
	}
}

/** Returns the steps as an indented list, for clients that read the text besides the structured answer. */
function asText(answer: JsonObject): string {
	// `describe` returned this answer.
	const {
		was_run: wasRun,
		took_ms: tookMs,
		steps,
		notices = [],
	} = answer as unknown as {
		readonly was_run: boolean
		readonly took_ms?: number
		readonly steps: readonly {
			name: string
			detail?: string
			depth: number
			share?: number
			rows?: number
			estimated_rows?: number
		}[]
		readonly notices?: readonly string[]
	}
	const head = wasRun
		? `The statement was run${tookMs === undefined ? '' : `, ${tookMs} ms`}.`
		: 'The plan only; the statement was not run.'
	const lines = steps.map(({ name, detail, depth, share, rows, estimated_rows: expected }) => {
		const part = share === undefined ? '' : `${Math.round(share * 100)} % `
		const counts = [rows !== undefined && `${rows} rows`, expected !== undefined && `${expected} expected`]
		const known = counts.filter(Boolean).join(', ')
		const words = printable(detail === undefined ? name : `${name}: ${detail}`)
		return `${'  '.repeat(depth)}${part}${words}${known && ` (${known})`}`
	})
	return [[head, ...notices.map(printable)].join(' '), ...lines].join('\n')
}
