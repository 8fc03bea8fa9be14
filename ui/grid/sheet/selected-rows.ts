import { createSignal } from 'solid-js'
import type { Row } from '../../../host/api/api.ts'
import { createTask } from '../../state/task.ts'
import { count } from '../../words/format.ts'
import type { Rectangle } from '../select/selection.ts'
import type { Sheet } from './sheet.ts'

/** More rows at once need an export or a statement. */
const mostRows = 10_000
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
export function createSelectedRows(sheet: Pick<Sheet, 'read'>, selected: () => Rectangle) {
	const [outcome, setOutcome] = createSignal<Outcome>()

	const using = createTask(async (call, done: string, { work, span }: { readonly work: Work; readonly span: Span }) => {
		const { top, bottom } = span
		const total = bottom - top + 1
		if (total > mostRows) {
			const text = `${count(total)} rows are selected, and at most ${count(mostRows)} can be ${done} at once.`
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
			const found = await sheet.read({ first: top, last: bottom }, call.signal, sofar => {
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
			if (failure !== undefined) return { kind: 'error', text: failure }
			return message?.isTrue() ? { kind: 'info', text: message.text } : undefined
		},
		/** `isTrue`: the message is shown while it holds. */
		say: (text: string, isTrue = () => true) => setOutcome({ text, isTrue }),
		cancel: using.cancel,

		/**
		 * Reads the selected rows, or others, and runs an action with them. `done` names the outcome: "copied".
		 * @returns whether it was done
		 */
		async use(done: string, work: Work, span: Span = selected()): Promise<boolean> {
			setOutcome(undefined)
			const turn = last.then(() => using.run(done, { work, span }))
			last = turn
			return (await turn) ?? false
		},
		/** Settles when all requested actions are done or cancelled. */
		async whenDone(): Promise<void> {
			await last
		},
	}
}
export type SelectedRows = ReturnType<typeof createSelectedRows>

/** A message, and whether it still holds. */
interface Outcome {
	readonly text: string
	isTrue(): boolean
}

type Work = (rows: readonly Row[], signal: AbortSignal) => void | Promise<void>
/** The first and the last row. */
type Span = Pick<Rectangle, 'top' | 'bottom'>
