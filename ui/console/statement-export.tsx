import { type JSX, Show } from 'solid-js'
import { createDownload } from '../exports/download.ts'
import { type ExportChoice, ExportSheet } from '../exports/export-sheet.tsx'
import { useEngine } from '../state/engine.tsx'
import type { Run } from './run.ts'

/** Exports all rows of a statement that reads, whatever its result holds. */
export function StatementExport(props: {
	readonly begin: NonNullable<Run['beginExport']>
	readonly isInTransaction: boolean
	onClose(): void
}): JSX.Element {
	const { console, rowNoun } = useEngine()
	const download = createDownload((call, choice: ExportChoice) => props.begin(choice, call))
	return (
		<ExportSheet
			title={`Export all ${rowNoun.many}`}
			csvColumns="the columns of the result"
			download={download}
			onExport={choice => void download.begin(choice)}
			onClose={props.onClose}
		>
			<p class="quiet">
				The {console.noun.one} runs again and may only read.
				<Show when={console.transaction}>
					{' '}
					It runs in the session of this console, where other {console.noun.many} wait for it.
				</Show>
				<Show when={props.isInTransaction}> It sees the open transaction, which stays open.</Show>
			</p>
		</ExportSheet>
	)
}
