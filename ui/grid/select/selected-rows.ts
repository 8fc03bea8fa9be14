import { createSignal } from 'solid-js'
import type { Row } from '../../../host/ui-server/api.ts'
import { createTask } from '../../state/task.ts'
import { count } from '../../words/format.ts'
import type { Sheet } from '../sheet/sheet.ts'
import type { Rectangle } from './selection.ts'

/** More rows than this at once are for an export or a statement. */
const mostRows = 10_000
/** What comes sooner than this needs no word. */
const unseenMs = 200

export interface Said {
	readonly kind: 'error' | 'info'
	readonly text: string
}

/**
 * The rows of the selection, for whatever is done with them: all of them or none, however few of them are here. Reading
 * the others shows how far it is and can be cancelled.
 */
export function createSelectedRows(sheet: Pick<Sheet, 'read'>, selected: () => Rectangle) {
	const [told, setTold] = createSignal<string>()

	const using = createTask(async (call, done: string, work: Work, { top, bottom }: Span) => {
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
			const found = await sheet.read(top, bottom, call.signal, sofar => {
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

	/** A use that came later does not give up one that still reads: keys are done in the order in which they came. */
	let last: Promise<unknown> = Promise.resolve()

	return {
		/** How far the reading is, once it takes a while. */
		progress: using.progress,
		/** What the person should know of the last use. */
		said(): Said | undefined {
			const [failure, text] = [using.error(), told()]
			if (failure !== undefined) return { kind: 'error', text: failure }
			return text === undefined ? undefined : { kind: 'info', text }
		},
		say: (text: string) => setTold(text),
		cancel: using.cancel,

		/**
		 * Reads the selected rows, or others, and does something with them. `done` is what becomes of them, in a word:
		 * "copied".
		 * @returns whether it was done
		 */
		async use(done: string, work: Work, span: Span = selected()): Promise<boolean> {
			setTold(undefined)
			const turn = last.then(() => using.run(done, work, span))
			last = turn
			return (await turn) ?? false
		},
		/** Once all that was asked for so far is done, or given up. */
		async whenDone(): Promise<void> {
			await last
		},
	}
}
export type SelectedRows = ReturnType<typeof createSelectedRows>

type Work = (rows: readonly Row[], signal: AbortSignal) => void | Promise<void>
/** The first and the last row. */
type Span = Pick<Rectangle, 'top' | 'bottom'>
