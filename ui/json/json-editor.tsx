import { EditorState, Transaction } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { createEffect, createMemo, type JSX, on, onCleanup, onMount } from 'solid-js'
import { findLabel, openFind } from '../controls/find/editor-find.tsx'
import { createCodeView } from '../controls/text-editor/code-view.ts'
import { foldsByIndent } from '../controls/text-editor/folds.ts'
import { jsonLanguage, textColours } from '../controls/text-editor/json-language.ts'

export interface EditorHandle {
	find(): void
	focus(): void
	/** Whether the focus is in the text or its search bar. */
	hasFocus(): boolean
	/** Reverts to the original text. */
	reset(): void
}

/** Laid-out JSON that can be edited. */
export function JsonEditor(props: {
	readonly label: string
	/** `Find in the document` */
	readonly findLabel?: string | undefined
	/** The original text. Another one replaces the content. */
	readonly text: string
	onChange(text: string): void
	/** Ctrl-Enter. */
	onKeep(): void
	/** Escape. */
	onRevert(): void
	ref(editor: EditorHandle): void
}): JSX.Element {
	let place!: HTMLDivElement
	onMount(() => {
		const does = (work: () => void) => () => {
			work()
			return true
		}
		const view = createCodeView({
			text: props.text,
			label: props.label,
			extensions: [
				props.findLabel === undefined ? [] : findLabel.of(props.findLabel),
				keymap.of([
					{ key: 'Mod-Enter', run: does(() => props.onKeep()) },
					{ key: 'Escape', run: does(() => props.onRevert()) },
				]),
				EditorState.lineSeparator.of('\n'),
				EditorView.lineWrapping,
				jsonLanguage,
				textColours,
				foldsByIndent,
			],
			onChange: text => props.onChange(text),
		})
		place.append(view.dom)
		function set(text: string): void {
			if (view.state.sliceDoc() === text) return
			const changes = { from: 0, to: view.state.doc.length, insert: text }
			view.dispatch({ changes, annotations: Transaction.addToHistory.of(false) })
		}
		props.ref({
			find: () => openFind(view),
			focus: () => view.focus(),
			hasFocus: () => place.contains(document.activeElement),
			reset: () => set(props.text),
		})
		// Only a different text, so that an equal one keeps what was typed.
		createEffect(
			on(
				createMemo(() => props.text),
				set,
				{ defer: true },
			),
		)
		onCleanup(() => view.destroy())
	})
	return <div ref={place} class="json-editor-place" />
}
