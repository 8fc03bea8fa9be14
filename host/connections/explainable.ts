import {
	DriverError,
	type Explainable,
	type ExplainableStatement,
	type Explained,
	type Statement,
} from '@roundhouse/kit'
import type { Session } from './session.ts'

/**
 * Returns how a driver may explain a statement: one that writes, and one that must not run, by its plan alone.
 * @throws DriverError `denied` if the driver can only explain it by running it
 */
export function explainable(
	{ console: { canPlan } }: Pick<Session, 'console'>,
	statement: Statement,
	isPlanOnly = false,
): ExplainableStatement {
	const writes = statement.access !== 'read'
	if (!isPlanOnly && !writes) return { statement }
	if (canPlan) return { statement, isPlanOnly: true }
	const why = writes ? 'This statement writes. Only statements that read can be explained' : 'No plan can be shown'
	throw new DriverError('denied', `${why}, because this driver runs what it explains.`)
}

/** Adds to a plan that was not asked for why the statement was not run. @param isPlanWanted whether only the plan was asked for */
export function withReason(explained: Explained, what: Explainable, isPlanWanted = false): Explained {
	if (isPlanWanted || explained.wasRun || !('statement' in what) || what.isPlanOnly !== true) return explained
	return { ...explained, notices: [...explained.notices, 'A statement that may change data is not run to explain it.'] }
}
