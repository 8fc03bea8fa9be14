import { DriverError } from '@roundhouse/kit'
import { z } from 'zod'
import { undoErrors } from '../../../undo/errors.ts'
import type { RowThatStays, Undone, UndoPlan } from '../../../undo/kept-changes.ts'
import { driverText } from '../../protocol/outgoing-text.ts'
import { namedInSentence } from '../../protocol/printable.ts'
import { defineConnectionTool } from '../framework/define-tool.ts'
import { askAndChange, changesOutput, describe, listedOutcomes } from './changes.ts'
import { rowsText } from './engine-text.ts'
import { anyJson } from './outputs.ts'

export const undoChange = defineConnectionTool({
	name: 'undo_change',
	title: 'Undo a change',
	description: 'Undoes your change of rows. What others changed since stays. Asks the user.',
	access: 'write',
	group: 'write',
	effect: 'changes',
	input: { change_id: z.string().describe('From that change') },
	// Each outcome has the shape of those of update_rows, which is listed there.
	output: { ...changesOutput, outcomes: z.array(anyJson) },
	run: async ({ change_id: id }, context) => {
		const { connection, call, services } = context
		const { keptChanges } = services
		const kept = await keptChanges.open(connection, id)
		const { maker, table } = kept
		// A client does not learn that another one made a change.
		if (maker.kind !== 'client' || maker.grantee !== call.caller.grantee) throw undoErrors.make('gone')
		const session = await context.open()
		const plan = await keptChanges.plan(session, kept, call.signal)
		const { changes, stays } = plan
		if (changes.length === 0) throw new DriverError('query_failed', whyNothing(stays))
		// Taking back new rows deletes them.
		if (changes.some(({ kind }) => kind === 'delete')) await context.open('destructive')
		const left = stays.length > 0 ? `. ${rowsText(stays.length)} cannot be undone` : ''
		const summary = `Undo a change of ${rowsText(changes.length)} of ${namedInSentence(table)}${left}`
		const asking = await askAndChange({ session, table, changes, summary }, context, async (keeping, as) => {
			// The user may have been asked for long.
			const now = await keeping.plan(session, kept, call.signal)
			if (JSON.stringify(now.changes) !== JSON.stringify(changes)) throw undoErrors.make('outdated')
			return keeping.undo(session, { ...as, connection, kept, plan }, call.signal)
		})
		if (!('made' in asking)) return asking
		const { answer, made } = asking
		return { ...answer, ...outcomesOf(plan, made) }
	},
})

function whyNothing(stays: readonly RowThatStays[]): string {
	if (stays.length === 0) return 'Everything is as it was before this change already.'
	const [first] = stays
	const more = stays.length > 1 ? ` And ${stays.length - 1} more.` : ''
	return `Nothing was undone. Row ${first?.row}: ${first?.why}${more}`
}

/** Returns what became of each row, by its position in the change that is undone. */
function outcomesOf(plan: UndoPlan, made: Undone) {
	const stays = plan.stays.map(({ row, id, why, isConflict }) => ({
		row,
		...(id !== undefined && { row_id: id }),
		status: isConflict ? 'conflict' : 'failed',
		message: why,
	}))
	const lost = new Map(
		made.lost.map(({ row, columns }) => [row, `Not as before: ${columns.map(driverText).join(', ')}`]),
	)
	const tried = made.outcomes.map((outcome, at) => {
		const row = plan.places[at] ?? at
		const message = lost.get(row)
		return { row, ...describe(outcome), ...(message !== undefined && { message }) }
	})
	return listedOutcomes([...stays, ...tried].toSorted((a, b) => a.row - b.row))
}
