import { foldService } from '@codemirror/language'
import { EditorState, Text } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { createSignal, type JSX, onCleanup, onMount, Show } from 'solid-js'
import { findLabel, openFind } from '../controls/find/editor-find.tsx'
import { createCodeView } from '../controls/text-editor/code-view.ts'
import { jsonLanguage, textColours } from '../controls/text-editor/json-language.ts'
import { bytes as sizeOf } from '../words/format.ts'
import { JsonLayout, type Layout, TextLayout } from './lay-out.ts'
import { between, nextText } from './shown-text.ts'

/** More than this is shown on request. */
const shownCharacters = 5_000_000
/** Highlighting costs more than text. */
const colouredBytes = 2_000_000
/** The part that is laid out. */
const firstCharacters = 8_000

/** Read-only text of any size, with line numbers, highlighting, folds and search. */
export function LongText(props: {
	readonly label: string
	/** `Find in the document` */
	readonly findLabel?: string | undefined
	readonly bytes: Uint8Array
	readonly isJson: boolean
	/** Receives a function that opens the search bar. */
	ref?(find: () => void): void
}): JSX.Element {
	const layout: Layout = props.isJson ? new JsonLayout(props.bytes) : new TextLayout(props.bytes)
	const [isWhole, setWhole] = createSignal(true)
	const [isWorking, setWorking] = createSignal(false)
	const [hasCuts, setCuts] = createSignal(false)
	const given = new AbortController()
	let place!: HTMLDivElement
	let view: EditorView

	/** The first lines at once, the rest in slices. */
	function begin(): void {
		const isColoured = props.isJson && props.bytes.length <= colouredBytes
		view = createCodeView({
			text: layout.isDone ? Text.empty : Text.of(layout.next(firstCharacters)),
			label: props.label,
			extensions: [
				props.findLabel === undefined ? [] : findLabel.of(props.findLabel),
				EditorState.readOnly.of(true),
				// Text may be a table, whose columns would fall apart.
				props.isJson ? EditorView.lineWrapping : [],
				isColoured ? [jsonLanguage, textColours] : [],
				foldService.of((state, from) => foldOf(state, from)),
				wholeCopy(),
			],
		})
		place.append(view.dom)
		props.ref?.(() => openFind(view))
		void more()
	}

	function foldOf(state: EditorState, from: number) {
		const line = state.doc.lineAt(from)
		const closing = layout.closings.get(line.number)
		if (closing === undefined || closing > state.doc.lines) return null
		const end = state.doc.line(closing)
		return { from: line.to, to: end.from + end.text.search(/\S|$/) }
	}

	/** Copying everything includes what is shortened on the screen. */
	function wholeCopy() {
		return EditorView.domEventHandlers({
			copy(event, { state }) {
				const { from, to } = state.selection.main
				if (from > 0 || to < state.doc.length || (!hasCuts() && isWhole())) return false
				event.clipboardData?.setData('text/plain', new TextDecoder().decode(props.bytes))
				event.preventDefault()
				return true
			},
		})
	}

	async function more(): Promise<void> {
		setWorking(true)
		const text = await nextText(layout, shownCharacters, given.signal)
		if (given.signal.aborted) return
		if (text) view.dispatch({ changes: { from: view.state.doc.length, insert: between.append(text) } })
		setCuts(layout.hasCutTexts)
		setWhole(layout.isDone)
		setWorking(false)
	}

	onMount(begin)
	onCleanup(() => {
		given.abort()
		view.destroy()
	})
	return (
		// Screen readers read megabytes of text when the user goes there, not when it appears.
		<div class="long-text" aria-live="off">
			<div ref={place} class="long-text-place" />
			<Show when={!isWhole() || hasCuts()}>
				<p class="long-text-foot quiet" role="status">
					<Show when={!isWhole()}>
						<span>The first part of {sizeOf(props.bytes.length)} is shown.</span>
						<button type="button" class="button small" disabled={isWorking()} onClick={() => void more()}>
							Show more
						</button>
					</Show>
					<Show when={hasCuts()}>
						<span>Long values are cut here. Copy and Save use the complete values.</span>
					</Show>
				</p>
			</Show>
		</div>
	)
}
