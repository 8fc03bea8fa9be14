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
	readonly message: string | undefined
}

const begin = StateEffect.define<readonly Statement[]>()
const fail = StateEffect.define<{ readonly statement: Statement; readonly message: string }>()

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
			const { statement, message } = effect.value
			all = all.map(mark => (mark.of === statement ? { ...mark, message } : mark))
		}
		return all
	},
	provide: field => EditorView.decorations.compute([field], state => underlined(state.field(field), state.doc)),
})

function markOf(statement: Statement, length: number): Mark {
	const { start, end } = statement
	return { of: statement, from: Math.min(start, length), to: Math.min(end, length), message: undefined }
}

function failed(all: readonly Mark[]): readonly (Mark & { readonly message: string })[] {
	return all.flatMap(({ message, ...mark }) => (message === undefined ? [] : [{ ...mark, message }]))
}

/** Only the first line of each failed statement: the rest may be long. */
function underlined(all: readonly Mark[], doc: EditorView['state']['doc']): DecorationSet {
	const ranges = failed(all).flatMap(({ from, to, message }) => {
		const end = Math.min(to, doc.lineAt(from).to)
		const drawn = Decoration.mark({ class: 'cm-fault', attributes: { title: message } })
		return end > from ? [drawn.range(from, end)] : []
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
		const lines = failed(view.state.field(marks)).map(({ from, message }) =>
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
export function markFault(view: EditorView, statement: Statement, message: string): void {
	view.dispatch({ effects: fail.of({ statement, message }) })
}
