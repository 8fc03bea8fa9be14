import { DriverError, type Statement } from '@roundhouse/kit'
import { parameters } from '@roundhouse/kit/wire/values'
import { z } from 'zod'
import { withParameters } from '../../connections/parameters.ts'
import type { Session } from '../../connections/session.ts'
import type { CallContext } from './method.ts'

/** A statement as the window gives it, which the driver classifies again. */
export const givenSchema = z.object({ text: z.string(), parameters: parameters.exactOptional() })

/** Where a statement runs: empty for the database of the connection. */
export interface Where {
	readonly database?: string
}

/** Returns the part of parameters that says where a statement runs. */
export const whereOf = ({ database }: { readonly database?: string | undefined }): Where =>
	database === undefined ? {} : { database }

/** Returns the driver's verdict on one statement. @throws DriverError */
export async function judge(
	session: Session,
	{ text, parameters, ...where }: z.output<typeof givenSchema> & Where,
	context: CallContext,
): Promise<Statement> {
	const [verdict, ...others] = await session.call('analyse', { text, ...where }, context)
	if (!verdict || others.length > 0) throw new DriverError('invalid_argument', 'This is not one statement.')
	if (verdict.fault) throw new DriverError(verdict.fault.code, verdict.fault.message, verdict.fault)
	return withParameters(session, { ...verdict, text: text.slice(verdict.start, verdict.end) }, parameters)
}
