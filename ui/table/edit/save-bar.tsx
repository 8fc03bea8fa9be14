import Redo2 from 'lucide-solid/icons/redo-2'
import Undo2 from 'lucide-solid/icons/undo-2'
import { createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import type { Effect } from '../../../host/api/api.ts'
import { IconButton } from '../../controls/icon-button.tsx'
import { Notice } from '../../controls/notice.tsx'
import { withoutRemarks } from '../../controls/text-editor/remarks.ts'
import { WriteSheet, type WrittenConnection } from '../../controls/write-sheet.tsx'
import { createElapsed } from '../../state/elapsed.ts'
import { useEngine } from '../../state/engine.tsx'
import { countPane } from '../../state/panes-beside.ts'
import { count, counted } from '../../words/format.ts'
import { ChangesList } from './changes-list.tsx'
import type { NamedRows } from './compared.ts'
import type { Edits } from './edits.ts'
import { ReviewTry } from './review-try.tsx'
import type { Saving } from './saving.ts'
import { notSent } from './staged.ts'

/** Staged changes with undo, discard and save, and the review before sending. */
export function SaveBar(props: {
	readonly table: string
	readonly connection: WrittenConnection
	/** The database of the table, if that is another one than that of the connection. */
	readonly database: string | undefined
	readonly rows: NamedRows
	readonly edits: Edits
	readonly saving: Saving
	/** Whether the tab is shown, whose rows lack the width of a review. */
	readonly isShown?: boolean
	onDiscard(): void
	/** The user has cancelled the save in the bar, whose button is gone then. */
	onCancel(): void
}): JSX.Element {
	const { savesWhole, console, rowNoun } = useEngine()
	const changes = () => counted(props.edits.count(), { one: 'change', many: 'changes' })
	countPane(() => props.isShown === true && props.saving.preview() !== undefined)
	const elapsed = createElapsed(() => props.saving.isSaving())
	const savingWords = () => {
		const sent = props.saving.sent()
		if (props.saving.isCancelling()) return `Cancelling …${elapsed()}`
		return `Saving …${sent === undefined ? '' : ` ${count(sent)}`}${elapsed()}`
	}
	const CancelSave = (cancelling: { onCancel?(): void }) => (
		<Show when={elapsed() !== '' && props.saving.canCancel()}>
			<button
				type="button"
				class="button"
				// The keys of the table are not heard in the review.
				title={cancelling.onCancel && 'Cancel save (Ctrl .)'}
				onClick={() => {
					props.saving.cancel()
					cancelling.onCancel?.()
				}}
			>
				Cancel save
			</button>
		</Show>
	)
	/** The statements apart from what the driver remarks on them. */
	const reviewed = createMemo(() => (props.saving.preview() ?? []).map(text => withoutRemarks(text, console)))
	const statements = createMemo(() => reviewed().map(({ statement }) => statement))
	const remarks = () => reviewed().flatMap(({ remarks }) => remarks)
	const [effect, setEffect] = createSignal<Effect>()
	/** Rows that are deleted beside those that the user has marked. */
	const cascaded = () => (effect()?.tables ?? []).reduce((all, { deleted }) => all + deleted, -props.saving.deletes())
	/** What the button does: `Delete 5 documents`. */
	const saveWords = () => {
		const deletes = props.saving.deletes()
		if (deletes === 0) return `Save ${changes()}`
		const others = Math.max(0, cascaded())
		const deleting = `elete ${counted(deletes + others, rowNoun)}${others > 0 ? `, ${count(others)} by cascade` : ''}`
		const rest = props.edits.count() - deletes
		return rest > 0 ? `Save ${count(rest)} and d${deleting}` : `D${deleting}`
	}
	/** Conflicts have a separate line, which leads to the resolution. What was not sent waits for it. */
	const isOnlyConflicts = () => {
		const faults = [...props.edits.faults().values()].filter(fault => fault !== notSent)
		return faults.length > 0 && faults.every(({ isConflict }) => isConflict)
	}
	/** What is said of the statements of a save. */
	function sentWords(count: number): string {
		if (count === 1) return `This ${console.noun.one} is sent:`
		const outcome = savesWhole ? 'They are applied together, or not at all.' : 'Changes that fail stay unsaved.'
		return `These ${console.noun.many} are sent in this order. ${outcome}`
	}
	return (
		<>
			<Show when={!isOnlyConflicts() && props.saving.error()}>
				{message => <Notice kind="error">{message()}</Notice>}
			</Show>
			<Show when={props.edits.count() > 0 || props.edits.canRedo()}>
				<div class="save-bar" role="toolbar" aria-label="Changes that are not saved">
					<span class="save-count">
						{props.saving.isSaving()
							? savingWords()
							: props.edits.count() > 0
								? `${changes()} not saved`
								: 'All changes are undone'}
					</span>
					<CancelSave onCancel={props.onCancel} />
					<IconButton label="Undo" isDisabled={!props.edits.canUndo()} onClick={props.edits.undo}>
						<Undo2 size={15} />
					</IconButton>
					<IconButton label="Redo" isDisabled={!props.edits.canRedo()} onClick={props.edits.redo}>
						<Redo2 size={15} />
					</IconButton>
					<button type="button" class="button" disabled={props.saving.isSaving()} onClick={props.onDiscard}>
						{props.edits.count() > 0 ? 'Discard' : 'Close'}
					</button>
					<Show when={!props.saving.preview()}>
						<button
							type="button"
							class="button primary"
							disabled={props.edits.count() === 0 || props.saving.isSaving()}
							onClick={() => void props.saving.review()}
						>
							Review and save
						</button>
					</Show>
				</div>
			</Show>
			<Show when={props.saving.preview()}>
				<WriteSheet
					title={`Save ${changes()}`}
					connection={props.connection}
					database={props.database}
					lead={
						<>
							<h3 class="write-head">Changes</h3>
							<ChangesList edits={props.edits} rows={props.rows} />
							<For each={remarks()}>{remark => <Notice kind="error">{remark}</Notice>}</For>
						</>
					}
					head={counted(statements().length, console.noun)}
					rest={
						<Show when={console.canRehearse}>
							<ReviewTry
								connection={props.connection.id}
								database={props.database}
								statements={statements()}
								isAtOnce={props.saving.deletes() > 0 && remarks().length > 0}
								onEffect={setEffect}
							/>
						</Show>
					}
					words={sentWords(statements().length)}
					writes={statements().map(text => ({ text }))}
					destroyed={props.saving.deletes() > 0 ? props.table : undefined}
					isBeside
					startsAtYes
					yes={props.saving.isSaving() ? savingWords() : saveWords()}
					isBusy={props.saving.isSaving()}
					whileBusy={<CancelSave />}
					onYes={typed => void props.saving.save(typed)}
					no={props.saving.isSaving() ? 'Close' : 'Keep editing'}
					onNo={props.saving.close}
				/>
			</Show>
		</>
	)
}
