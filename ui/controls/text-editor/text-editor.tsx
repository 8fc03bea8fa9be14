import { EditorState } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { type JSX, onCleanup, onMount } from 'solid-js'
import { createCodeView } from './code-view.ts'
import { foldsByIndent } from './folds.ts'
import { jsonLanguage, textColours } from './json-language.ts'

/** Long text or JSON with line numbers. Unchanged parts keep their bytes, line ends included. */
export function TextEditor(props: {
	readonly label: string
	readonly text: string
	readonly isJson: boolean
	readonly isReadOnly: boolean
	onChange?(text: string): void
	/** Ctrl-Enter. */
	onKeep?(): void
}): JSX.Element {
	let place!: HTMLDivElement
	onMount(() => {
		const keep = () => {
			props.onKeep?.()
			return true
		}
		const view = createCodeView({
			text: props.text,
			label: props.label,
			extensions: [
				keymap.of([{ key: 'Mod-Enter', run: keep }]),
				// Any other line end would be converted.
				EditorState.lineSeparator.of('\n'),
				EditorState.readOnly.of(props.isReadOnly),
				props.isJson ? [jsonLanguage, textColours, foldsByIndent] : EditorView.lineWrapping,
			],
			onChange: text => props.onChange?.(text),
		})
		place.append(view.dom)
		view.focus()
		onCleanup(() => view.destroy())
	})
	return <div ref={place} class="text-editor" />
}
