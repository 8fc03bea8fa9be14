import { DriverError, type ExplainableStatement, type Statement } from '@roundhouse/kit'
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
