import { autocompletion, type CompletionContext, type CompletionResult, closeBrackets } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, foldGutter, indentUnit } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers, placeholder } from '@codemirror/view'
import { onCleanup } from 'solid-js'
import type { Engine } from '../state/engine.tsx'
import { optionClass } from './completion-info.ts'
import { consoleColours, consoleLanguage } from './language.ts'

export interface EditorSelection {
	readonly from: number
	readonly to: number
}

/** Lets in the editor's own style sheet (host/ui-server/server.ts). */
function styleNonce(): string {
	return document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? ''
}

/** The editor of a console, with completion that the driver answers. It is there before it is shown, and ends with its owner. */
export function createEditor(options: {
	readonly text: string
	/** What the engine says of its console. */
	readonly language: Engine['console']
	onChange(text: string): void
	/** Ctrl-Enter. */
	onRun(): void
	complete(text: string, offset: number): Promise<CompletionResult | null>
}) {
	const run = () => {
		options.onRun()
		return true
	}
	const complete = (context: CompletionContext) => {
		const isWanted = context.explicit || context.matchBefore(/[\w/."_-]+$/) !== null
		// A completion that the host refuses is no word worth: the person goes on typing.
		return isWanted ? options.complete(context.state.doc.toString(), context.pos).catch(() => null) : null
	}
	const view = new EditorView({
		state: EditorState.create({
			doc: options.text,
			extensions: [
				EditorView.cspNonce.of(styleNonce()),
				keymap.of([{ key: 'Mod-Enter', run }]),
				lineNumbers(),
				foldGutter(),
				history(),
				drawSelection(),
				highlightActiveLine(),
				bracketMatching(),
				closeBrackets(),
				indentUnit.of('  '),
				EditorState.tabSize.of(2),
				autocompletion({ override: [complete], icons: false, optionClass }),
				consoleLanguage(options.language),
				consoleColours,
				placeholder(options.language.placeholder),
				EditorView.contentAttributes.of({ 'aria-label': 'Console' }),
				EditorView.updateListener.of(update => {
					if (update.docChanged) options.onChange(update.state.doc.toString())
				}),
				keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
			],
		}),
	})
	onCleanup(() => view.destroy())

	return {
		/** Where it is drawn. */
		dom: view.dom,
		focus: () => view.focus(),
		text: () => view.state.doc.toString(),
		selection(): EditorSelection {
			const { from, to } = view.state.selection.main
			return { from, to }
		},
		/** Adds a statement at the end and goes there. */
		append(text: string): void {
			const end = view.state.doc.length
			const insert = end === 0 ? text : `\n\n${text}`
			view.dispatch({
				changes: { from: end, insert },
				selection: { anchor: end + insert.length - text.length },
				scrollIntoView: true,
			})
			view.focus()
		},
	}
}
