import { isolateHistory } from '@codemirror/commands'
import { type EditorState, type Extension, Facet, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, keymap, type Panel, showPanel } from '@codemirror/view'
import { createSignal } from 'solid-js'
import { render } from 'solid-js/web'
import { FindBar } from './find-bar.tsx'
import { findIn, marksOf, nothingSought, replacements, stepped } from './finding.ts'

/** Label of the search field, if it does not search text: `Find in the document`. */
export const findLabel = Facet.define<string, string>({ combine: ([label]) => label ?? 'Find in the text' })

const ask = StateEffect.define<'find' | 'replace'>()
const seek = StateEffect.define<string>()
const step = StateEffect.define<1 | -1>()
const close = StateEffect.define()

/** The query stays while the bar is closed. */
const search = StateField.define({
	create: () => ({ isOpen: false, isReplacing: false, finding: nothingSought }),
	update(before, { effects, docChanged, state }) {
		const again = (query: string) => findIn(state.sliceDoc(), query, state.selection.main.from)
		let { isOpen, isReplacing, finding } = before
		if (docChanged && isOpen) finding = again(finding.query)
		for (const effect of effects) {
			if (effect.is(ask)) {
				finding = again(selectedText(state) || finding.query)
				isReplacing = effect.value === 'replace'
			}
			if (effect.is(seek)) finding = again(effect.value)
			if (effect.is(step)) finding = stepped(finding, effect.value)
			isOpen = effect.is(ask) || (isOpen && !effect.is(close))
		}
		const isSame = isOpen === before.isOpen && isReplacing === before.isReplacing && finding === before.finding
		return isSame ? before : { isOpen, isReplacing, finding }
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
	const [shown, setShown] = createSignal(view.state.field(search))
	let focus = () => {}
	/** Opened from another element, it returns the focus there. */
	const { activeElement } = document
	const askedFrom =
		activeElement instanceof HTMLElement && !view.dom.contains(activeElement) ? activeElement : undefined
	const destroy = render(
		() => (
			<FindBar
				label={view.state.facet(findLabel)}
				finding={shown().finding}
				onReplace={shown().isReplacing ? (text, isAll) => replace(view, text, isAll) : undefined}
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
			setShown(state.field(search))
			if (transactions.some(({ effects }) => effects.some(effect => effect.is(ask)))) focus()
		},
	}
}

/** Replaces the current match or all matches, as one step of undo. */
function replace(view: EditorView, text: string, isAll: boolean): void {
	const changes = replacements(view.state.field(search).finding, text, isAll)
	if (changes.length === 0) return
	const [{ from }] = changes as [(typeof changes)[number]]
	view.dispatch({
		changes,
		...(!isAll && { selection: { anchor: from + text.length } }),
		userEvent: 'input.replace',
		annotations: isolateHistory.of('full'),
	})
	if (!isAll) go(view, seek.of(view.state.field(search).finding.query))
}

/** Opens the bar of an editor that has {@link editorFind}, or focuses it. */
export function openFind(view: EditorView): boolean {
	go(view, ask.of('find'))
	return true
}

function openReplace(view: EditorView): boolean {
	if (view.state.readOnly) return false
	go(view, ask.of('replace'))
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
		{ key: 'Mod-h', run: openReplace, preventDefault: true },
		{ key: 'F3', run: view => stepIfOpen(view, 1), shift: view => stepIfOpen(view, -1) },
	]),
]
