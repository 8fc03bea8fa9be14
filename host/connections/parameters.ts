import { type Cell, DriverError, parameterLines, parameterPlaces, type Statement } from '@roundhouse/kit'
import { namesSecret } from '../../base/secret-names.ts'
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

/** Stands for a secret in a text that is stored. */
const removed = '[redacted]'

/**
 * Returns the statement as the activity log and the recent queries have it: without what its driver names as secrets, and
 * without values whose names say that they are. The text of a statement that the driver could not read is left out.
 */
export function recordedStatement({
	text,
	parameters = {},
	secrets = [],
	isUnread = false,
}: Pick<Statement, 'text' | 'parameters' | 'secrets' | 'isUnread'>): string {
	if (isUnread) return '[not stored: the driver could not read the statement]'
	// From the end, so that the offsets before stay true.
	const clean = secrets
		.toSorted((one, other) => other.start - one.start)
		.reduce((rest, { start, end }) => rest.slice(0, start) + removed + rest.slice(end), text)
	const values = Object.entries(parameters).map(([name, value]) => [name, namesSecret(name) ? removed : value] as const)
	return shownStatement({ text: clean, parameters: Object.fromEntries(values) })
}

/** Returns the statement as the user reads it before it runs: its text, then its values. */
export function shownStatement({ text, parameters }: Pick<Statement, 'text' | 'parameters'>): string {
	return [text, ...parameterLines(parameters)].join('\n')
}
