import { createSignal } from 'solid-js'
import type { Row } from '../../../host/api/api.ts'
import type { Rectangle } from '../../cells/selection.ts'
import { createTask } from '../../state/task.ts'
import { count } from '../../words/format.ts'
import type { RowSource } from '../source.ts'

/** A shorter time needs no message. */
const unseenMs = 200

export interface Said {
	readonly kind: 'error' | 'info'
	readonly text: string
}

/**
 * The selected rows for an action: all of them or none, however few are loaded. Reading the others shows progress and
 * can be cancelled.
 */
export function createSelectedRows(
	source: Pick<RowSource, 'read' | 'mostAtOnce'>,
	selected: () => Rectangle,
	/** Why there are no selected rows to act on, if other rows took their place. */
	whyLost: () => string | undefined = () => undefined,
) {
	const [outcome, setOutcome] = createSignal<Outcome>()
	/** What was selected at the last action. An error is shown as long as that is selected. */
	const [asked, setAsked] = createSignal<Rectangle>()
	/** Number of keys and queries that ended what was said before. */
	const [turn, setTurn] = createSignal(0)

	const using = createTask(async (call, done: string, { work, span }: { readonly work: Work; readonly span: Span }) => {
		const { top, bottom } = span
		const total = bottom - top + 1
		if (total > source.mostAtOnce) {
			const text = `${count(total)} rows are selected, and at most ${count(source.mostAtOnce)} can be ${done} at once.`
			throw new RangeError(`${text} Select fewer, or narrow the table by a filter.`)
		}
		let read = 0
		let isSeen = false
		const show = () => isSeen && call.onProgress({ done: read, total })
		const seen = setTimeout(() => {
			isSeen = true
			show()
		}, unseenMs)
		try {
			const found = await source.read({ first: top, last: bottom }, call.signal, sofar => {
				read = sofar
				show()
			})
			call.signal.throwIfAborted()
			if (found.length < total) {
				throw new Error(
					`Only ${count(found.length)} of the ${count(total)} selected rows are still there. Reload, then select them again.`,
				)
			}
			await work(found, call.signal)
			return true
		} finally {
			clearTimeout(seen)
		}
	})

	/** A later action does not cancel one that still reads: actions run in the order of the keys. */
	let last: Promise<unknown> = Promise.resolve()

	return {
		/** The progress of reading, after a while. */
		progress: using.progress,
		/** A message about the last action. */
		said(): Said | undefined {
			const [failure, message] = [using.error(), outcome()]
			if (failure !== undefined && isSame(asked(), selected())) return { kind: 'error', text: failure }
			return message?.isTrue() ? { kind: 'info', text: message.text } : undefined
		},
		/**
		 * `isTrue`: the message is shown while it holds; by default until the next key in the grid, and as long as the same
		 * cells are selected.
		 */
		say(text: string, isTrue?: () => boolean): void {
			const [now, said] = [selected(), turn()]
			setOutcome({ text, isTrue: isTrue ?? (() => said === turn() && isSame(now, selected())) })
		},
		/** Ends a message that holds for the time being only. */
		hush: () => void setTurn(count => count + 1),
		cancel: using.cancel,
		whyLost,

		/**
		 * Reads the selected rows, or others, and runs an action with them. `done` names the outcome: "copied".
		 * @returns whether it was done
		 */
		async use(done: string, work: Work, span: Span = selected()): Promise<boolean> {
			setOutcome(undefined)
			const lost = whyLost()
			if (lost !== undefined) {
				setOutcome({ text: lost, isTrue: () => whyLost() !== undefined })
				return false
			}
			setAsked(selected())
			const next = last.then(() => using.run(done, { work, span }))
			last = next
			return (await next) ?? false
		},
		/** Settles when all requested actions are done or cancelled. */
		async whenDone(): Promise<void> {
			await last
		},
	}
}
export type SelectedRows = ReturnType<typeof createSelectedRows>

function isSame(one: Rectangle | undefined, other: Rectangle): boolean {
	return JSON.stringify(one) === JSON.stringify(other)
}

/** A message, and whether it still holds. */
interface Outcome {
	readonly text: string
	isTrue(): boolean
}

type Work = (rows: readonly Row[], signal: AbortSignal) => void | Promise<void>
/** The first and the last row. */
type Span = Pick<Rectangle, 'top' | 'bottom'>
