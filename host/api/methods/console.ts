import { DriverError, type Statement } from '@roundhouse/kit'
import { namespace } from '@roundhouse/kit/wire/values'
import { z } from 'zod'
import { explainable, withReason } from '../../connections/explainable.ts'
import { type ParameterValues, withParameters } from '../../connections/parameters.ts'
import type { Session } from '../../connections/session.ts'
import type { Sessions } from '../../connections/sessions.ts'
import { requestErrors } from '../../requests/errors.ts'
import { fillIn, hasVariables, usedValues, type Values, valuesSchema } from '../../requests/variables.ts'
import { soleStatement, type Where } from './judge.ts'
import { type CallContext, method } from './method.ts'

const connection = z.string()

/** What a console does with text before it is sent. */
export function consoleMethods(sessions: Sessions, valuesOf: (connection: string) => Values) {
	return {
		/** Returns statements with the connection's variables filled in, each classified as it would be sent. */
		'console.fillIn': method({
			params: z.object({
				connection,
				statements: z.array(z.string()).max(1_000).readonly(),
				/** Values of this run only, which come before those of the connection. */
				values: valuesSchema.exactOptional(),
				...namespace,
			}),
			run: async ({ connection, statements, values, ...where }, context) => {
				const session = await sessions.open(connection, context)
				// All statements first: nothing is judged if a value is missing.
				const filled = statements.map(text => filledIn(session, text, { ...valuesOf(connection), ...values }))
				return Promise.all(filled.map(given => judge(session, { ...given, ...where }, context)))
			},
		}),
		/**
		 * Returns where a statement that only reads spends its time; it may be run. With `isPlanOnly` it is not, which needs
		 * `console.canPlan` of the manifest, as a statement that writes does. `session`: as for `console.run`.
		 */
		'console.explain': method({
			params: z.object({
				connection,
				statement: z.string(),
				/** As for `console.fillIn`. */
				values: valuesSchema.exactOptional(),
				isPlanOnly: z.boolean().exactOptional(),
				session: z.int().exactOptional(),
				...namespace,
			}),
			run: async ({ connection, statement, values, isPlanOnly, session: console, ...where }, context) => {
				const session = await sessions.open(connection, context)
				const given = filledIn(session, statement, { ...valuesOf(connection), ...values })
				const judged = await judge(session, { ...given, ...where }, context)
				if (judged.fault) throw new DriverError(judged.fault.code, judged.fault.message, judged.fault)
				const own = console !== undefined && { session: context.consoles.handleOf(connection, console, session) }
				const what = { ...explainable(session, judged, isPlanOnly), ...where }
				return withReason(await session.call('explain', { what, ...own }, context), what, isPlanOnly)
			},
		}),
		/** Formats the text, if its driver can (`console.canFormat` of its manifest). */
		'console.format': method({
			params: z.object({ connection, text: z.string() }),
			run: async ({ connection, text }, context) => {
				const session = await sessions.open(connection, context)
				const formatted = await session.call('formatConsole', { text }, context)
				if (withoutBlanks(formatted) === withoutBlanks(text)) return formatted
				throw new DriverError('internal_failure', 'The driver changed more of the text than its layout, so it stays.')
			},
		}),
		/** Converts one statement to another format (`console.copiesAs` of the manifest), without a credential. */
		'console.copyAs': method({
			params: z.object({ connection, statement: z.string() }),
			run: async ({ connection, statement }, context) => {
				const session = await sessions.open(connection, context)
				const judged = await judge(session, filledIn(session, statement, valuesOf(connection)), context)
				return session.call('copyStatement', { statement: judged }, context)
			},
		}),
		/** Converts a pasted text to the console's language; `null` if the driver does not recognize it. */
		'console.readPasted': method({
			params: z.object({ connection, text: z.string().max(10_000_000) }),
			run: async ({ connection, text }, context) =>
				(await sessions.open(connection, context)).call('readPasted', { text }, context),
		}),
	}
}

const withoutBlanks = (text: string) => text.replace(/\s+/g, '')

/** A text, and its values if the driver takes them apart. */
interface Given {
	readonly text: string
	readonly values?: ParameterValues
}

function filledIn({ console: { takesParameters } }: Session, text: string, values: Values): Given {
	if (!hasVariables(text)) return { text }
	return takesParameters ? { text, values: usedValues(text, values) } : { text: fillIn(text, values) }
}

/**
 * Returns one statement with the driver's verdict, which may be that it cannot run. A value that turns one statement
 * into two, or none, is refused.
 * @throws HostError `request/not_one_statement`
 */
async function judge(
	session: Session,
	{ text, values, ...where }: Given & Where,
	context: CallContext,
): Promise<Statement> {
	const notOne = () =>
		requestErrors.make('not_one_statement', { line: text.trimStart().split('\n')[0]?.slice(0, 200) ?? '' })
	return withParameters(session, await soleStatement(session, { text, ...where }, context, notOne), values)
}
