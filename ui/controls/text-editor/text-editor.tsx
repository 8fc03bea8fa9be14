import { EditorState } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { type JSX, onCleanup, onMount } from 'solid-js'
import { createCodeView } from './code-view.ts'
import { foldsByIndent } from './folds.ts'
import { jsonLanguage, textColours } from './json-language.ts'

/** A long text or JSON with line numbers; what is not changed in it stays as it was, its line ends among it. */
export function TextEditor(props: {
	readonly label: string
	readonly text: string
	readonly isJson: boolean
	readonly isReadOnly: boolean
	onChange(text: string): void
	/** Ctrl-Enter. */
	onKeep(): void
}): JSX.Element {
	let place!: HTMLDivElement
	onMount(() => {
		const keep = () => {
			props.onKeep()
			return true
		}
		const view = createCodeView({
			text: props.text,
			label: props.label,
			extensions: [
				keymap.of([{ key: 'Mod-Enter', run: keep }]),
				// Any other end of a line would be turned into this one.
				EditorState.lineSeparator.of('\n'),
				EditorState.readOnly.of(props.isReadOnly),
				props.isJson ? [jsonLanguage, textColours, foldsByIndent] : EditorView.lineWrapping,
			],
			onChange: text => props.onChange(text),
		})
		place.append(view.dom)
		view.focus()
		onCleanup(() => view.destroy())
	})
	return <div ref={place} class="text-editor" />
}
