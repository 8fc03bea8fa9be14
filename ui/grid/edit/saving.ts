import type { Cell, Change, ChangeOutcome, Column, Row } from '../../../host/ui-server/api.ts'
import type { HostConnection } from '../../api/client.ts'
import { cellOf } from '../../cells/cell-text.ts'
import type { Engine } from '../../state/engine.tsx'
import { createTask } from '../../state/task.ts'
import { count, counted } from '../../words/format.ts'
import { messageOf } from '../../words/message-of.ts'
import type { Rows } from '../rows/rows.ts'
import type { Edits } from './edits.ts'
import type { StagedRow } from './staged.ts'

/** So many changes go in one call: it ends in time, and tells how far the whole is. */
const partSize = 1000

function inParts(changes: readonly Change[]): readonly (readonly Change[])[] {
	return Array.from({ length: Math.ceil(changes.length / partSize) }, (_, part) =>
		changes.slice(part * partSize, (part + 1) * partSize),
	)
}

interface Message {
	readonly kind: 'error' | 'info'
	readonly text: string
}

/** Saving what is staged: first the requests as they would be sent, then the outcome row by row. */
export function createSaving({ host, target, rowNoun, rows, edits, reload }: SavingOptions) {
	const previewing = createTask(async call => {
		const requests: string[] = []
		for (const changes of inParts(edits.changes())) {
			requests.push(...(await host.call('changes.preview', { ...target, changes }, call)))
		}
		return requests
	})

	/**
	 * Sends what is staged, part after part; of a part whose answer did not come nothing is known, and none follows it.
	 * A write that is on its way is never called back.
	 */
	async function apply(all: readonly Change[], onSent: (count: number) => void): Promise<readonly ChangeOutcome[]> {
		const parts = inParts(all)
		const outcomes: ChangeOutcome[] = []
		for (const changes of parts) {
			if (parts.length > 1) onSent(outcomes.length)
			try {
				const answer = await host.call('changes.apply', { ...target, changes })
				// One too many, and each of the next part would be taken for its neighbour.
				if (answer.length !== changes.length) throw new Error('The driver answered for other changes than were sent.')
				outcomes.push(...answer)
			} catch (error) {
				if (outcomes.length === 0) throw error
				const unknown = { status: 'unknown', message: messageOf(error) } as const
				return [...outcomes, ...changes.map(() => unknown)]
			}
		}
		return outcomes
	}

	const sending = createTask(async ({ onProgress }): Promise<Message> => {
		const staged = edits.changes().length
		const { rows: applied, inserted } = await edits.send(changes =>
			apply(changes, done => onProgress({ done, total: staged })),
		)
		rows.patch((row, columns) => {
			const change = applied.get(row.id)
			return change && patched(row, columns, change.staged, change.version)
		})
		previewing.clear()
		const isGone = [...applied.values()].some(change => change.staged.isDeleted)
		if (isGone || inserted > 0) reload()
		const saved = applied.size + inserted
		const first = [...edits.faults().values()][0]?.message ?? ''
		return saved === staged
			? { kind: 'info', text: `Saved ${counted(saved, rowNoun)}.` }
			: { kind: 'error', text: `Saved ${count(saved)} of ${count(staged)}. ${first}` }
	})

	return {
		async review(): Promise<void> {
			if (edits.count() === 0 || edits.isSending()) return
			sending.clear()
			await previewing.run()
		},
		/** Where nothing is known of the outcome, everything stays staged. */
		save: async () => void (edits.isSending() || (await sending.run())),
		/** The requests as they would be sent. */
		preview: previewing.value,
		isSaving: edits.isSending,
		/** How many changes were sent, where there are more than one call takes. */
		sent: () => sending.progress()?.done,
		message(): Message | undefined {
			const failure = previewing.error() ?? sending.error()
			if (failure !== undefined) return { kind: 'error', text: failure }
			return sending.isRunning() ? undefined : sending.value()
		},
		/** Puts the requests away, unless they are on their way. */
		cancel(): void {
			if (!edits.isSending()) previewing.clear()
		},
	}
}
interface SavingOptions {
	readonly host: HostConnection
	readonly target: { readonly connection: string; readonly table: string }
	readonly rowNoun: Engine['rowNoun']
	readonly rows: Pick<Rows, 'patch'>
	readonly edits: Edits
	/** Reads the rows again: rows came or went. */
	reload(): void
}

export type Saving = ReturnType<typeof createSaving>

function patched(row: Row, columns: readonly Column[], staged: StagedRow, version: string | undefined): Row {
	const cells = columns.map((column, index): Cell => {
		const change = staged.cells.get(column.name)
		return change ? change.after : cellOf(row, index)
	})
	return { id: row.id, cells, ...((version ?? row.version) !== undefined && { version: version ?? row.version ?? '' }) }
}
