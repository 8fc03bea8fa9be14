import { EditorState } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { createEffect, createMemo, type JSX, on, onCleanup, onMount } from 'solid-js'
import { findLabel, openFind } from '../controls/find/editor-find.tsx'
import { createCodeView, openText, setText } from '../controls/text-editor/code-view.ts'
import { foldsByIndent } from '../controls/text-editor/folds.ts'
import { jsonLanguage, textColours } from '../controls/text-editor/json-language.ts'

export interface EditorHandle {
	find(): void
	/** Reverts to the original text. */
	reset(): void
}

/** Laid-out JSON that can be edited. */
export function JsonEditor(props: {
	readonly label: string
	/** `Find in the document` */
	readonly findLabel?: string | undefined
	/** Identifies the text. The steps of undo belong to it. */
	readonly of: string
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
		props.ref({
			find: () => openFind(view),
			reset: () => setText(view, props.text),
		})
		const of = createMemo(() => props.of)
		// Only a different text, so that an equal one keeps what was typed.
		const text = createMemo(() => props.text)
		let shown = props.of
		createEffect(
			on(
				[of, text],
				([of, text]) => {
					if (of === shown) setText(view, text)
					else openText(view, text)
					shown = of
				},
				{ defer: true },
			),
		)
		onCleanup(() => view.destroy())
	})
	return <div ref={place} class="json-editor-place" />
}
