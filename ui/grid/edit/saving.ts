import { createEffect, on, onCleanup } from 'solid-js'
import type { Cell, Change, ChangeOutcome, Column, ConnectionView, Row } from '../../../host/ui-server/api.ts'
import type { CallOptions, HostConnection } from '../../api/client.ts'
import { cellOf } from '../../cells/cell-text.ts'
import type { Engine } from '../../state/engine.tsx'
import { createTask } from '../../state/task.ts'
import { count, counted } from '../../words/format.ts'
import { messageOf } from '../../words/message-of.ts'
import type { Rows } from '../rows/rows.ts'
import type { Edits } from './edits.ts'
import { reversalOf, type Settled, type StagedRow } from './staged.ts'

/** So many changes go in one call: it ends in time, and tells how far the whole is. */
const partSize = 1000

function inParts(changes: readonly Change[]): readonly (readonly Change[])[] {
	return Array.from({ length: Math.ceil(changes.length / partSize) }, (_, part) =>
		changes.slice(part * partSize, (part + 1) * partSize),
	)
}

/** Saving what is staged: first the requests as they would be sent, then the outcome row by row. */
export function createSaving({ host, target, safeMode, rowNoun, rows, edits, alone, reload, say }: SavingOptions) {
	const said = { withdraw: () => {} }
	// What it offers to undo is gone with the tab.
	onCleanup(() => said.withdraw())
	const discarded = { withdraw: () => {} }
	// What it offers to undo is no longer the last thing that was done.
	createEffect(on(edits.staged, () => discarded.withdraw(), { defer: true }))
	onCleanup(() => discarded.withdraw())
	const previewing = createTask(async call => {
		const requests: string[] = []
		const reviews: string[] = []
		for (const changes of inParts(edits.changes())) {
			const part = await host.call('changes.preview', { ...target, changes }, call)
			requests.push(...part.requests)
			reviews.push(part.review)
		}
		return { requests, reviews }
	})
	/** What goes for good: its name is typed first. */
	const deletes = () => edits.changes().filter(({ kind }) => kind === 'delete').length

	/**
	 * Sends what is staged, part after part; of a part whose answer did not come nothing is known, and none follows it.
	 * A write that is on its way is never called back.
	 */
	async function apply(
		all: readonly Change[],
		typed: string | undefined,
		onSent: (count: number) => void,
	): Promise<readonly ChangeOutcome[]> {
		const parts = inParts(all)
		const reviews = previewing.value()?.reviews
		const outcomes: ChangeOutcome[] = []
		for (const [place, changes] of parts.entries()) {
			if (parts.length > 1) onSent(outcomes.length)
			try {
				const answer = await host.call('changes.apply', { ...target, changes, review: reviews?.[place], typed })
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

	/** Sets back what was saved: at once, as it was reviewed, unless something else is staged that was not. */
	function undoOf(settled: Settled): (() => void) | undefined {
		const reversal = reversalOf(settled)
		if (!reversal) return undefined
		return () => {
			const isAlone = edits.count() === 0
			edits.setCells(reversal)
			if (isAlone) void saveAtOnce()
		}
	}

	const sending = createTask((call, typed: string | undefined) => alone(() => send(call, typed)))

	async function send(
		{ onProgress }: Pick<Required<CallOptions>, 'onProgress'>,
		typed: string | undefined,
	): Promise<void> {
		const staged = edits.changes().length
		// Another window has saved it.
		if (staged === 0) return previewing.clear()
		const settled = await edits.send(changes => apply(changes, typed, done => onProgress({ done, total: staged })))
		const { rows: applied, inserted } = settled
		rows.patch((row, columns) => {
			const change = applied.get(row.id)
			return change && patched(row, columns, change.staged, change.version)
		})
		previewing.clear()
		const isGone = [...applied.values()].some(change => change.staged.isDeleted)
		if (isGone || inserted > 0) reload()
		const saved = applied.size + inserted
		if (saved < staged) {
			const [first] = edits.faults().values()
			throw new Error(`Saved ${count(saved)} of ${count(staged)}. ${first?.message ?? ''}`)
		}
		said.withdraw = say(`Saved ${counted(saved, rowNoun)}.`, undoOf(settled))
	}

	// Only what was seen is sent: what another window stages meanwhile is shown first.
	createEffect(
		on(
			edits.staged,
			() => {
				if (edits.isSending() || previewing.value() === undefined) return
				if (edits.count() > 0) void previewing.run()
				else previewing.clear()
			},
			{ defer: true },
		),
	)

	// Discarded or undone, it is told of no more.
	createEffect(() => {
		if (edits.count() === 0 && !sending.isRunning()) sending.clear()
	})

	/** From the click on: what comes before the first request counts too. */
	const isSaving = () => edits.isSending() || sending.isRunning()

	async function review(): Promise<void> {
		if (edits.count() === 0 || isSaving()) return
		sending.clear()
		await previewing.run()
	}
	/** Where nothing is known of the outcome, everything stays staged. */
	async function save(typed?: string): Promise<void> {
		if (!isSaving() && !previewing.isRunning()) await sending.run(typed)
	}
	/** Without the review, unless that is wanted by what is staged, or by the connection. */
	const saveAtOnce = () => (safeMode() === 'free' && deletes() === 0 ? save() : review())

	return {
		review,
		save,
		saveAtOnce,
		deletes,
		/** The requests as they would be sent. */
		preview: () => previewing.value()?.requests,
		isSaving,
		/** How many changes were sent, where there are more than one call takes. */
		sent: () => sending.progress()?.done,
		/** Why something is staged still. */
		error: () => previewing.error() ?? sending.error(),
		/** Lets go of all that is staged, and says so; one step of undo brings it back. */
		discard(): void {
			const gone = edits.count()
			edits.discard()
			if (gone === 0) return
			discarded.withdraw = say(`Discarded ${counted(gone, { one: 'change', many: 'changes' })}.`, edits.undo)
		},
		/** Puts the requests away, unless they are on their way. */
		cancel(): void {
			if (!isSaving()) previewing.clear()
		},
	}
}
interface SavingOptions {
	readonly host: HostConnection
	readonly target: { readonly connection: string; readonly table: string }
	/** Of the connection, as it is now. */
	safeMode(): ConnectionView['safeMode']
	readonly rowNoun: Engine['rowNoun']
	readonly rows: Pick<Rows, 'patch'>
	readonly edits: Edits
	/** Does it in one window at a time: all have the same changes. @throws Error where another is at it */
	alone<T>(work: () => Promise<T>): Promise<T>
	/** Reads the rows again: rows came or went. */
	reload(): void
	/** Tells the person in passing, with the way back where there is one; gives what takes the word back. */
	say(text: string, undo: (() => void) | undefined): () => void
}

export type Saving = ReturnType<typeof createSaving>

function patched(row: Row, columns: readonly Column[], staged: StagedRow, version: string | undefined): Row {
	const cells = columns.map((column, index): Cell => {
		const change = staged.cells.get(column.name)
		return change ? change.after : cellOf(row, index)
	})
	return { id: row.id, cells, ...((version ?? row.version) !== undefined && { version: version ?? row.version ?? '' }) }
}
