import { DriverError } from '@roundhouse/kit'
import { type ConnectionMethod, driverMethods, type ResultOf } from '@roundhouse/kit/wire/methods'
import { z } from 'zod'
import type { Sessions } from '../../connections/sessions.ts'
import type { Exports } from '../exports.ts'
import { forwarded, type OnSavedConnection } from '../forwarded.ts'
import { givenSchema, judge, whereOf } from './judge.ts'
import { type CallContext, type Method, method } from './method.ts'

const connection = z.string()
/** Methods whose answers pass the host unread. */
const encoded = z.enum(['describeTable', 'openGrid', 'gridPage', 'readRow', 'aggregate', 'runConsole'])
const refusal = z.object({ method: encoded, fault: z.string().max(2_000) })

type Forwarded = {
	readonly [Name in keyof typeof forwarded]: Method<
		OnSavedConnection<(typeof forwarded)[Name]>,
		ResultOf<(typeof forwarded)[Name]>
	>
}

/** The driver's methods on a saved connection, which is opened if needed. */
function forwardedMethods(sessions: Sessions) {
	const entries = Object.entries(forwarded).map(([name, driverMethod]) => {
		const params = driverMethods[driverMethod].params.extend({ connection })
		const run = async ({ connection, ...own }: z.output<typeof params>, context: CallContext) =>
			// The schema of the same method has parsed these parameters, but TypeScript cannot infer that for a union of
			// methods.
			(await sessions.open(connection, context)).call<ConnectionMethod>(driverMethod, own as never, context)
		return [name, { params, run }]
	})
	// Both tables have the same types.
	return Object.fromEntries(entries) as Forwarded
}

/** Methods that reach the data of an open connection. */
export function dataMethods(sessions: Sessions, running: () => { readonly exports: Exports }) {
	return {
		...forwardedMethods(sessions),
		/** Opens a grid under a number that the caller has not used, and returns its first rows. */
		'grid.open': method({
			params: driverMethods.openGrid.params.extend({ connection }),
			run: ({ grid, ...opening }, context) => context.grids.open(grid, opening, context),
		}),
		'grid.page': method({
			params: driverMethods.gridPage.params.omit({ connection: true }),
			run: ({ grid, ...range }, context) => context.grids.page(grid, range, context),
		}),
		/**
		 * Logs what the reader of an encoded answer found wrong with it, and returns the words for the user. `connection` or
		 * `grid`: of the call that was answered.
		 */
		'answers.refuse': method({
			params: z.union([refusal.extend({ connection }), refusal.extend({ grid: z.int() })]),
			run: async ({ method, fault, ...call }, context) => {
				const session =
					'connection' in call
						? await sessions.open(call.connection, context)
						: await context.grids.sessionOf(call.grid)
				return session.wrongAnswer(method, fault).message
			},
		}),
		'grid.close': method({
			params: z.object({ grid: z.int() }),
			run: async ({ grid }, context) => {
				await context.grids.close(grid)
				return null
			},
		}),
		/** Opens an export; the window then downloads `/export/<id>`. */
		'exports.begin': method({
			params: driverMethods.openExport.params.extend({ connection }),
			run: async ({ connection, query, options }, context) => {
				const session = await sessions.open(connection, context)
				const handle = await session.call('openExport', { query, options }, context)
				return { id: running().exports.begin({ session, handle, name: query.table, format: options.format }) }
			},
		}),
		/**
		 * Opens an export of all rows of a statement that reads, which runs again: in the session of its console, or apart from
		 * it if the driver cannot. @throws `denied` if it writes
		 */
		'exports.beginStatement': method({
			params: driverMethods.openStatementExport.params.extend({ connection, statement: givenSchema }),
			run: async ({ connection, statement: given, options, session: console, ...ofConsole }, context) => {
				const session = await sessions.open(connection, context)
				const statement = await judge(session, { ...given, ...whereOf(ofConsole) }, context)
				if (statement.access !== 'read')
					throw new DriverError(
						'denied',
						'This statement writes. Only the rows of a statement that reads can be exported.',
					)
				const own = console !== undefined && { session: context.consoles.handleOf(connection, console, session) }
				const asked = { statement, options, ...ofConsole, ...own }
				const handle = await session.call('openStatementExport', asked, context)
				return { id: running().exports.begin({ session, handle, name: 'result', format: options.format }) }
			},
		}),
		/** Ids of the exports that have not ended. */
		'exports.running': method({
			params: z.object({}),
			run: async () => running().exports.running,
		}),
		'exports.cancel': method({
			params: z.object({ id: z.string() }),
			run: async ({ id }) => {
				running().exports.cancel(id)
				return null
			},
		}),
	}
}
