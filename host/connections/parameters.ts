import { type Cell, DriverError, parameterLines, parameterPlaces, type Statement } from '@roundhouse/kit'
import type { Session } from './session.ts'

/** The values of a statement that its driver takes apart from the text. */
export type ParameterValues = NonNullable<Statement['parameters']>

/**
 * Returns the statement with the values of its places. Each place needs one, so that no driver has to decide what a
 * missing value means. @throws DriverError `invalid_argument`; `unsupported` if the driver takes no values
 */
export function withParameters(
	{ console: { takesParameters } }: Pick<Session, 'console'>,
	statement: Statement,
	values: ParameterValues = {},
): Statement {
	if (!takesParameters) {
		if (Object.keys(values).length === 0) return statement
		throw new DriverError('unsupported', 'This driver takes no values apart from the statement. Write them into it.')
	}
	const names = [...new Set(parameterPlaces(statement.text).flatMap(({ name }) => name ?? []))]
	const missing = names.filter(name => !Object.hasOwn(values, name))
	if (missing.length > 0) {
		throw new DriverError('invalid_argument', `parameters: there is no value for ${missing.join(', ')}.`)
	}
	if (names.length === 0) return statement
	// Each name has a value, so the cast removes only the case of a missing one.
	return { ...statement, parameters: Object.fromEntries(names.map(name => [name, values[name] as Cell])) }
}

/** Returns the statement as people, models and the activity log read it: its text, then its values. */
export function shownStatement({ text, parameters }: Pick<Statement, 'text' | 'parameters'>): string {
	return [text, ...parameterLines(parameters)].join('\n')
}
