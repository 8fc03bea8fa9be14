import { type DriverContext, DriverError, isWithinEffect } from '@roundhouse/kit'
import { complete, csvRows, jsonRows, StatementConsole } from '@roundhouse/sql'
import type { Sessions } from '../catalog/sessions.ts'
import { resultColumns } from '../catalog/types.ts'
import { exportRows } from '../data/export.ts'
import { judge } from '../judge/judge.ts'
import { readingOf } from '../judge/reading.ts'
import { unrehearsable } from '../judge/rehearsable.ts'
import { assess } from '../rehearsal/assess.ts'
import { changeTarget } from '../rehearsal/change-target.ts'
import { commitIf } from '../rehearsal/rehearse.ts'
import { bound } from '../sql/binding.ts'
import { tokensOf } from '../sql/lexer.ts'
import type { Session } from '../wire/session.ts'
import { completingIn } from './complete.ts'
import { refuseExpensive } from './cost-guard.ts'
import { explain, explainedIn } from './explain.ts'
import { type Judged, judgeText } from './judged.ts'
import { KnownNames } from './known.ts'
import { placed, queryOf, run } from './run.ts'

const changing = /^(?:insert|update|delete|replace)\b/i

/** Returns the console of a connection. @param database where names are looked up; default: that of the connection */
export function consoleOf(
	sessions: Sessions,
	context: DriverContext,
	database?: string,
): StatementConsole<Session, Judged> {
	const home = database ?? sessions.main
	const completing = completingIn(home)
	const names = new KnownNames((call, work) => sessions.using(call, work, database), home)
	const isForClient = () => context.costLimitRows() !== undefined
	/** Runs a read. For an AI client it is judged again in its session, directly before it. */
	const known = async <T>(session: Session, sql: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
		if (!isForClient()) return work()
		// That of an export is the user's, and may read texts in another way.
		const { reason } = await judge(session, sql, { modes: await session.modes(signal), signal })
		if (reason !== undefined) throw new DriverError('denied', `${reason} The user can do it in the window.`)
		return session.withoutWaiting(signal, work)
	}
	return new StatementConsole<Session, Judged>({
		permitted: context.permitted,
		using: (call, work) => sessions.using(call, work, database),
		openForUser: signal => sessions.openForUser(signal, database),
		judge: (text, call, session) =>
			judgeText(
				text,
				{
					session,
					isForClient: isForClient(),
					using: (call, work) => sessions.using(call, work, database),
				},
				call,
			),
		run(session, running, signal) {
			const { statement, verdict } = running
			const limitRows = context.costLimitRows()
			if (limitRows === undefined || verdict?.access !== 'read') return run(session, running, signal)
			const { sql, values = [] } = queryOf(statement)
			const text = bound(sql, values)
			const { query } = readingOf(text)
			return known(session, text, signal, async () => {
				if (query !== undefined) await placed(statement.text, () => refuseExpensive(session, query, limitRows, signal))
				return run(session, running, signal)
			})
		},
		async export(session, { statement, options, release }, signal) {
			const query = queryOf(statement)
			// The server describes a result only with its rows.
			const sql = bound(query.sql, query.values ?? [])
			const { fields } = await placed(statement.text, () =>
				known(session, sql, signal, () => session.read({ sql, most: 0 }, signal)),
			)
			if (fields.length === 0) throw new DriverError('unsupported', 'This statement returns no rows to export.')
			const columns = resultColumns(fields)
			const names = columns.map(({ name }) => name)
			const isCsv = options.format === 'csv'
			return exportRows(session, {
				sql,
				run: (signal, work) => known(session, sql, signal, work),
				columns,
				rows: isCsv ? csvRows(names, options.guardFormulas === true) : jsonRows(names),
				isArray: options.format === 'json',
				release,
			})
		},
		explain(session, { statement, isPlanOnly }, signal) {
			const sent = queryOf(statement)
			// A statement that is EXPLAIN or ANALYZE itself means the one behind it.
			const typed = explainedIn(sent.sql)
			const query = typed ? { ...sent, sql: typed.sql } : sent
			const isChange = statement.access !== 'read' || (typed !== undefined && changing.test(typed.sql))
			const isPlanMeant = isPlanOnly || typed?.isRun === false
			const asked = { query, isPlanOnly: isPlanMeant, isChange, limitRows: context.costLimitRows() }
			const text = bound(query.sql, query.values ?? [])
			// To plan a statement is to run what the server takes for constant, also a routine.
			return known(session, isChange ? `explain ${text}` : text, signal, () =>
				placed(statement.text, () => explain(session, asked, signal)),
			)
		},
		async runWithin(session, { statement, run, within }, signal) {
			const modes = await session.modes(signal)
			const { sql, values = [] } = queryOf(statement)
			const text = bound(sql, values)
			const target = changeTarget(text, modes)
			const why = typeof target === 'string' ? target : await unrehearsable(session, text, { modes, signal })
			if (typeof target === 'string' || why !== undefined)
				throw new DriverError('query_failed', `It can no longer be tried. ${why}`)
			return commitIf(session, { target, run }, effect => isWithinEffect(effect, within), signal)
		},
		assess: ({ statement, verdict, session }, options, { signal }) => {
			const opened = async <T>(work: (session: Session) => Promise<T>) => {
				const separate = await sessions.openForUser(signal, session?.database ?? database)
				try {
					return await work(separate)
				} finally {
					separate.close()
				}
			}
			return assess({ statement, verdict, opened }, options, signal)
		},
		tokensOf: text => tokensOf(text),
		escapes: true,
		complete: (text, offset, call) => complete(text, offset, { ...completing, catalog: names.at(call) }),
		format: async text => (await import('./format.ts')).formatText(text),
	})
}
