import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, foldGutter, foldKeymap, indentService, indentUnit } from '@codemirror/language'
import { selectNextOccurrence } from '@codemirror/search'
import { Compartment, countColumn, EditorState, type Extension, type Text, Transaction } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, type KeyBinding, keymap, lineNumbers } from '@codemirror/view'
import { editorFind } from '../find/editor-find.tsx'

/** Allows the editor's own style sheet (host/ui-server/server.ts). */
function styleNonce(): string {
	return document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? ''
}

/** Line numbers, folds, find and the usual keys of an editor. */
export function codeViewExtensions(label: string): Extension {
	return [
		EditorView.cspNonce.of(styleNonce()),
		editorFind,
		lineNumbers(),
		foldGutter(),
		drawSelection(),
		highlightActiveLine(),
		bracketMatching(),
		indentUnit.of('  '),
		EditorState.tabSize.of(2),
		// It can be scrolled by keys although it cannot be edited.
		EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
		keymap.of(foldKeymap),
	]
}

/** A line after an opening bracket is indented by one unit more. */
const indentAfterBracket = indentService.of((context, at) => {
	const { text, from } = context.state.doc.lineAt(at)
	const isOpen = /[{[(]\s*$/.test(text.slice(0, at - from))
	return isOpen ? countColumn(text, context.state.tabSize, text.search(/\S/)) + context.unit : undefined
})

const undoSteps = new Compartment()

/** Replaces the text without a step of undo. */
export function setText(view: EditorView, text: string): void {
	if (view.state.sliceDoc() === text) return
	const changes = { from: 0, to: view.state.doc.length, insert: text }
	view.dispatch({ changes, annotations: Transaction.addToHistory.of(false) })
}

/** Shows another text from its start. Undo does not return to the previous one; the search and the focus stay. */
export function openText(view: EditorView, text: string): void {
	view.dispatch({ effects: undoSteps.reconfigure([]) })
	setText(view, text)
	view.dispatch({ selection: { anchor: 0 }, effects: [undoSteps.reconfigure(history()), EditorView.scrollIntoView(0)] })
}

/** Whether the window does not use a key of the editor: Alt with an arrow is Back and Forward. */
const isFree = ({ key = '' }: KeyBinding) => !/^Alt-Arrow(Left|Right)$/.test(key)

/** An editor with line numbers, undo, find and the usual keys. */
export function createCodeView(options: {
	readonly text: string | Text
	/** Its accessible name. */
	readonly label: string
	/** Further extensions. Their keys have precedence. */
	readonly extensions: readonly Extension[]
	onChange?(text: string): void
}): EditorView {
	return new EditorView({
		state: EditorState.create({
			doc: options.text,
			extensions: [
				options.extensions,
				codeViewExtensions(options.label),
				indentAfterBracket,
				EditorState.allowMultipleSelections.of(true),
				undoSteps.of(history()),
				EditorView.updateListener.of(update => {
					if (update.docChanged) options.onChange?.(update.state.sliceDoc())
				}),
				keymap.of([{ key: 'Mod-d', run: selectNextOccurrence, preventDefault: true }]),
				keymap.of([...defaultKeymap.filter(isFree), ...historyKeymap, indentWithTab]),
			],
		}),
	})
}
