import type { JSX } from 'solid-js'
import { Dialog } from '../../controls/dialog.tsx'
import { counted } from '../../words/format.ts'
import type { Tab } from './tab-kinds.tsx'

/** Asks before a tab discards staged changes, or its console an open transaction. */
export function CloseTab(props: {
	readonly tab: Tab
	/** Returns the number of its unsaved changes. */
	readonly staged: number
	onKeep(): void
	onDiscard(): void
}): JSX.Element {
	const changes = () => counted(props.staged, { one: 'change', many: 'changes' })
	const loss = () =>
		props.tab.loss?.() ?? {
			text: `${changes()} ${props.staged === 1 ? 'is' : 'are'} not saved.`,
			action: `Discard ${changes()}`,
		}
	return (
		<Dialog
			title={`Close ${props.tab.title} on ${props.tab.connection.name}?`}
			isProduction={props.tab.connection.view.isProduction}
			onClose={props.onKeep}
		>
			<div class="dialog-body">
				<p>{loss().text}</p>
			</div>
			<footer class="dialog-foot">
				<button type="button" class="button" onClick={() => props.onDiscard()}>
					{loss().action}
				</button>
				<button type="button" class="button primary" onClick={() => props.onKeep()}>
					Keep it open
				</button>
			</footer>
		</Dialog>
	)
}
