import { type EditorState, type Extension, Facet, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, keymap, type Panel, showPanel } from '@codemirror/view'
import { createSignal } from 'solid-js'
import { render } from 'solid-js/web'
import { FindBar } from './find-bar.tsx'
import { findIn, marksOf, nothingSought, stepped } from './finding.ts'

/** Label of the search field, if it does not search text: `Find in the document`. */
export const findLabel = Facet.define<string, string>({ combine: ([label]) => label ?? 'Find in the text' })

const ask = StateEffect.define()
const seek = StateEffect.define<string>()
const step = StateEffect.define<1 | -1>()
const close = StateEffect.define()

/** The query stays while the bar is closed. */
const search = StateField.define({
	create: () => ({ isOpen: false, finding: nothingSought }),
	update(before, { effects, docChanged, state }) {
		const again = (query: string) => findIn(state.sliceDoc(), query, state.selection.main.from)
		let { isOpen, finding } = before
		if (docChanged && isOpen) finding = again(finding.query)
		for (const effect of effects) {
			if (effect.is(ask)) finding = again(selectedText(state) || finding.query)
			if (effect.is(seek)) finding = again(effect.value)
			if (effect.is(step)) finding = stepped(finding, effect.value)
			isOpen = effect.is(ask) || (isOpen && !effect.is(close))
		}
		return isOpen === before.isOpen && finding === before.finding ? before : { isOpen, finding }
	},
	provide: field => [
		showPanel.from(field, ({ isOpen }) => (isOpen ? openBar : null)),
		EditorView.decorations.from(field, ({ isOpen, finding }) => (isOpen ? drawn(finding) : Decoration.none)),
	],
})

/** One line: queries are not paragraphs. */
function selectedText(state: EditorState): string {
	const { from, to } = state.selection.main
	const text = state.sliceDoc(from, to)
	return text.includes('\n') ? '' : text
}

const mark = Decoration.mark({ class: 'cm-found' })
const currentMark = Decoration.mark({ class: 'cm-found-current' })

function drawn(finding: Parameters<typeof marksOf>[0]): DecorationSet {
	const { current, others } = marksOf(finding)
	const marks = others.map(({ from, to }) => mark.range(from, to))
	return Decoration.set(current ? [...marks, currentMark.range(current.from, current.to)] : marks, true)
}

/** The current match is visible, and the cursor is before it. */
function go(view: EditorView, effect: StateEffect<unknown>): void {
	view.dispatch({ effects: effect })
	const { matches, current } = view.state.field(search).finding
	const from = matches[current]?.from
	if (from === undefined) return
	view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) })
}

function openBar(view: EditorView): Panel {
	const dom = document.createElement('div')
	const [finding, setFinding] = createSignal(view.state.field(search).finding)
	let focus = () => {}
	/** Opened from another element, it returns the focus there. */
	const { activeElement } = document
	const askedFrom =
		activeElement instanceof HTMLElement && !view.dom.contains(activeElement) ? activeElement : undefined
	const destroy = render(
		() => (
			<FindBar
				label={view.state.facet(findLabel)}
				finding={finding()}
				ref={own => {
					focus = own
				}}
				onQuery={query => go(view, seek.of(query))}
				onStep={by => go(view, step.of(by))}
				onClose={() => {
					view.dispatch({ effects: close.of(null) })
					if (askedFrom?.isConnected) askedFrom.focus()
					else view.focus()
				}}
			/>
		),
		dom,
	)
	return {
		dom,
		top: true,
		destroy,
		update({ state, transactions }) {
			setFinding(state.field(search).finding)
			if (transactions.some(({ effects }) => effects.some(effect => effect.is(ask)))) focus()
		},
	}
}

/** Opens the bar of an editor that has {@link editorFind}, or focuses it. */
export function openFind(view: EditorView): boolean {
	go(view, ask.of(null))
	return true
}

function stepIfOpen(view: EditorView, by: 1 | -1): boolean {
	const { isOpen } = view.state.field(search)
	if (isOpen) go(view, step.of(by))
	return isOpen
}

/** Find in an editor, with the window's own bar. */
export const editorFind: Extension = [
	search,
	keymap.of([
		{ key: 'Mod-f', run: openFind },
		{ key: 'F3', run: view => stepIfOpen(view, 1), shift: view => stepIfOpen(view, -1) },
	]),
]
