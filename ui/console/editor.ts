import {
	acceptCompletion,
	autocompletion,
	CompletionContext,
	type CompletionResult,
	closeBrackets,
	closeCompletion,
	completionStatus,
	currentCompletions,
	moveCompletionSelection,
	selectedCompletionIndex,
} from '@codemirror/autocomplete'
import { isolateHistory } from '@codemirror/commands'
import { Compartment, Prec } from '@codemirror/state'
import { EditorView, keymap, placeholder } from '@codemirror/view'
import { createEffect, onCleanup } from 'solid-js'
import type { Completions } from '../../host/api/api.ts'
import { openFind } from '../controls/find/editor-find.tsx'
import { createCodeView } from '../controls/text-editor/code-view.ts'
import { textColours } from '../controls/text-editor/json-language.ts'
import { consoleLanguage } from '../controls/text-editor/statement-language.ts'
import { consoleEnter, consoleLines } from '../state/appearance.ts'
import type { Engine } from '../state/engine.tsx'
import { completionIcon } from './completion-icon.ts'
import { behindAny, completionsFor, isCertain, openedOnce, optionClass } from './completion-info.ts'
import { faultMarks, follow, markFault } from './fault-marks.ts'
import { keptHead } from './kept-head.ts'

/** A separate step of undo, however soon it follows typing. */
const ownStep = isolateHistory.of('full')

/** Accepts the chosen option, else the first. A list that has just opened takes no key for a moment. Only without a list Tab indents. */
const acceptFirst = (view: EditorView) => {
	if (completionStatus(view.state) !== 'active') return false
	if (selectedCompletionIndex(view.state) === null) moveCompletionSelection(true)(view)
	acceptCompletion(view)
	return true
}

/** Accepts the marked option: the first one, if it begins with what is typed. Other offers do not take the line break. */
const acceptCertain = (view: EditorView) => {
	if (consoleEnter.chosen() !== 'accepts' || completionStatus(view.state) !== 'active') return false
	const [first] = currentCompletions(view.state)
	if (!first || !isCertain(first)) return false
	if (selectedCompletionIndex(view.state) === null) moveCompletionSelection(true)(view)
	return acceptCompletion(view)
}

/** Chooses the marked first option, from which the key of the list then goes to the second. */
const startAtCertain = (view: EditorView) => {
	if (completionStatus(view.state) !== 'active' || selectedCompletionIndex(view.state) !== null) return false
	const [first] = currentCompletions(view.state)
	if (first && isCertain(first)) moveCompletionSelection(true)(view)
	return false
}

export interface EditorSelection {
	readonly from: number
	readonly to: number
}

/**
 * The editor of a console, with completion by the driver. It exists before it is shown, and is disposed with its owner.
 */
export function createEditor(options: {
	readonly text: string
	/** The console's part of the driver's manifest. */
	readonly language: Engine['console']
	onChange(text: string): void
	/** Ctrl-Enter. */
	onRun(): void
	/** Converts a text that was copied elsewhere to the console's language; `undefined` if it is not recognized. */
	readPasted(text: string): Promise<string | undefined>
	/** Known names for `{{name}}`. */
	variables(): Promise<readonly string[]>
	/** What fits at an offset of the text, by the driver. */
	complete(text: string, offset: number): Promise<Completions>
}) {
	const run = (view: EditorView) => {
		closeCompletion(view)
		options.onRun()
		return true
	}
	const beginning = behindAny(options.language.completesBehind)
	const complete = (context: CompletionContext) => {
		const variable = context.matchBefore(/\{\{\s*[\p{L}\p{N}_.-]*$/u)
		if (variable) return completeVariable(context, variable.from + variable.text.search(/[^{\s]|$/))
		const isWanted = context.explicit || context.matchBefore(name) !== null || context.matchBefore(beginning) !== null
		// A refused completion is not reported: the user types on.
		return isWanted ? completeByDriver(context).catch(() => null) : null
	}
	async function completeByDriver({ state, pos, explicit }: CompletionContext): Promise<CompletionResult | null> {
		const { from, options: fitting } = await options.complete(state.doc.toString(), pos)
		return completionsFor({ from, options: fitting }, { typed: state.sliceDoc(from, pos), isExplicit: explicit })
	}
	/** Replaces a star behind which the cursor is by what it stands for, if the driver has one offer. */
	const expandStar = (view: EditorView) => {
		const { state } = view
		const { head, empty } = state.selection.main
		const isStar = empty && /(?:^|[\s,.(])\*$/.test(state.sliceDoc(Math.max(0, head - 2), head))
		if (!isStar || options.language.terminator === undefined) return false
		void Promise.resolve(complete(new CompletionContext(state, head, true))).then(found => {
			const [option, ...others] = found?.options ?? []
			if (!found || !option || others.length > 0 || view.state !== state) return
			if (typeof option.apply === 'function') option.apply(view, option, found.from, head)
		})
		return true
	}
	async function completeVariable({ state, pos }: CompletionContext, from: number): Promise<CompletionResult | null> {
		const names = await options.variables().catch(() => [])
		const end = /^\s*\}\}/.test(state.sliceDoc(pos, pos + 20)) ? '' : '}}'
		return {
			from,
			options: names.map(label => ({ label, type: 'keyword', detail: 'variable', apply: `${label}${end}` })),
		}
	}
	/** The pasted text appears unchanged at once and is replaced by its conversion, which undo reverts. */
	const onPaste = (event: ClipboardEvent, view: EditorView) => {
		const text = event.clipboardData?.getData('text/plain') ?? ''
		if (!options.language.pastes.some(beginning => text.trimStart().startsWith(beginning))) return false
		const { from } = view.state.selection.main
		view.dispatch(view.state.replaceSelection(text), { userEvent: 'input.paste', scrollIntoView: true })
		void options.readPasted(text).then(read => {
			const end = from + text.length
			if (read === undefined || view.state.sliceDoc(from, end) !== text) return
			view.dispatch({
				changes: { from, to: end, insert: read },
				selection: { anchor: from + read.length },
				annotations: ownStep,
				scrollIntoView: true,
			})
		})
		return true
	}
	const wrapping = new Compartment()
	const view = createCodeView({
		text: options.text,
		label: 'Console',
		extensions: [
			keymap.of([
				{ key: 'Mod-Enter', run },
				{ key: 'Tab', run: view => acceptFirst(view) || expandStar(view) },
				{ key: 'Enter', run: acceptCertain },
			]),
			// The keys of the list have the highest precedence too.
			Prec.highest(keymap.of([{ key: 'ArrowDown', run: startAtCertain }])),
			openedOnce,
			closeBrackets(),
			autocompletion({
				override: [complete],
				icons: false,
				addToOptions: [{ render: completionIcon, position: 20 }],
				optionClass,
				// The foot of the list says its keys.
				tooltipClass: () => (consoleEnter.chosen() === 'accepts' ? 'cm-enter-accepts' : ''),
				selectOnOpen: false,
			}),
			consoleLanguage(options.language),
			// Where nothing ends a statement, its first line has what it does. Keywords of other languages are within statements too.
			options.language.terminator === undefined && options.language.keywords.length > 0
				? keptHead(options.language)
				: [],
			faultMarks,
			EditorView.domEventHandlers({ paste: onPaste }),
			textColours,
			wrapping.of([]),
			placeholder(options.language.placeholder),
		],
		onChange: text => options.onChange(text),
	})
	createEffect(() => {
		const isWrapped = consoleLines.chosen() === 'wrapped'
		view.dispatch({ effects: wrapping.reconfigure(isWrapped ? EditorView.lineWrapping : []) })
	})
	onCleanup(() => view.destroy())

	return {
		/** The element that contains it. */
		dom: view.dom,
		focus: () => view.focus(),
		find: () => openFind(view),
		text: () => view.state.doc.toString(),
		selection(): EditorSelection {
			const { from, to } = view.state.selection.main
			return { from, to }
		},
		/** Tracks statements that run, to mark those that fail. */
		follow(statements: Parameters<typeof follow>[1]): void {
			closeCompletion(view)
			follow(view, statements)
		},
		markFault: (statement: Parameters<typeof markFault>[1], failure: Parameters<typeof markFault>[2]) =>
			markFault(view, statement, failure),
		/** Takes a text from another window. Equal parts at both ends stay, and with them the cursor. */
		take(text: string): void {
			const { doc } = view.state
			const mine = doc.toString()
			let from = 0
			while (from < mine.length && mine[from] === text[from]) from++
			let end = 0
			const most = Math.min(mine.length, text.length) - from
			while (end < most && mine.at(-1 - end) === text.at(-1 - end)) end++
			if (from === mine.length && from === text.length) return
			view.dispatch({
				changes: { from, to: mine.length - end, insert: text.slice(from, text.length - end) },
				annotations: ownStep,
			})
		},
		/** Appends a statement and moves the cursor there. */
		append(text: string): void {
			const end = view.state.doc.length
			const insert = end === 0 ? text : `${missingTerminator(view.state.doc.toString(), options.language)}\n\n${text}`
			view.dispatch({
				changes: { from: end, insert },
				selection: { anchor: end + insert.length - text.length },
				scrollIntoView: true,
			})
			view.focus()
		},
	}
}

const name = /[\w/."'_?&-]$/

/** Returns what ends the last statement of a text. */
function missingTerminator(text: string, { terminator, lineComments }: Engine['console']): string {
	const written = text.trimEnd()
	if (terminator === undefined || written === '' || written.endsWith(terminator)) return ''
	const isInComment = lineComments.some(mark => written.slice(written.lastIndexOf('\n') + 1).includes(mark))
	return isInComment ? `\n${terminator}` : terminator
}
