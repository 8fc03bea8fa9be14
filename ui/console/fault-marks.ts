import { type Extension, RangeSet, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, GutterMarker, gutter } from '@codemirror/view'

interface Statement {
	readonly start: number
	readonly end: number
}

/** The range of a statement, while its text is unchanged. */
interface Mark {
	readonly of: Statement
	readonly from: number
	readonly to: number
	/** Why it failed; undefined while unknown. */
	readonly failure: Failure | undefined
}

interface Failure {
	readonly message: string
	/** Offset of the error in the statement. */
	readonly at?: number
}

const begin = StateEffect.define<readonly Statement[]>()
const fail = StateEffect.define<{ readonly statement: Statement; readonly failure: Failure }>()

/**
 * Statements that were run, tracked through edits around them, so that results find their lines. An edited statement is
 * dropped.
 */
const marks = StateField.define<readonly Mark[]>({
	create: () => [],
	update(before, { docChanged, changes, effects, newDoc }) {
		let all = before
		if (docChanged) {
			all = all.flatMap(mark => {
				if (changes.touchesRange(mark.from, mark.to)) return []
				return { ...mark, from: changes.mapPos(mark.from, 1), to: changes.mapPos(mark.to, -1) }
			})
		}
		for (const effect of effects) {
			if (effect.is(begin)) all = effect.value.map(statement => markOf(statement, newDoc.length))
			if (!effect.is(fail)) continue
			const { statement, failure } = effect.value
			all = all.map(mark => (mark.of === statement ? { ...mark, failure } : mark))
		}
		return all
	},
	provide: field => EditorView.decorations.compute([field], state => underlined(state.field(field), state.doc)),
})

function markOf(statement: Statement, length: number): Mark {
	const { start, end } = statement
	return { of: statement, from: Math.min(start, length), to: Math.min(end, length), failure: undefined }
}

interface Fault {
	readonly from: number
	readonly to: number
	readonly message: string
}

/**
 * Returns the ranges of the errors: the word at the offset of each, else the first line of the failed statement, because
 * the rest may be long.
 */
function faultsIn(all: readonly Mark[], doc: EditorView['state']['doc']): readonly Fault[] {
	return all.flatMap(({ from, to, failure }) => {
		if (failure === undefined) return []
		const { message, at } = failure
		if (at === undefined || from + at >= to) return [{ from, to: Math.min(to, doc.lineAt(from).to), message }]
		const start = from + at
		const [word = ''] = /^(?:[\w$]+|\S)/.exec(doc.sliceString(start, Math.min(to, doc.lineAt(start).to))) ?? []
		// An error at the end of a line has no character, so the one before is marked.
		return word === ''
			? [{ from: Math.max(from, start - 1), to: start, message }]
			: [{ from: start, to: start + word.length, message }]
	})
}

function underlined(all: readonly Mark[], doc: EditorView['state']['doc']): DecorationSet {
	const ranges = faultsIn(all, doc).flatMap(({ from, to, message }) => {
		const drawn = Decoration.mark({ class: 'cm-fault', attributes: { title: message } })
		return to > from ? [drawn.range(from, to)] : []
	})
	return Decoration.set(ranges, true)
}

class FaultMarker extends GutterMarker {
	readonly #message: string
	constructor(message: string) {
		super()
		this.#message = message
	}
	override eq(other: FaultMarker): boolean {
		return this.#message === other.#message
	}
	override toDOM(): Node {
		const dot = document.createElement('span')
		Object.assign(dot, { className: 'cm-fault-dot', title: this.#message, textContent: '!' })
		return dot
	}
}

const faultGutter = gutter({
	class: 'cm-fault-gutter',
	markers(view): RangeSet<GutterMarker> {
		const { doc } = view.state
		const lines = faultsIn(view.state.field(marks), doc).map(({ from, message }) =>
			new FaultMarker(message).range(doc.lineAt(from).from),
		)
		return RangeSet.of(lines, true)
	},
	lineMarkerChange: update => update.startState.field(marks) !== update.state.field(marks),
})

export const faultMarks: Extension = [marks, faultGutter]

/** Tracks these statements instead of earlier ones. */
export function follow(view: EditorView, statements: readonly Statement[]): void {
	view.dispatch({ effects: begin.of(statements) })
}

/** Marks a statement as failed if it is still tracked. */
export function markFault(view: EditorView, statement: Statement, failure: Failure): void {
	view.dispatch({ effects: fail.of({ statement, failure }) })
}
