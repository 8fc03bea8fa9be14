import { createEffect, createSignal, on, onCleanup } from 'solid-js'
import type { Change, ChangeOutcome, ConnectionView } from '../../../host/api/api.ts'
import type { HostConnection } from '../../api/client.ts'
import type { Engine } from '../../state/engine.tsx'
import { count, counted } from '../../words/format.ts'
import { messageOf } from '../../words/message-of.ts'
import type { Rows } from '../rows/rows.ts'
import type { Edits } from './edits.ts'
import { mostRecreated, type Recreations } from './recreation.ts'
import { afterStep, nothingSaved, type Review, reviewOf, type SaveStep } from './save-state.ts'
import { type Saved, showSaved } from './saved-rows.ts'
import { nothing, notSent, reversalOf, type SaveFailure, type Settled, type Staged } from './staged.ts'

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
	onSaved,
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
	const [state, setState] = createSignal(nothingSaved)
	const advance = (step: SaveStep) => void setState(before => afterStep(before, step))
	const phase = () => state().phase
	const sending = () => {
		const now = phase()
		return now.name === 'sending' ? now : undefined
	}
	const isCancelled = () => sending()?.isCancelled === true
	const said = { withdraw: () => {} }
	// The tab that the undo belongs to is closed.
	onCleanup(() => said.withdraw())
	const discarded = { withdraw: () => {}, changes: nothing }
	// A step of undo has brought them back.
	createEffect(on(edits.staged, now => now === discarded.changes && discarded.withdraw(), { defer: true }))
	onCleanup(() => discarded.withdraw())
	let previewCall = new AbortController()
	onCleanup(() => previewCall.abort())
	/** Makes the requests as they would be sent. A later call takes the place of an earlier one. */
	async function preview(): Promise<void> {
		previewCall.abort()
		previewCall = new AbortController()
		const { signal } = previewCall
		advance({ do: 'preview' })
		try {
			const requests: string[] = []
			const reviews: string[] = []
			for (const changes of parts(edits.changes())) {
				const part = await host.call('changes.preview', { ...target, changes }, { signal })
				requests.push(...part.requests)
				reviews.push(part.review)
			}
			if (!signal.aborted) advance({ do: 'show', review: { requests, reviews } })
		} catch (error) {
			if (!signal.aborted) advance({ do: 'fail', message: messageOf(error) })
		}
	}
	/** What is deleted permanently: its name must be typed first. */
	const deletes = () => edits.changes().filter(({ kind }) => kind === 'delete').length

	/** Aborts the calls of the save under way. Their answers are awaited, because only they say what was saved. */
	let abort = new AbortController()

	/**
	 * Sends staged changes in parts. If a part is not answered, its outcome is unknown and no further part is sent.
	 * @returns the outcomes of what was sent
	 */
	async function apply(
		all: readonly Change[],
		{ typed, review }: { readonly typed: string | undefined; readonly review: Review | undefined },
	): Promise<readonly ChangeOutcome[]> {
		const split = parts(all)
		const outcomes: ChangeOutcome[] = []
		const { signal } = abort
		for (const [place, changes] of split.entries()) {
			if (signal.aborted) break
			if (split.length > 1) advance({ do: 'progress', done: outcomes.length })
			try {
				const sent = { ...target, changes, review: review?.reviews[place], typed }
				const answer = await host.call('changes.apply', sent, { signal })
				// One outcome too many would shift those of the next part.
				if (answer.length !== changes.length)
					throw new Error('The answer of the driver does not match the changes that were sent.')
				outcomes.push(...answer)
			} catch (error) {
				if (outcomes.length === 0 && !signal.aborted) throw error
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
	function undoOf(reversal: Staged): () => void {
		return () => {
			if (edits.count() > 0) return stageUndo(reversal, 'with your other changes')
			takeBack(reversal)
			void saveAtOnce()
		}
	}

	function takeBack(reversal: Staged): void {
		const isAlone = edits.count() === 0
		bringBack(reversal)
		advance({ do: 'stageUndo', reversal, isAlone })
	}

	function stageUndo(reversal: Staged, beside: string): void {
		takeBack(reversal)
		const { length } = reversal.inserts
		const where = length > 0 ? `, ${counted(length, rowNoun)} as new at the top` : ''
		say(`The undo is staged ${beside}${where}. Save to apply it.`, undefined)
	}

	async function sendAll(typed: string | undefined): Promise<void> {
		const isUndo = state().undoing !== undefined
		const review = reviewOf(phase())
		abort = new AbortController()
		advance({ do: 'send' })
		const sent = await runExclusive(() => send(typed, review))
		if (!sent) return advance({ do: 'end', saved: 0, reversal: undefined, failure: undefined })
		const verb = isUndo && sent.verb === 'Saved' ? 'Undid the changes of' : sent.verb
		const reversal = reversalOf(sent.settled, sent.recreations)
		// Only now: while this window still saves, an undo could not be saved.
		advance({ do: 'end', saved: sent.saved, reversal, failure: sent.failure })
		if (sent.saved === 0) return
		// A recreated row is where the sort puts it. Nothing else tells the engine where it was.
		const scope = isSorted() ? 'Among equal values of the sort' : 'Without a sort'
		const where = verb === 'Recreated' ? ` ${scope}, the engine chooses the place.` : ''
		const lost = verb === 'Deleted' && !reversal ? whyNoUndo(sent.saved, rowNoun) : ''
		const text = `${verb} ${counted(sent.saved, rowNoun)}.${where}${lost}`
		said.withdraw = say(text, reversal && undoOf(reversal))
	}

	/** @returns `undefined` if another window has saved the changes. @throws Error if nothing was answered */
	async function send(typed: string | undefined, review: Review | undefined): Promise<Sent | undefined> {
		const staged = edits.changes().length
		if (staged === 0) return undefined
		const deleted = edits.changes().flatMap(change => (change.kind === 'delete' ? [change.rowId] : []))
		const recreations = await readDeleted(deleted, abort.signal)
		const isRecreation = edits.inserts().every(({ id }) => state().recreated.has(id))
		const settled = await edits.send(changes => apply(changes, { typed, review }))
		const { rows: applied, inserted } = settled
		const isOutdated = showSaved(rows, settled)
		advance({ do: 'close' })
		if (isOutdated) reload()
		onSaved(settled)
		const saved = applied.size + inserted
		const isAllDeleted = inserted === 0 && [...applied.values()].every(change => change.staged.isDeleted)
		const verb = isAllDeleted ? 'Deleted' : isRecreation && applied.size === 0 ? 'Recreated' : 'Saved'
		const failure = saved < staged ? failureOf(saved, staged) : undefined
		return { verb, saved, settled, recreations, failure }
	}

	/** Goes to the first row that was not saved, and returns why. */
	function failureOf(saved: number, staged: number): string {
		const causes = [...edits.faults()].filter(([, fault]) => fault !== notSent)
		const [cause] = causes
		// What fails at the end of a whole save is the fault of no single row.
		const where = cause && (!isAtomic || causes.length === 1) ? showFault(...cause) : ''
		const message = cause?.[1].message ?? (isCancelled() ? 'The save was cancelled.' : notSent.message)
		const done = saved === 0 ? 'Nothing was saved' : `Saved ${count(saved)} of ${count(staged)}`
		return `${done}. ${where && `${where}: `}${message}`
	}

	// Only what the user saw is sent: changes of another window are shown first.
	createEffect(
		on(
			edits.staged,
			() => {
				if (edits.isSending() || edits.count() === 0) return
				if (phase().name === 'previewing' || reviewOf(phase())) void preview()
			},
			{ defer: true },
		),
	)

	// A discarded or undone save is not reported again.
	createEffect(() => {
		if (edits.count() === 0 && !sending()) advance({ do: 'empty' })
	})
	// The last conflict is resolved, so the save that met it is over. What was not sent because of it waits.
	createEffect(
		on(
			() => [...edits.faults().values()].filter(fault => fault !== notSent).length,
			(size, before = 0) => {
				if (size === 0 && before > 0) advance({ do: 'resolve' })
			},
		),
	)

	/** Measured from the click, including the time before the first request. */
	const isSaving = () => edits.isSending() || sending() !== undefined

	/** Goes to the first text that its column does not take, or row that has changed. Whatever fits waits with it. */
	function hasMisfit(): boolean {
		const [misfit] = edits.misfits()
		if (!misfit) return false
		const where = showFault(...misfit)
		const until = misfit[1].isConflict ? 'you compare it' : 'it fits'
		say(`${where && `${where}: `}${misfit[1].message} Nothing is saved until ${until}.`, undefined)
		return true
	}

	async function review(): Promise<void> {
		if (!edits.finishTyping() || edits.count() === 0 || isSaving() || hasMisfit()) return
		await preview()
	}
	/** If the outcome is unknown, everything stays staged. */
	async function save(typed?: string): Promise<void> {
		if (!edits.finishTyping() || isSaving() || phase().name === 'previewing' || hasMisfit()) return
		await sendAll(typed).catch(error => advance({ do: 'fail', message: messageOf(error) }))
	}
	/** Without a review, unless the changes or the connection require one. */
	const saveAtOnce = () => (safeMode() === 'free' && deletes() === 0 ? save() : review())

	return {
		review,
		save,
		saveAtOnce,
		deletes,
		/** The requests as they would be sent. */
		preview: () => reviewOf(phase())?.requests,
		isSaving,
		isCancelling: isCancelled,
		/** Whether this view saves, and not one that is closed. */
		canCancel: () => sending()?.isCancelled === false,
		/** Cancels what is being sent. What was not saved stays staged. */
		cancel(): void {
			abort.abort()
			advance({ do: 'cancel' })
		},
		/** The number of sent changes, if one call does not suffice. */
		sent: () => sending()?.done,
		/** Why changes are still staged. */
		error: () => {
			const now = phase()
			return now.name === 'failed' ? now.message : undefined
		},
		/** Whether a save can be undone, after all that is staged. */
		canUndoSave: () => state().undoable.length > 0 && edits.count() === 0 && !edits.canUndo() && !isSaving(),
		/** Stages what reverts the last save that is not undone. The key for undo must not write. */
		undoSave(): void {
			const reversal = state().undoable.at(-1)
			if (reversal) stageUndo(reversal, 'as a change')
		},
		/** Discards all staged changes with a message; one step of undo restores them. */
		discard(): void {
			const [gone, count] = [edits.staged(), edits.count()]
			edits.discard()
			if (count === 0) return
			discarded.changes = gone
			discarded.withdraw = say(`Discarded ${counted(count, changesNoun)}.`, () => bringBack(gone))
		},
		/** Closes the review. What is being sent goes on. */
		close(): void {
			previewCall.abort()
			advance({ do: 'close' })
		},
	}
}
/** Returns why deleted rows have no undo. */
function whyNoUndo(count: number, { one, many }: Engine['rowNoun']): string {
	const few = `more than ${mostRecreated} deleted ${many} have none`
	const whole = `${count === 1 ? `this ${one}` : `one of these ${many}`} cannot be inserted again as it was`
	return ` There is no undo: ${count > mostRecreated ? few : whole}.`
}

/** What was saved, and what an undo of it needs. */
interface Sent {
	readonly verb: 'Saved' | 'Deleted' | 'Recreated'
	readonly saved: number
	readonly settled: Settled
	readonly recreations: Recreations
	/** Why the rest is still staged. */
	readonly failure: string | undefined
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
	readDeleted(rowIds: readonly string[], signal: AbortSignal): Promise<Recreations>
	/** Whether the user has sorted the rows. */
	isSorted(): boolean
	/** Reads the rows again after insertions or deletions. */
	reload(): void
	/** Tells the other views of the table. */
	onSaved(saved: Saved): void
	/** Goes to a row that was not saved. @returns its name for a message, or an empty text */
	showFault(rowId: string, fault: SaveFailure): string
	/** Shows a message, with an undo if there is one. Returns a function that removes it. */
	say(text: string, undo: (() => void) | undefined): () => void
}

export type Saving = ReturnType<typeof createSaving>
