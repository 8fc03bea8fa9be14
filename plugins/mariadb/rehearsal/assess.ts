import { type Assessment, type AssessOptions, faultOf, isDriverError, type Statement } from '@roundhouse/kit'
import type { Judged } from '../console/judged.ts'
import { placed, queryOf } from '../console/run.ts'
import { unrehearsable } from '../judge/rehearsable.ts'
import { bound } from '../sql/binding.ts'
import { errorNumbers } from '../wire/errors.ts'
import type { Session } from '../wire/session.ts'
import { changeTarget } from './change-target.ts'
import { rehearse } from './rehearse.ts'

interface Assessed {
	readonly statement: Statement
	readonly verdict: Judged | undefined
	/** Opens a session as the run has it, and closes it. */
	opened<T>(work: (session: Session) => Promise<T>): Promise<T>
}

/** Errors of a limit of the rehearsal. */
const limits = new Map([
	[String(errorNumbers.lockWait), 'Another session has locked its rows, so its effect was not tried.'],
	['1969', 'It takes too long to be tried first.'],
	['3024', 'It takes too long to be tried first.'],
])

/** Tells the effect of a statement before the user agrees: that of a change of rows which a rollback undoes whole. */
export async function assess(
	{ statement, verdict, opened }: Assessed,
	{ rehearses }: AssessOptions,
	signal: AbortSignal,
): Promise<Assessment> {
	if (!verdict || verdict.access === 'read' || verdict.transaction !== undefined) return {}
	if (verdict.commitsOpenWork) return { unrehearsed: 'The server commits it at once, so it cannot be tried.' }
	if (!rehearses) return { unrehearsed: 'Its effect was not tried.' }
	try {
		return await opened(async session => {
			const modes = await session.modes(signal)
			const query = queryOf(statement)
			// The rows before are asked for by a part of it, with its values.
			const text = bound(query.sql, query.values ?? [])
			const target = changeTarget(text, modes)
			if (typeof target === 'string') return { unrehearsed: target }
			const unrehearsed = await unrehearsable(session, text, { modes, signal })
			if (unrehearsed !== undefined) return { unrehearsed }
			const run = () => placed(statement.text, () => session.query(query, signal))
			const effect = await rehearse(session, { target, run }, signal)
			const [table] = effect.tables
			const isInsertion = target.kind === 'insert' && table !== undefined
			return isInsertion ? { effect, scope: `${effect.place} ${table.table}` } : { effect }
		})
	} catch (error) {
		signal.throwIfAborted()
		if (!isDriverError(error) || error.code === 'not_connected') throw error
		const limit = limits.get(error.engineCode ?? '')
		if (limit !== undefined) return { unrehearsed: limit }
		return error.code === 'unsupported' ? { unrehearsed: error.message } : { fault: faultOf(error) }
	}
}
