import type { Access, Assessment, Change, Effect, Statement } from '@roundhouse/kit'
import { driverMethods, type ParamsOf } from '@roundhouse/kit/wire/methods'
import { namespace } from '@roundhouse/kit/wire/values'
import { z } from 'zod'
import { identityOf } from '../../connections/connection-identity.ts'
import { shownStatement } from '../../connections/parameters.ts'
import type { SavedConnections } from '../../connections/saved-connections.ts'
import type { Session } from '../../connections/session.ts'
import type { Sessions } from '../../connections/sessions.ts'
import { writeErrors } from '../errors.ts'
import { assertMayWrite } from '../safe-mode.ts'
import { givenSchema, judge, whereOf } from './judge.ts'
import { type CallContext, method } from './method.ts'

const connection = z.string()
/** `session`, `inTransaction`: as for `console.run`. */
const inConsole = { session: z.int().exactOptional(), inTransaction: z.boolean().exactOptional(), ...namespace }
const said = { review: z.string().optional(), typed: z.string().optional() }

/** A user's writes through a window: the host decides what may be sent, whatever the window claims. */
export function writeMethods(connections: SavedConnections, sessions: Sessions) {
	/** A review belongs to the connection's identity: a changed connection needs another review. */
	const shownOn = (connection: string) => identityOf(connections.get(connection))
	return {
		/** Returns the requests of changes for the user. `review` proves to `changes.apply` that they were shown. */
		'changes.preview': method({
			params: driverMethods.previewChanges.params.omit({ isForCopy: true }).extend({ connection }),
			run: async ({ connection, ...changes }, context) => {
				const on = shownOn(connection)
				const session = await sessions.open(connection, context)
				const requests = await session.call('previewChanges', changes, context)
				return { requests, review: context.reviews.add([{ on, ...changes }]) }
			},
		}),
		/** Returns the requests of changes, to be sent from elsewhere. */
		'changes.copy': method({
			params: z.object({ connection, table: z.string(), changes: driverMethods.previewChanges.params.shape.changes }),
			run: async ({ connection, ...changes }, context) => {
				const session = await sessions.open(connection, context)
				return session.call('previewChanges', { ...changes, isForCopy: true }, context)
			},
		}),
		'changes.apply': method({
			params: driverMethods.applyChanges.params.extend({ connection, ...said }),
			run: async ({ connection, review, typed, ...changes }, context) => {
				// Opened first, so that the check applies to what the session was opened for.
				const session = await sessions.open(connection, context).catch(error => {
					if (context.signal.aborted) return undefined
					throw error
				})
				if (session === undefined) return changes.changes.map(() => ({ status: 'not_sent' }) as const)
				assertMayWrite(connections.get(connection), {
					access: accessOf(changes.changes),
					name: changes.table,
					typed,
					wasShown: () => context.reviews.take(review, { on: shownOn(connection), ...changes }),
				})
				return session.call('applyChanges', changes, context)
			},
		}),
		/** Returns the effects of statements. `review` proves to `console.run` that they were shown, each once. */
		'console.review': method({
			params: z.object({ connection, statements: z.array(givenSchema).min(1).max(1_000).readonly(), ...inConsole }),
			run: async ({ connection, statements, session: console, inTransaction, ...where }, context) => {
				const on = shownOn(connection)
				const session = await sessions.open(connection, context)
				const judged = await Promise.all(statements.map(given => judge(session, { ...given, ...where }, context)))
				const own = ownOf(context, connection, { console, inTransaction, session })
				// The effect of one of several depends on those before it. A try writes, although it is rolled back.
				const rehearses = judged.length === 1 && connections.get(connection).safeMode !== 'read-only'
				const reviewed = await Promise.all(
					judged.map((statement, place) =>
						describe(session, statement, {
							isAssessed: place < assessed,
							how: { rehearses, ...where, ...own },
							context,
						}),
					),
				)
				return {
					statements: reviewed,
					review: context.reviews.add(judged.map(({ text, parameters }) => ({ on, text, parameters, ...where }))),
				}
			},
		}),
		/**
		 * Runs a statement in the console's session, returns what it did, and rolls it back (`console.canRehearse` of the
		 * manifest). Fails on a connection that is read-only.
		 */
		'console.try': method({
			params: z.object({ connection, statement: givenSchema, ...inConsole }),
			run: async ({ connection, statement: given, session: console, inTransaction, ...where }, context) => {
				const run = async () => {
					const session = await sessions.open(connection, context)
					const statement = await judge(session, { ...given, ...where }, context)
					const { name, safeMode } = connections.get(connection)
					if (statement.access !== 'read' && safeMode === 'read-only') throw writeErrors.make('read_only', { name })
					const own = ownOf(context, connection, { console, inTransaction, session })
					return session.call('assess', { statement, rehearses: true, ...where, ...own }, context)
				}
				return console === undefined ? run() : context.consoles.inTurn(connection, console, run)
			},
		}),
		/** Tells what a change of a table costs and loses. What runs is rolled back. Fails on a connection that is read-only. */
		'tables.try': method({
			params: driverMethods.tryTableChange.params.extend({ connection }),
			run: async ({ connection, change }, context) => {
				const session = await sessions.open(connection, context)
				const { name, safeMode } = connections.get(connection)
				if (safeMode === 'read-only') throw writeErrors.make('read_only', { name })
				return session.call('tryTableChange', { change }, context)
			},
		}),
		/**
		 * The driver classifies the text again; the verdict of the caller is ignored. `session`: a number of the caller, whose
		 * statements share a session of the engine if the driver has sessions.
		 */
		'console.run': method({
			params: driverMethods.runConsole.params.extend({ connection, ...said }),
			run: ({ connection, review, typed, statement: given, session: console, ...options }, context) => {
				const run = async () => {
					context.signal.throwIfAborted()
					const session = await sessions.open(connection, context)
					const where = whereOf(options)
					const statement = await judge(session, { ...given, ...where }, context)
					const saved = connections.get(connection)
					assertMayWrite(saved, {
						access: statement.access,
						isOpaque: statement.isOpaque,
						isSelective: statement.isSelective,
						// The driver process refuses it if the transaction is lost.
						isUndone: options.inTransaction === true && statement.transaction === 'undone',
						name: saved.name,
						typed,
						wasShown: () => {
							const { text, parameters } = statement
							return context.reviews.take(review, { on: identityOf(saved), text, parameters, ...where })
						},
					})
					const own = console !== undefined && { session: context.consoles.handleOf(connection, console, session) }
					return await session.call('runConsole', { statement, ...options, ...own }, context)
				}
				return console === undefined ? run() : context.consoles.inTurn(connection, console, run)
			},
		}),
		/** The transaction of a console's session, or `null` if there is none any more. Asks the driver, not the engine. */
		'console.transaction': method({
			params: z.object({ connection, session: z.int() }),
			run: ({ connection, session }, context) => context.consoles.transactionOf(connection, session),
		}),
		'console.closeSession': method({
			params: z.object({ connection, session: z.int() }),
			run: async ({ connection, session }, context) => {
				await context.consoles.close(connection, session)
				return null
			},
		}),
	}
}

export interface ReviewedStatement {
	/** The statement, then its values if the driver takes them apart from the text. */
	readonly text: string
	readonly access: Access
	/** What will be lost, if that can be determined without doing it. */
	readonly destroys?: string
	/** What it did when it was tried alone. */
	readonly effect?: Effect
}

/** Deleting a row is destructive, like the statement that deletes it. */
function accessOf(changes: readonly Change[]) {
	return changes.some(({ kind }) => kind === 'delete') ? 'destructive' : 'write'
}

/** Users read no longer list, and each entry costs a request to the engine. */
const assessed = 20

interface Described {
	readonly isAssessed: boolean
	readonly how: Omit<ParamsOf<'assess'>, 'connection' | 'statement'>
	readonly context: CallContext
}

async function describe(
	session: Session,
	statement: Statement,
	{ isAssessed, how, context }: Described,
): Promise<ReviewedStatement> {
	const { access } = statement
	const text = shownStatement(statement)
	if (access === 'read' || !isAssessed || (access === 'write' && !how.rehearses)) return { text, access }
	// What cannot be determined is left out: the statement is shown anyway.
	const none: Assessment = {}
	const { destroys, effect } = await session.call('assess', { statement, ...how }, context).catch(() => none)
	return { text, access, ...(destroys !== undefined && { destroys }), ...(effect && { effect }) }
}

interface OfConsole {
	/** The caller's number. */
	readonly console: number | undefined
	readonly inTransaction: boolean | undefined
	readonly session: Session
}

/** Returns the parameters that let a call run in the session of a console, if the driver can rehearse there. */
function ownOf(context: CallContext, connection: string, { console, inTransaction, session }: OfConsole) {
	if (console === undefined || !session.console.canRehearse) return {}
	return {
		session: context.consoles.handleOf(connection, console, session),
		...(inTransaction !== undefined && { inTransaction }),
	}
}
