import { autocompletion, type CompletionContext, type CompletionResult, closeBrackets } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, foldGutter, indentUnit } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers, placeholder } from '@codemirror/view'
import { type JSX, onCleanup, onMount } from 'solid-js'
import type { Engine } from '../state/engine.tsx'
import { consoleColours, consoleLanguage } from './language.ts'

export interface EditorSelection {
	readonly from: number
	readonly to: number
}

export interface EditorHandle {
	selection(): EditorSelection
	/** Adds a request at the end and goes there. */
	append(text: string): void
}

/** Lets in the editor's own style sheet (host/ui-server/server.ts). */
function styleNonce(): string {
	return document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? ''
}

/** The text of a console, with completion that the driver answers. */
export function ConsoleEditor(props: {
	readonly text: string
	/** What the engine says of its console. */
	readonly language: Engine['console']
	onChange(text: string): void
	/** Ctrl-Enter: run what the cursor or the selection is on. */
	onRun(selection: EditorSelection): void
	complete(text: string, offset: number): Promise<CompletionResult | null>
	/** Hands out the editor's handle. */
	ref(handle: EditorHandle): void
}): JSX.Element {
	let place!: HTMLDivElement
	onMount(() => {
		const selectionOf = (state: EditorState) => ({ from: state.selection.main.from, to: state.selection.main.to })
		const run = (view: EditorView) => {
			props.onRun(selectionOf(view.state))
			return true
		}
		const complete = (context: CompletionContext) => {
			const isWanted = context.explicit || context.matchBefore(/[\w/."_-]+$/) !== null
			return isWanted ? props.complete(context.state.doc.toString(), context.pos) : null
		}
		const view = new EditorView({
			parent: place,
			state: EditorState.create({
				doc: props.text,
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
					autocompletion({ override: [complete], icons: false }),
					consoleLanguage(props.language),
					consoleColours,
					placeholder(props.language.placeholder),
					EditorView.contentAttributes.of({ 'aria-label': 'Console' }),
					EditorView.updateListener.of(update => {
						if (update.docChanged) props.onChange(update.state.doc.toString())
					}),
					keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
				],
			}),
		})
		props.ref({
			selection: () => selectionOf(view.state),
			append: text => {
				const end = view.state.doc.length
				const insert = end === 0 ? text : `\n\n${text}`
				view.dispatch({
					changes: { from: end, insert },
					selection: { anchor: end + insert.length - text.length },
					scrollIntoView: true,
				})
			},
		})
		// The tab is put into the page after this.
		queueMicrotask(() => view.focus())
		onCleanup(() => view.destroy())
	})
	return <div class="console-editor" ref={place} />
}
