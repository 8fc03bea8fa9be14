import { DriverError, isExactNumber, type Json, type Statement, stringifyJson, toCell } from '@roundhouse/kit'
import type { Manifest } from '@roundhouse/kit/manifest'
import { z } from 'zod'
import { type ParameterValues, recordedStatement, withParameters } from '../../../connections/parameters.ts'
import type { ClientSession } from '../../access/client-session.ts'
import type { McpCall } from '../../protocol/method.ts'
import { quotedInput } from '../../protocol/outgoing-text.ts'
import { analyse, maxStatementLength } from './statement.ts'

/** Values that a driver takes apart from the text of a statement. */

const scalar = z.custom<Json>(value => typeof value !== 'object' || value === null || isExactNumber(value), {
	error: 'a value must be a string, a number, true, false or null',
})

/** The argument of tools that run a statement. */
export const parameters = z
	.record(z.string(), scalar)
	.refine(values => stringifyJson(values).length <= maxStatementLength, 'the values are too long')
	.optional()
	.describe('Values of {{name}} in the query')

/** The argument costs context in every conversation, so it is listed only if an installed driver takes values. */
export const unlistedParameters = (drivers: readonly Manifest[]): readonly string[] =>
	drivers.some(({ console }) => console.takesParameters) ? [] : ['parameters']

/**
 * Returns the driver's analysis of a statement, with the values that the client gave for its places.
 * @throws DriverError as {@link analyse}; `invalid_argument` if places and values differ; `unsupported`
 */
export async function statementOf(
	session: ClientSession,
	args: { readonly query: string; readonly parameters?: Readonly<Record<string, Json>> | undefined },
	call: McpCall,
): Promise<Statement> {
	const values = cellsOf(args.parameters ?? {})
	const statement = valued(session, await analyse(session, args.query, call), { values, call })
	const unknown = Object.keys(values).find(name => !Object.hasOwn(statement.parameters ?? {}, name))
	if (unknown === undefined) return statement
	throw new DriverError('invalid_argument', `parameters: the query has no place {{${quotedInput(unknown)}}}.`)
}

/** Adds values to an analysed statement, and notes both for the activity log. */
export function valued(
	session: ClientSession,
	analysed: Statement,
	{ values, call }: { readonly values: ParameterValues; readonly call: McpCall },
): Statement {
	const statement = withParameters(session, analysed, values)
	call.note({ statement: recordedStatement(statement) })
	return statement
}

export const cellsOf = (values: Readonly<Record<string, Json>>): ParameterValues =>
	Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toCell(value)]))
