import type { Statement } from '../../host/api/api.ts'

/**
 * Whether all that is destructive among these statements is undone by a rollback: one of them, or a later one of the user.
 * @param isOpen whether a transaction is open before the first
 */
export function isUndoneByRollback(
	statements: readonly Pick<Statement, 'access' | 'transaction'>[],
	isOpen: boolean,
): boolean {
	let isWithin = isOpen
	for (const [at, statement] of statements.entries()) {
		const { access, transaction } = statement
		if (transaction === 'begins') isWithin = true
		if (isEnd(statement)) isWithin = false
		if (access !== 'destructive') continue
		const isCommitted = statements.slice(at).find(isEnd)?.transaction === 'commits'
		if (!isWithin || isCommitted || transaction !== 'undone') return false
	}
	return true
}

/** Whether a statement ends a transaction. */
export const isEnd = ({ transaction }: Pick<Statement, 'transaction'>) =>
	transaction === 'commits' || transaction === 'rolls_back'
