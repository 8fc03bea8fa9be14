import { DriverError } from '@roundhouse/kit'
import { accessOf, type FindVolatile, isOnlyCondition } from './access.ts'
import { contentsOf } from './collect.ts'
import { parse } from './parser.ts'

/**
 * Checks that a typed text is one condition that only reads, so that it cannot leave the brackets around it.
 * @throws DriverError `invalid_argument`
 */
export async function checkCondition(raw: string, findVolatile: FindVolatile): Promise<void> {
	// Without brackets around it, a bracket that the text closes first is an error of the grammar.
	const parsed = await parse(`select from t where ${raw}\n`)
	if (!('statements' in parsed))
		throw new DriverError('invalid_argument', `The condition is not valid: ${parsed.message}.`)
	const [tree, ...others] = parsed.statements
	if (!tree || others.length > 0 || !isOnlyCondition(tree))
		throw new DriverError('invalid_argument', 'Enter one condition, as after WHERE, without further clauses.')
	// A place would take a value that belongs to another condition.
	if (JSON.stringify(tree).includes('"ParamRef"'))
		throw new DriverError('invalid_argument', 'A condition takes values, not places such as $1.')
	if (accessOf(tree, await findVolatile(contentsOf(tree))) !== 'read')
		throw new DriverError('invalid_argument', 'The condition may change data, because it calls a volatile function.')
}
