import { createEffect, createMemo, createSignal, type JSX, Match, Show, Switch } from 'solid-js'
import { Notice } from '../controls/notice.tsx'
import type { EditorHandle } from '../json/json-editor.tsx'
import { formatted } from '../json/lay-out.ts'
import { TreeView, type ValueUses } from '../json/tree-view.tsx'
import { later } from '../state/later.ts'
import { askBeforeLeaving } from '../state/leaving.ts'

const JsonEditor = later(async () => (await import('./editors.ts')).JsonEditor)
const LongText = later(async () => (await import('./editors.ts')).LongText)

export type DocumentLook = 'list' | 'tree' | 'json'

export interface DocumentHandle {
	/** Stages the typed text. @returns `false` if unstaged input remains, which closing the view would discard */
	stage(): boolean
	/** Opens the search of the text. */
	find(): void
}

/**
 * Size limit of the editor, in bytes. Larger documents are read-only here and can be edited in the grid. An editor
 * would block the window on each key press.
 */
const maxEditableBytes = 5_000_000

/**
 * A document as editable text or as a tree. Typed text is staged when the user selects Keep or when the focus leaves
 * the view.
 */
export function DocumentView(props: {
	/** Display name of the document, for example `Document`. */
	readonly name: string
	/** Label of the search field, for example `Find in the document`. */
	readonly findLabel: string
	readonly look: Exclude<DocumentLook, 'list'>
	/** Identifies the document. It does not change while text is typed. */
	readonly id: string
	/** The document as JSON in UTF-8, with its staged changes. */
	readonly bytes: Uint8Array
	/** Stages the typed text. Returns an error message if the text is rejected. Left out for a read-only document. */
	readonly onStage?: ((text: string) => string | undefined) | undefined
	readonly valueUses?: ValueUses | undefined
	onDirtyChange(isDirty: boolean): void
	ref(handle: DocumentHandle): void
}): JSX.Element {
	const isLong = () => props.bytes.length > maxEditableBytes
	const [typed, setTyped] = createSignal<string>()
	const [fault, setFault] = createSignal<string>()
	let editor: EditorHandle | undefined
	const isDirty = createMemo(() => typed() !== undefined)
	/** The last staged text, which the editor already shows. Formatting the text again would move it under the cursor. */
	let lastStaged: { readonly bytes: Uint8Array; readonly text: string } | undefined
	/** While the editor has unstaged text, a new document does not replace the edited document. */
	const text = createMemo<string>(shown => {
		const { bytes } = props
		if (props.look === 'tree' || isLong()) return ''
		if (lastStaged?.bytes === bytes) return lastStaged.text
		return isDirty() ? shown : formatted(bytes)
	}, '')
	createEffect(() => {
		typed()
		setFault(undefined)
		props.onDirtyChange(typed() !== undefined)
	})
	askBeforeLeaving(() => typed() !== undefined)

	/** @returns whether no input would be lost */
	function stage(): boolean {
		const next = typed()
		if (next === undefined || !props.onStage) return true
		const why = props.onStage(next)
		setFault(why)
		if (why !== undefined) return false
		lastStaged = { bytes: props.bytes, text: next }
		setTyped(undefined)
		return true
	}
	props.ref({ stage, find: () => (editor ? editor.find() : find()) })
	let find = () => {}
	const setFind = (own: () => void) => {
		find = own
	}

	return (
		<Switch
			fallback={
				<Show when={props.bytes} keyed>
					{bytes => (
						<LongText label={`${props.name} as JSON`} bytes={bytes} isJson findLabel={props.findLabel} ref={setFind} />
					)}
				</Show>
			}
		>
			<Match when={props.look === 'tree'}>
				<TreeView label={`${props.name} as a tree`} bytes={props.bytes} uses={props.valueUses} />
			</Match>
			<Match when={props.onStage && !isLong()}>
				<div class="row-panel-editor" on:focusout={event => leaves(event) && void stage()}>
					<JsonEditor
						label={`${props.name} as JSON`}
						findLabel={props.findLabel}
						of={props.id}
						text={text()}
						onChange={next => setTyped(next === text() ? undefined : next)}
						onKeep={stage}
						onRevert={() => editor?.reset()}
						ref={own => {
							editor = own
						}}
					/>
				</div>
				<Show when={typed() !== undefined}>
					<div class="row-panel-typed">
						<Show when={fault()} fallback={<span class="quiet grow">Your changes are not staged yet.</span>}>
							{why => <Notice kind="error">{why()}</Notice>}
						</Show>
						<button type="button" class="button small" onClick={() => editor?.reset()}>
							Undo
						</button>
						<button type="button" class="button small primary" title="Ctrl-Enter" onClick={stage}>
							Keep
						</button>
					</div>
				</Show>
			</Match>
		</Switch>
	)
}

/** Returns whether the focus leaves the row panel. */
function leaves({ currentTarget, relatedTarget }: FocusEvent): boolean {
	const panel = currentTarget instanceof HTMLElement ? currentTarget.closest('.row-panel') : null
	return !(relatedTarget instanceof Node && panel?.contains(relatedTarget))
}
