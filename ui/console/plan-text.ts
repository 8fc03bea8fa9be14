import type { Explained } from '../../host/api/api.ts'
import { count, milliseconds } from '../words/format.ts'

/** Whether the statement was run, for the user. */
export function planHead({ wasRun, tookMs }: Pick<Explained, 'wasRun' | 'tookMs'>): string {
	if (!wasRun) return 'This is a plan of estimates. The statement was not run.'
	return `The statement was run${tookMs === undefined ? '' : ` and took ${tookText(tookMs)} ms`}.`
}

/** Time of a whole statement, in milliseconds. */
export const tookText = (ms: number) => (ms < 1 ? milliseconds(ms) : count(Math.round(ms)))

/**
 * Returns what stands beside the name of a step, which tells what it is of the step: the first part of its detail without
 * its label, and empty if that counts something (`Buffers: hit 5`).
 */
export function briefOf(detail: string): string {
	const [brief = ''] = detail.split(' · ')
	const text = brief.replace(/^\p{Lu}[\w ]*: /u, '')
	if (text !== brief && /^[a-z ]+ \d+(, [a-z ]+ \d+)*$/.test(text)) return ''
	return text.replace(/^\(([^()]*(?:\([^()]*\)[^()]*)*)\)( DESC)?$/, '$1$2')
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
