import { createEffect, on, onCleanup } from 'solid-js'
import type { Cell, Change, ChangeOutcome, Column, ConnectionView, Row } from '../../../host/api/api.ts'
import type { CallOptions, HostConnection } from '../../api/client.ts'
import { cellOf } from '../../cells/cell-text.ts'
import type { Engine } from '../../state/engine.tsx'
import { createTask } from '../../state/task.ts'
import { count, counted } from '../../words/format.ts'
import { messageOf } from '../../words/message-of.ts'
import type { Rows } from '../rows/rows.ts'
import type { Edits } from './edits.ts'
import type { Recreations } from './recreation.ts'
import {
	changeIn,
	type Fault,
	nothing,
	notSent,
	reversalOf,
	type SavedRow,
	type Settled,
	type Staged,
} from './staged.ts'

/** Changes in one call: it ends within the time limit, and gives steps of progress. */
const partSize = 1000
/** Limit of one call, for a save that is all or nothing. */
const wholeSize = 10_000
const changesNoun = { one: 'change', many: 'changes' }

function inParts(changes: readonly Change[], partSize: number): readonly (readonly Change[])[] {
	return Array.from({ length: Math.ceil(changes.length / partSize) }, (_, part) =>
		changes.slice(part * partSize, (part + 1) * partSize),
	)
}

/** Saves staged changes: first the requests as they would be sent, then the outcome row by row. */
export function createSaving({
	host,
	target,
	safeMode,
	rowNoun,
	isAtomic,
	rows,
	edits,
	runExclusive,
	readDeleted,
	isSorted,
	reload,
	showFault,
	say,
}: SavingOptions) {
	function parts(changes: readonly Change[]): readonly (readonly Change[])[] {
		const split = inParts(changes, isAtomic ? wholeSize : partSize)
		if (!isAtomic || split.length <= 1) return split
		throw new Error(
			`${count(changes.length)} changes cannot be saved as a whole: the limit is ${count(wholeSize)}. Save or discard some of them first.`,
		)
	}
	const said = { withdraw: () => {} }
	// The tab that the undo belongs to is closed.
	onCleanup(() => said.withdraw())
	const discarded = { withdraw: () => {}, changes: nothing }
	// A step of undo has brought them back.
	createEffect(on(edits.staged, now => now === discarded.changes && discarded.withdraw(), { defer: true }))
	onCleanup(() => discarded.withdraw())
	/** New rows that were deleted before. */
	const recreated = new Set<string>()
	const previewing = createTask(async call => {
		const requests: string[] = []
		const reviews: string[] = []
		for (const changes of parts(edits.changes())) {
			const part = await host.call('changes.preview', { ...target, changes }, call)
			requests.push(...part.requests)
			reviews.push(part.review)
		}
		return { requests, reviews }
	})
	/** What is deleted permanently: its name must be typed first. */
	const deletes = () => edits.changes().filter(({ kind }) => kind === 'delete').length

	/**
	 * Sends staged changes in parts. If a part is not answered, its outcome is unknown and no further part is sent. A
	 * write under way is never cancelled.
	 */
	async function apply(
		all: readonly Change[],
		typed: string | undefined,
		onSent: (count: number) => void,
	): Promise<readonly ChangeOutcome[]> {
		const split = parts(all)
		const reviews = previewing.value()?.reviews
		const outcomes: ChangeOutcome[] = []
		for (const [place, changes] of split.entries()) {
			if (split.length > 1) onSent(outcomes.length)
			try {
				const answer = await host.call('changes.apply', { ...target, changes, review: reviews?.[place], typed })
				// One outcome too many would shift those of the next part.
				if (answer.length !== changes.length)
					throw new Error('The answer of the driver does not match the changes that were sent.')
				outcomes.push(...answer)
			} catch (error) {
				if (outcomes.length === 0) throw error
				const unknown = { status: 'unknown', message: messageOf(error) } as const
				return [...outcomes, ...changes.map(() => unknown)]
			}
		}
		return outcomes
	}

	/** Restores earlier changes, and says what was changed again since. */
	function bringBack(earlier: Staged): void {
		const left = edits.bringBack(earlier)
		if (left > 0) say(`${counted(left, changesNoun)} not undone: changed again since.`, undefined)
	}

	/** Reverts what was saved: at once, as reviewed, unless other changes are staged. */
	function undoOf({ settled, recreations }: Sent): (() => void) | undefined {
		const reversal = reversalOf(settled, recreations)
		if (!reversal) return undefined
		return () => {
			const isAlone = edits.count() === 0
			isUndo = isAlone
			for (const { id } of reversal.inserts) recreated.add(id)
			bringBack(reversal)
			if (isAlone) void saveAtOnce()
			else {
				const { length } = reversal.inserts
				const where = length > 0 ? `, ${counted(length, rowNoun)} as new at the top` : ''
				say(`The undo is staged with your other changes${where}. Save to apply it.`, undefined)
			}
		}
	}

	/** Whether the next save reverts an earlier one. */
	let isUndo = false
	const sending = createTask(async (call, typed: string | undefined) => {
		const sent = await runExclusive(() => send(call, typed))
		const verb = isUndo && sent?.verb === 'Saved' ? 'Undid the changes of' : sent?.verb
		isUndo = false
		// Only now: while this window still saves, an undo could not be saved.
		if (!sent) return
		// A recreated row is where the sort puts it. Nothing else tells the engine where it was.
		const scope = isSorted() ? 'Among equal values of the sort' : 'Without a sort'
		const where = verb === 'Recreated' ? ` ${scope}, the engine chooses the place.` : ''
		said.withdraw = say(`${verb} ${counted(sent.saved, rowNoun)}.${where}`, undoOf(sent))
	})

	/** @returns `undefined` if another window has saved the changes. @throws Error if not all of them are saved */
	async function send(
		{ onProgress }: Pick<Required<CallOptions>, 'onProgress'>,
		typed: string | undefined,
	): Promise<Sent | undefined> {
		const staged = edits.changes().length
		if (staged === 0) {
			previewing.clear()
			return undefined
		}
		const deleted = edits.changes().flatMap(change => (change.kind === 'delete' ? [change.rowId] : []))
		const recreations = await readDeleted(deleted)
		const isRecreation = edits.inserts().every(({ id }) => recreated.has(id))
		const settled = await edits.send(changes => apply(changes, typed, done => onProgress({ done, total: staged })))
		const { rows: applied, inserted } = settled
		rows.patch((row, columns) => {
			const change = applied.get(row.id)
			return change && patched(row, columns, change)
		})
		previewing.clear()
		const isGone = [...applied.values()].some(change => change.staged.isDeleted)
		if (isGone || inserted > 0) reload()
		const saved = applied.size + inserted
		if (saved < staged) {
			const causes = [...edits.faults()].filter(([, fault]) => fault !== notSent)
			const [cause] = causes
			// What fails at the end of a whole save is the fault of no single row.
			const where = cause && (!isAtomic || causes.length === 1) ? showFault(...cause) : ''
			const message = cause?.[1].message ?? notSent.message
			throw new Error(`Saved ${count(saved)} of ${count(staged)}. ${where && `${where}: `}${message}`)
		}
		const isAllDeleted = inserted === 0 && [...applied.values()].every(change => change.staged.isDeleted)
		const verb = isAllDeleted ? 'Deleted' : isRecreation && applied.size === 0 ? 'Recreated' : 'Saved'
		return { verb, saved, settled, recreations }
	}

	// Only what the user saw is sent: changes of another window are shown first.
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

	// A discarded or undone save is not reported again.
	createEffect(() => {
		if (edits.count() > 0 || sending.isRunning()) return
		sending.clear()
		if (previewing.error() !== undefined) previewing.clear()
	})
	// The last conflict is resolved, so the save that met it is over.
	createEffect(
		on(
			() => edits.faults().size,
			(size, before = 0) => {
				if (size === 0 && before > 0 && !sending.isRunning()) sending.clear()
			},
		),
	)

	/** Measured from the click, including the time before the first request. */
	const isSaving = () => edits.isSending() || sending.isRunning()

	async function review(): Promise<void> {
		if (!edits.finishTyping() || edits.count() === 0 || isSaving()) return
		sending.clear()
		await previewing.run()
	}
	/** If the outcome is unknown, everything stays staged. */
	async function save(typed?: string): Promise<void> {
		if (edits.finishTyping() && !isSaving() && !previewing.isRunning()) await sending.run(typed)
	}
	/** Without a review, unless the changes or the connection require one. */
	const saveAtOnce = () => (safeMode() === 'free' && deletes() === 0 ? save() : review())

	return {
		review,
		save,
		saveAtOnce,
		deletes,
		/** The requests as they would be sent. */
		preview: () => previewing.value()?.requests,
		isSaving,
		/** The number of sent changes, if one call does not suffice. */
		sent: () => sending.progress()?.done,
		/** Why changes are still staged. */
		error: () => previewing.error() ?? sending.error(),
		/** Discards all staged changes with a message; one step of undo restores them. */
		discard(): void {
			const [gone, count] = [edits.staged(), edits.count()]
			edits.discard()
			if (count === 0) return
			discarded.changes = gone
			discarded.withdraw = say(`Discarded ${counted(count, changesNoun)}.`, () => bringBack(gone))
		},
		/** Closes the review, unless it is being sent. */
		cancel(): void {
			if (!isSaving()) previewing.clear()
		},
	}
}
/** What was saved, and what an undo of it needs. */
interface Sent {
	readonly verb: 'Saved' | 'Deleted' | 'Recreated'
	readonly saved: number
	readonly settled: Settled
	readonly recreations: Recreations
}

interface SavingOptions {
	readonly host: HostConnection
	readonly target: { readonly connection: string; readonly table: string }
	/** The connection's current safe mode. */
	safeMode(): ConnectionView['safeMode']
	readonly rowNoun: Engine['rowNoun']
	/** Whether changes are applied together or not at all. */
	readonly isAtomic: boolean
	readonly rows: Pick<Rows, 'patch'>
	readonly edits: Edits
	/** Runs in one window at a time, because all windows share the changes. @throws Error if another window is saving */
	runExclusive<T>(work: () => Promise<T>): Promise<T>
	/** Reads rows before they are deleted, as far as an undo can insert them again. */
	readDeleted(rowIds: readonly string[]): Promise<Recreations>
	/** Whether the user has sorted the rows. */
	isSorted(): boolean
	/** Reads the rows again after insertions or deletions. */
	reload(): void
	/** Goes to a row that was not saved. @returns its name for a message, or an empty text */
	showFault(rowId: string, fault: Fault): string
	/** Shows a message, with an undo if there is one. Returns a function that removes it. */
	say(text: string, undo: (() => void) | undefined): () => void
}

export type Saving = ReturnType<typeof createSaving>

/** Returns a row as it is after a save. A change of its key changes its id. */
function patched(
	row: Row,
	columns: readonly Column[],
	{ staged, rowId, version = row.version, values }: SavedRow,
): Row {
	const cells = columns.map(({ name }, index): Cell => {
		const [stored, change] = [values?.[name], changeIn(staged, name)]
		if (stored !== undefined) return stored
		return change ? change.after : cellOf(row, index)
	})
	return { id: rowId ?? row.id, cells, ...(version !== undefined && { version }) }
}
