import { type Fault, isJsonObject } from '@roundhouse/kit'
import { isBlank, type StatementSpan } from '@roundhouse/sql'
import type { Tree } from './parser.ts'

/** Places for values as other clients write them: `$1`, `:name` and `?`. The console has `{{name}}`. */

interface Statement extends Pick<StatementSpan, 'start' | 'tokens'> {
	/** The whole text of the console. */
	readonly text: string
}

const advice = (place: string) => `${place} has no value here. Write {{name}} for a value that you are asked for.`

/** Statements that define parameters. */
const parameterized = new Set(['PrepareStmt', 'CreateFunctionStmt'])

/** Returns the fault of a statement with `$1`, for which the server would miss a value, or take that of another place. */
export function numberedFault(tree: Tree, { text, start, tokens }: Statement): Fault | undefined {
	const [[kind = '', body] = []] = Object.entries(tree)
	const isGeneric = kind === 'ExplainStmt' && isJsonObject(body) && /"generic_plan"/.test(JSON.stringify(body.options))
	if (parameterized.has(kind) || isGeneric) return undefined
	for (const token of tokens) {
		const name = token.kind === 'symbol' ? /^\$\d+/.exec(text.slice(token.start, token.start + 10))?.[0] : undefined
		if (name !== undefined) return { code: 'invalid_argument', message: advice(name), at: token.start - start }
	}
	return undefined
}

/** Adds to a syntax error at `:name`, or behind `?`, how a value is written here. */
export function withPlaceHint(fault: Fault, { text, start, tokens }: Statement): Fault {
	if (fault.at === undefined) return fault
	const offset = start + fault.at
	const named = /^:[\p{L}_]\w*/u.exec(text.slice(offset, offset + 100))?.[0]
	if (named !== undefined) return { ...fault, message: `${fault.message}. ${advice(named)}` }
	const before = tokens.filter(token => token.end <= offset && !isBlank(token)).at(-1)
	if (before === undefined || text.slice(before.start, before.end) !== '?') return fault
	return { ...fault, message: `${fault.message}. ${advice('?')}`, at: before.start - start }
}
