import { DriverError, type Namespace, type Statement } from '@roundhouse/kit'
import { parameters } from '@roundhouse/kit/wire/values'
import { z } from 'zod'
import { withParameters } from '../../connections/parameters.ts'
import type { Session } from '../../connections/session.ts'
import type { CallContext } from './method.ts'

/** A statement as the window gives it, which the driver classifies again. */
export const givenSchema = z.object({ text: z.string(), parameters: parameters.exactOptional() })

/** Where a statement runs: empty for where the connection looks up names. */
export interface Where {
	readonly database?: string
	readonly schema?: string
}

/** Returns the part of parameters that says where a statement runs. */
export const whereOf = ({ database, schema }: Namespace): Where => ({
	...(database !== undefined && { database }),
	...(schema !== undefined && { schema }),
})

/**
 * Returns the one statement of a text with the driver's verdict, which may be that it cannot run.
 * @throws the error of `notOne` for none or several
 */
export async function soleStatement(
	session: Session,
	{ text, ...where }: { readonly text: string } & Where,
	context: CallContext,
	notOne: () => Error = () => new DriverError('invalid_argument', 'This is not one statement.'),
): Promise<Statement> {
	const [verdict, ...others] = await session.call('analyse', { text, ...where }, context)
	if (!verdict || others.length > 0) throw notOne()
	return { ...verdict, text: text.slice(verdict.start, verdict.end) }
}

/** Returns the driver's verdict on one statement. @throws DriverError */
export async function judge(
	session: Session,
	{ text, parameters, ...where }: z.output<typeof givenSchema> & Where,
	context: CallContext,
): Promise<Statement> {
	const statement = await soleStatement(session, { text, ...where }, context)
	if (statement.fault) throw new DriverError(statement.fault.code, statement.fault.message, statement.fault)
	return withParameters(session, statement, parameters)
}
