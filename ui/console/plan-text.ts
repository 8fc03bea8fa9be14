import type { Explained } from '../../host/api/api.ts'
import { count, milliseconds } from '../words/format.ts'

/** Whether the statement was run, for the user. */
export function planHead({ wasRun, tookMs }: Pick<Explained, 'wasRun' | 'tookMs'>): string {
	if (!wasRun) return 'This is a plan of estimates. The statement was not run.'
	const took = tookMs !== undefined && (tookMs < 1 ? milliseconds(tookMs) : count(Math.round(tookMs)))
	return `The statement was run${took === false ? '' : ` and took ${took} ms`}.`
}

/** Returns an explanation as text: one line a step, its parts below it and indented. */
export function planText({ steps, notices, ...explained }: Explained): string {
	const lines = steps.map(({ name, detail, depth, ...step }) => {
		const numbers = [
			step.share === undefined ? undefined : `${Math.round(step.share * 100)} % of the time`,
			step.tookMs === undefined ? undefined : `${step.tookMs} ms`,
			step.loops === undefined || step.loops === 1 ? undefined : `loops ${step.loops}`,
			step.rows === undefined ? undefined : `rows ${step.rows}`,
			step.estimatedRows === undefined ? undefined : `expected ${step.estimatedRows}`,
			step.estimatedCost === undefined ? undefined : `cost ${step.estimatedCost}`,
		].filter(text => text !== undefined)
		const words = detail === undefined ? name : `${name}: ${detail}`
		return `${'  '.repeat(depth)}${words}${numbers.length === 0 ? '' : ` (${numbers.join(', ')})`}`
	})
	return [[planHead(explained), ...notices].join(' '), ...lines].join('\n')
}
