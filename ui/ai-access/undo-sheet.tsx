import { type JSX, Show } from 'solid-js'
import type { UndoView } from '../../host/api/api.ts'
import { Dialog } from '../controls/dialog.tsx'
import { Failure } from '../controls/failure.tsx'
import { showToast } from '../controls/toasts.tsx'
import { WriteSheet } from '../controls/write-sheet.tsx'
import { useHost } from '../state/host.tsx'
import type { TabConnection } from '../state/tab.ts'
import { createReading, createTask } from '../state/task.ts'
import { counted } from '../words/format.ts'

/** More rows that stay are counted. */
const mostNamed = 5

/** Shows what an undo of a client's change sends, and which rows others changed since. Nothing is sent before the user agrees. */
export function UndoSheet(props: {
	readonly connection: TabConnection
	readonly change: string
	onClose(): void
	/** Rows of this table were changed. */
	onUndone(table: string): void
}): JSX.Element {
	const host = useHost()
	const { rowNoun } = props.connection.engine
	const of = () => ({ connection: props.connection.id, change: props.change })
	const preview = createReading(call => host.call('undo.preview', of(), call))
	const applying = createTask(async (call, { review, table }: UndoView, typed: string | undefined) => {
		const { rows, outcomes, lost } = await host.call('undo.apply', { ...of(), review, typed }, call)
		if (rows > 0) props.onUndone(table)
		const failed = outcomes.find(({ status }) => status !== 'applied' && status !== 'not_sent')
		if (failed && 'message' in failed) {
			void preview.run()
			throw new Error(`${rows > 0 ? `${counted(rows, rowNoun)} came back. ` : 'Nothing was undone. '}${failed.message}`)
		}
		const columns = [...new Set(lost.flatMap(one => one.columns))].join(', ')
		showToast(`Undid ${counted(rows, rowNoun)} of ${table}.${columns && ` Not as before: ${columns}.`}`)
		props.onClose()
	})
	return (
		<Show
			when={preview.value()}
			fallback={
				<Dialog title={`Undo a change on ${props.connection.name}`} onClose={props.onClose}>
					<div class="dialog-body">
						<Failure of={preview} />
						<Show when={preview.isRunning()}>
							<p class="quiet">Reading the rows as they are now …</p>
						</Show>
					</div>
					<footer class="dialog-foot">
						<button type="button" class="button" onClick={() => props.onClose()}>
							Close
						</button>
					</footer>
				</Dialog>
			}
		>
			{shown => (
				<WriteSheet
					title={`Undo a change of ${counted(shown().rows, rowNoun)} of ${shown().table}`}
					connection={props.connection}
					words={`${stayWords(shown(), rowNoun)}This is sent. It changes only rows that are still as the change left them.`}
					writes={shown().requests.map(text => ({ text }))}
					destroyed={shown().isDestructive ? shown().table : undefined}
					yes="Undo"
					startsAtYes
					isBusy={applying.isRunning()}
					fault={applying.error()}
					onYes={typed => void applying.run(shown(), typed)}
					onNo={() => props.onClose()}
				/>
			)}
		</Show>
	)
}

/** Names the rows that stay as they are. */
function stayWords({ stays }: UndoView, rowNoun: TabConnection['engine']['rowNoun']): string {
	if (stays.length === 0) return ''
	const named = stays.slice(0, mostNamed).map(({ id, why }) => `${id === undefined ? '' : `${id}: `}${why}`)
	const more = stays.length > mostNamed ? ` And ${stays.length - mostNamed} more.` : ''
	return `${counted(stays.length, rowNoun)} ${stays.length === 1 ? 'stays' : 'stay'} as ${stays.length === 1 ? 'it is' : 'they are'}. ${named.join(' ')}${more} `
}
