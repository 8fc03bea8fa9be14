import { createEffect, createMemo, createSignal, type JSX, Match, Show, Switch } from 'solid-js'
import { Notice } from '../controls/notice.tsx'
import { type EditorHandle, JsonEditor } from '../json/json-editor.tsx'
import { laidOut } from '../json/lay-out.ts'
import { LongText } from '../json/long-text.tsx'
import { TreeView } from '../json/tree-view.tsx'
import { askBeforeLeaving } from '../state/leaving.ts'

export type DocumentLook = 'json' | 'tree'

export interface DocumentHandle {
	/** Stages what was typed. @returns whether nothing is left that would be lost */
	keep(): boolean
	/** Opens the search of the text. */
	find(): void
}

/** A longer document is read here and changed in the grid: an editor of it would stop the window at each key. */
const editedBytes = 5_000_000

/** A document as text that can be changed, or as a tree. What is typed is staged when it is kept, or left. */
export function DocumentView(props: {
	/** `Document` */
	readonly name: string
	/** `Find in the document` */
	readonly findLabel: string
	readonly look: DocumentLook
	/** As it stands with what is staged. */
	readonly bytes: Uint8Array
	/** Stages what was typed. @returns why not; left out where nothing can be changed */
	readonly onKeep?: ((text: string) => string | undefined) | undefined
	onTyped(isTyped: boolean): void
	ref(handle: DocumentHandle): void
}): JSX.Element {
	const isLong = () => props.bytes.length > editedBytes
	const [typed, setTyped] = createSignal<string>()
	const [fault, setFault] = createSignal<string>()
	let editor: EditorHandle | undefined
	const isHeld = createMemo(() => typed() !== undefined)
	/** What was kept is there already: laid out anew, it would move under the cursor. */
	let kept: { readonly bytes: Uint8Array; readonly text: string } | undefined
	/** While something is typed, what it was typed into stays. */
	const text = createMemo<string>(shown => {
		const { bytes } = props
		if (props.look === 'tree' || isLong()) return ''
		if (kept?.bytes === bytes) return kept.text
		return isHeld() ? shown : laidOut(bytes)
	}, '')
	createEffect(() => {
		typed()
		setFault(undefined)
		props.onTyped(typed() !== undefined)
	})
	askBeforeLeaving(() => typed() !== undefined)

	/** @returns whether nothing is left that would be lost */
	function keep(): boolean {
		const next = typed()
		if (next === undefined || !props.onKeep) return true
		const why = props.onKeep(next)
		setFault(why)
		if (why !== undefined) return false
		kept = { bytes: props.bytes, text: next }
		setTyped(undefined)
		return true
	}
	props.ref({ keep, find: () => (editor ? editor.find() : find()) })
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
				<TreeView label={`${props.name} as a tree`} bytes={props.bytes} />
			</Match>
			<Match when={props.onKeep && !isLong()}>
				<div class="row-panel-editor" on:focusout={event => leaves(event) && void keep()}>
					<JsonEditor
						label={`${props.name} as JSON`}
						findLabel={props.findLabel}
						text={text()}
						onChange={next => setTyped(next === text() ? undefined : next)}
						onKeep={keep}
						onRevert={() => editor?.reset()}
						ref={own => {
							editor = own
						}}
					/>
				</div>
				<Show when={typed() !== undefined}>
					<div class="row-panel-typed">
						<Show when={fault()} fallback={<span class="quiet grow">Changed here, not staged yet.</span>}>
							{why => <Notice kind="error">{why()}</Notice>}
						</Show>
						<button type="button" class="button small" onClick={() => editor?.reset()}>
							Undo
						</button>
						<button type="button" class="button small primary" title="Ctrl-Enter" onClick={keep}>
							Keep
						</button>
					</div>
				</Show>
			</Match>
		</Switch>
	)
}

/** To a place outside, and not to its own bar of search or its own buttons. */
function leaves({ currentTarget, relatedTarget }: FocusEvent): boolean {
	const panel = currentTarget instanceof HTMLElement ? currentTarget.closest('.row-panel') : null
	return !(relatedTarget instanceof Node && panel?.contains(relatedTarget))
}
