import { DriverError } from '@roundhouse/kit'
import { type ConnectionMethod, driverMethods } from '@roundhouse/kit/wire/methods'
import { z } from 'zod'
import type { Sessions } from '../../connections/sessions.ts'
import type { Exports } from '../exports.ts'
import { type ForwardedMethods, forwarded } from '../forwarded.ts'
import { givenSchema, judge, whereOf } from './judge.ts'
import type { CallContext, Methods } from './method.ts'

const connection = z.string()
/** Methods whose answers pass the host unread. */
const encoded = z.enum(['describeTable', 'openGrid', 'gridPage', 'readRow', 'aggregate', 'runConsole'])
const refusal = z.object({ method: encoded, fault: z.string().max(2_000) })

/** The driver's methods on a saved connection, which is opened if needed. */
function forwardedMethods(sessions: Sessions): Methods<keyof ForwardedMethods> {
	const entries = Object.entries(forwarded).map(([name, method]) => {
		const params = driverMethods[method].params.extend({ connection })
		const run = async ({ connection, ...own }: z.output<typeof params>, context: CallContext) =>
			// The schema of the same method has parsed these parameters, but TypeScript cannot infer that for a union of
			// methods.
			(await sessions.open(connection, context)).call<ConnectionMethod>(method, own as never, context)
		return [name, { params, run }]
	})
	// Both tables have the same types: ForwardedMethods.
	return Object.fromEntries(entries) as Methods<keyof ForwardedMethods>
}

type DataMethod = Extract<keyof Methods, keyof ForwardedMethods | `${'answers' | 'grid' | 'exports'}.${string}`>

/** Methods that reach the data of an open connection. */
export function dataMethods(sessions: Sessions, running: () => { readonly exports: Exports }): Methods<DataMethod> {
	return {
		...forwardedMethods(sessions),
		'grid.open': {
			params: driverMethods.openGrid.params.extend({ connection }),
			run: ({ grid, ...opening }, context) => context.grids.open(grid, opening, context),
		},
		'grid.page': {
			params: driverMethods.gridPage.params.omit({ connection: true }),
			run: ({ grid, ...range }, context) => context.grids.page(grid, range, context),
		},
		'answers.refuse': {
			params: z.union([refusal.extend({ connection }), refusal.extend({ grid: z.int() })]),
			run: async ({ method, fault, ...call }, context) => {
				const session =
					'connection' in call
						? await sessions.open(call.connection, context)
						: await context.grids.sessionOf(call.grid)
				return session.wrongAnswer(method, fault).message
			},
		},
		'grid.close': {
			params: z.object({ grid: z.int() }),
			run: async ({ grid }, context) => {
				await context.grids.close(grid)
				return null
			},
		},
		'exports.begin': {
			params: driverMethods.openExport.params.extend({ connection }),
			run: async ({ connection, query, options }, context) => {
				const session = await sessions.open(connection, context)
				const handle = await session.call('openExport', { query, options }, context)
				return { id: running().exports.begin({ session, handle, name: query.table, format: options.format }) }
			},
		},
		'exports.beginStatement': {
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
		},
		'exports.cancel': {
			params: z.object({ id: z.string() }),
			run: async ({ id }) => {
				running().exports.cancel(id)
				return null
			},
		},
	}
}
