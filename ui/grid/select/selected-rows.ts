import { batch, createSignal, onCleanup } from 'solid-js'
import type { Row } from '../../../host/ui-server/api.ts'
import type { Progress } from '../../api/client.ts'
import { count } from '../../controls/format.ts'
import { messageOf } from '../../state/host.tsx'
import type { Rows } from '../rows/rows.ts'
import { rectangleOf, type Selection } from './selection.ts'

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
export function createSelectedRows(rows: Rows, selection: () => Selection) {
	const [progress, setProgress] = createSignal<Progress>()
	const [said, setSaid] = createSignal<Said>()
	let reading: AbortController | undefined
	onCleanup(() => reading?.abort())

	return {
		/** How far the reading is, once it takes a while. */
		progress,
		/** What the person should know of the last use. */
		said,
		say: (text: string) => setSaid({ kind: 'info', text }),
		cancel: () => reading?.abort(),

		/**
		 * Reads the selected rows and does something with them. `done` is what becomes of them, in a word: "copied".
		 * @returns whether it was done
		 */
		async use(done: string, work: (rows: readonly Row[]) => void | Promise<void>): Promise<boolean> {
			reading?.abort()
			setSaid(undefined)
			const { top, bottom } = rectangleOf(selection())
			const total = bottom - top + 1
			if (total > mostRows) {
				const text = `${count(total)} rows are selected, and at most ${count(mostRows)} can be ${done} at once.`
				setSaid({ kind: 'error', text: `${text} Select fewer, or narrow the table by a filter.` })
				return false
			}
			const abort = new AbortController()
			reading = abort
			let read = 0
			const show = () => setProgress({ done: read, total })
			const seen = setTimeout(show, unseenMs)
			try {
				const found = await rows.read(top, bottom, abort.signal, sofar => {
					read = sofar
					if (progress()) show()
				})
				abort.signal.throwIfAborted()
				if (found.length < total) {
					throw new Error(
						`Only ${count(found.length)} of the ${count(total)} selected rows are still there. Reload, then select them again.`,
					)
				}
				await work(found)
				return true
			} catch (error) {
				if (!abort.signal.aborted) setSaid({ kind: 'error', text: messageOf(error) })
				return false
			} finally {
				clearTimeout(seen)
				batch(() => {
					if (reading !== abort) return
					reading = undefined
					setProgress(undefined)
				})
			}
		},
	}
}
export type SelectedRows = ReturnType<typeof createSelectedRows>
