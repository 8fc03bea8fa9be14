import { type Fact, isDriverError, type TableChange, type TriedChange } from '@roundhouse/kit'
import { changedParts } from '@roundhouse/sql'
import { limitsOf } from '../rehearsal/rehearse.ts'
import { qualified, quoted } from '../sql/names.ts'
import type { Session } from '../wire/session.ts'
import { tableStatements } from './statements.ts'

/** Tells what a change loses. It is not tried, because the server cannot roll it back. @param session has no other work */
export async function tryChange(session: Session, change: TableChange, signal: AbortSignal): Promise<TriedChange> {
	tableStatements(change)
	const untried = 'The server commits a change of a table at once, so it was not tried.'
	const { before, after } = change
	if (!before) return { untried, facts: [] }
	for (const sql of limitsOf(session)) await session.query({ sql }, signal)
	const table = qualified({ database: before.path.at(-1) ?? '', table: before.name })
	const facts: Fact[] = []
	for (const { name } of changedParts(before.columns, after.columns).removed) {
		const sql = `select format(count(${quoted(name)}), 0) from ${table}`
		const value = await session.read({ sql }, signal).then(
			({ rows }) => String(rows[0]?.[0] ?? '0'),
			error => {
				signal.throwIfAborted()
				if (!isDriverError(error) || error.code === 'not_connected') throw error
				return 'not counted in time'
			},
		)
		facts.push({ name: `Values lost with ${name}`, value, ...(value !== '0' && { state: 'bad' }) })
	}
	return { untried, facts }
}
