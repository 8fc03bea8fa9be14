import type { Cell, ConsoleResult, PastRun, ResultBody, Verdict } from '../../host/api/api.ts'
import type { Answers } from './fake-host.ts'
import { type ColumnDraft, columnsOf } from './fake-tables.ts'

/** Consoles in memory: the answers of a fake host about statements. */

interface ConsoleDraft {
	/** Returns what differs from the empty answer `OK`. What it throws is the error of the call. */
	readonly run?: (text: string) => Partial<ConsoleResult> | Promise<Partial<ConsoleResult>>
	/** Returns what differs from the verdict by the first word. */
	readonly judge?: (text: string) => Partial<Verdict>
	/** Values of `{{name}}`. */
	readonly variables?: Readonly<Record<string, string>>
	/** Returns what a destructive statement destroys. */
	readonly destroys?: (text: string) => string | undefined
}

/** Returns the answers about consoles. Semicolons separate statements. The host records them as calls of `console.run`. */
export function consoleAnswers({ run, judge, variables = {}, destroys }: ConsoleDraft = {}): Answers {
	let known = variables
	let transaction: ConsoleResult['transaction']
	const past: PastRun[] = []
	const verdictOf = (text: string): Omit<Verdict, 'start' | 'end'> => ({ ...usualVerdict(text), ...judge?.(text) })
	const filled = (text: string, values: Readonly<Record<string, string>>) =>
		text.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => {
			const value = { ...known, ...values }[name]
			if (value === undefined) throw new Error(`There is no value for {{${name}}}. Set it in Variables.`)
			return value
		})
	return {
		'console.analyse': ({ text }) =>
			statementsIn(text).map(found => ({ ...found, ...verdictOf(text.slice(found.start, found.end)) })),
		'console.fillIn': ({ statements, values = {} }) =>
			statements
				.map(text => filled(text, values))
				.map(text => ({ text, start: 0, end: text.length, ...verdictOf(text) })),
		'console.review': ({ statements }) => ({
			review: 'reviewed',
			statements: statements.map(({ text }) => {
				const lost = destroys?.(text)
				return { text, access: verdictOf(text).access, ...(lost !== undefined && { destroys: lost }) }
			}),
		}),
		'console.run': async ({ statement: { text } }) => {
			const word = firstWord(text)
			if (word === 'begin') transaction = 'open'
			if (word === 'commit' || word === 'rollback') transaction = undefined
			const answer = await run?.(text)
			return {
				status: 'OK',
				tookMs: 1,
				notices: [],
				body: { view: 'text' },
				...(transaction && { transaction }),
				...answer,
			}
		},
		'console.transaction': () => 'open',
		'console.closeSession': () => null,
		'console.complete': ({ offset }) => ({ from: offset, options: [] }),
		'variables.read': () => known,
		'variables.write': ({ values }) => {
			known = values
			return null
		},
		'history.list': () => past,
		'history.add': ({ run }) => {
			past.unshift(run)
			return null
		},
	}
}

/** Returns rows as the body of a result. */
export function rowsBody(
	columns: Readonly<Record<string, ColumnDraft>>,
	rows: readonly (readonly Cell[])[],
	rest: Partial<Extract<ResultBody, { readonly view: 'rows' }>> = {},
): ResultBody {
	return { view: 'rows', columns: columnsOf(columns), rows, isTruncated: false, ...rest }
}

function statementsIn(text: string): readonly Pick<Verdict, 'start' | 'end'>[] {
	return [...text.matchAll(/[^\s;][^;]*/g)].map(({ 0: found, index }) => ({
		start: index,
		end: index + found.trimEnd().length,
	}))
}

const firstWord = (text: string) => text.trimStart().split(/\s/)[0]?.toLowerCase() ?? ''

/** A driver's verdict in small: the first word tells what the statement does. */
function usualVerdict(text: string): Omit<Verdict, 'start' | 'end'> {
	const word = firstWord(text)
	const summary = text.split('\n')[0] ?? ''
	if (word === 'begin') return { summary, access: 'read', transaction: 'begins' }
	if (word === 'commit') return { summary, access: 'read', transaction: 'commits' }
	if (word === 'rollback') return { summary, access: 'read', transaction: 'rolls_back' }
	if (['drop', 'delete', 'truncate'].includes(word)) return { summary, access: 'destructive' }
	return { summary, access: ['select', 'show', 'explain'].includes(word) ? 'read' : 'write' }
}
