import { statusOf } from '../results/answer.ts'
import { onlyOrigin } from '../results/origins.ts'
import type { Engine } from '../state/engine.tsx'
import { count, counted } from '../words/format.ts'
import { isNamedIn } from '../words/table-name.ts'
import type { Run } from './run.ts'

type Named = Pick<Run, 'statement' | 'typed' | 'line' | 'task' | 'failure'>

/**
 * Returns the name of a result: the table that all of its columns are from, if the statement names it, or else the first
 * line of its statement. Rows of one table may be from a statement about several.
 */
export function resultName({ statement, task }: Pick<Run, 'statement' | 'task'>): string {
	const body = task.value()?.body
	const origin = body?.view === 'rows' ? onlyOrigin(body) : undefined
	return origin && isNamedIn(statement, origin.table) ? origin.table : firstLine(statement)
}

/** Returns the first line of a statement. */
export const firstLine = (statement: string) => statement.split('\n')[0] ?? ''

/** Returns what a result holds: `120 rows`, `failed at line 3`. */
export function resultSize(run: Named, rowNoun: Engine['rowNoun']): string {
	const { typed, line, task } = run
	const failure = run.failure()
	const result = task.value()
	if (failure !== undefined) {
		const above = typed.slice(0, failure.at ?? 0).split('\n').length - 1
		return `failed at line ${count(line + above)}`
	}
	if (!result) return 'cancelled'
	const { body } = result
	if (body.view !== 'rows') return statusOf(result, rowNoun)
	const rows = counted(body.rows.length, rowNoun)
	return body.isTruncated ? `first ${rows}` : rows
}
