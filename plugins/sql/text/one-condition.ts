import { DriverError } from '@roundhouse/kit'
import { isBlank, type Lexer } from './lexer.ts'

/** Checks that a typed text stays within its brackets, so that no clause can follow it. @throws DriverError `invalid_argument` */
export function requireOneCondition(raw: string, { tokensOf }: Pick<Lexer, 'tokensOf'>): void {
	let depth = 0
	for (const token of tokensOf(raw)) {
		if (isBlank(token)) continue
		const text = raw.slice(token.start, token.end)
		if (text === '(') depth++
		if (text === ')') depth--
		const isEnd = token.kind === 'symbol' && text === ';'
		if (depth < 0 || isEnd || token.isUnterminated)
			throw new DriverError('invalid_argument', 'Enter one condition, as after WHERE, without further clauses.')
	}
	if (depth !== 0) throw new DriverError('invalid_argument', 'The condition is not valid: a bracket is open.')
}
