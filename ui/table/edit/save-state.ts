import type { Staged } from './staged.ts'

/** What a save of staged changes does now, and which saves can be undone. Pure: each step returns the next state. */
export interface SaveState {
	readonly phase: SavePhase
	/** What reverts the last saves, the latest at the end. */
	readonly undoable: readonly Staged[]
	/** The reversal that is staged alone, so that the next save is an undo. */
	readonly undoing: Staged | undefined
	/** Ids of new rows that were deleted before. */
	readonly recreated: ReadonlySet<string>
}

/** The review that the user sees stays in each phase until it is closed or its changes were sent. */
export type SavePhase =
	| { readonly name: 'idle' }
	/** The requests are made, for the first time or again because the changes are others. */
	| { readonly name: 'previewing'; readonly review: Review | undefined }
	| { readonly name: 'reviewing'; readonly review: Review }
	| Sending
	/** The last preview or save has failed, at least in part. */
	| { readonly name: 'failed'; readonly message: string; readonly review: Review | undefined }

interface Sending {
	readonly name: 'sending'
	readonly review: Review | undefined
	readonly isCancelled: boolean
	/** Number of changes that were sent, if one call does not suffice. */
	readonly done: number | undefined
}

/** Changes as the user sees them before they are sent. */
export interface Review {
	readonly requests: readonly string[]
	/** What the host knows each call by. */
	readonly reviews: readonly string[]
}

export type SaveStep =
	/** The requests are made. */
	| { readonly do: 'preview' }
	| { readonly do: 'show'; readonly review: Review }
	/** The user closes the review. What is being sent goes on. */
	| { readonly do: 'close' }
	| { readonly do: 'send' }
	| { readonly do: 'progress'; readonly done: number }
	| { readonly do: 'cancel' }
	/** A save has ended. `reversal` is absent if nothing was saved, or if there is no undo. */
	| {
			readonly do: 'end'
			readonly saved: number
			readonly reversal: Staged | undefined
			readonly failure: string | undefined
	  }
	| { readonly do: 'fail'; readonly message: string }
	/** Nothing is staged any more. */
	| { readonly do: 'empty' }
	/** The last conflict is resolved, so the save that met it is over. */
	| { readonly do: 'resolve' }
	/** A reversal is staged, alone or beside other changes. */
	| { readonly do: 'stageUndo'; readonly reversal: Staged; readonly isAlone: boolean }

/** Saves that the key for undo goes back through. */
const mostUndoable = 50
const idle: SavePhase = { name: 'idle' }

export const nothingSaved: SaveState = { phase: idle, undoable: [], undoing: undefined, recreated: new Set() }

/** Returns the review in view. */
export const reviewOf = (phase: SavePhase): Review | undefined => (phase.name === 'idle' ? undefined : phase.review)

/** Returns the state after a step. A step that does not apply to the phase returns the same state. */
export function afterStep(state: SaveState, step: SaveStep): SaveState {
	if (step.do === 'end') return afterSave(state, step)
	if (step.do === 'stageUndo') {
		const { reversal, isAlone } = step
		return {
			...state,
			undoing: isAlone ? reversal : state.undoing,
			undoable: isAlone ? state.undoable : state.undoable.filter(other => other !== reversal),
			recreated: new Set([...state.recreated, ...reversal.inserts.map(({ id }) => id)]),
		}
	}
	const phase = nextPhase(state.phase, step)
	const undoing = step.do === 'empty' && phase.name !== 'sending' ? undefined : state.undoing
	return phase === state.phase && undoing === state.undoing ? state : { ...state, phase, undoing }
}

function nextPhase(phase: SavePhase, step: Exclude<SaveStep, { do: 'end' | 'stageUndo' }>): SavePhase {
	if (phase.name === 'sending') return whileSending(phase, step)
	const review = reviewOf(phase)
	switch (step.do) {
		case 'preview':
			return { name: 'previewing', review }
		case 'show':
			return phase.name === 'previewing' ? { name: 'reviewing', review: step.review } : phase
		case 'close':
			return phase.name === 'failed' ? { ...phase, review: undefined } : idle
		case 'send':
			return { name: 'sending', review, isCancelled: false, done: undefined }
		case 'fail':
			return phase.name === 'previewing' ? { name: 'failed', message: step.message, review } : phase
		case 'empty':
			return idle
		case 'resolve':
			if (phase.name !== 'failed') return phase
			return review ? { name: 'reviewing', review } : idle
		default:
			return phase
	}
}

/** Only an outcome ends a save. */
function whileSending(phase: Sending, step: SaveStep): SavePhase {
	switch (step.do) {
		case 'progress':
			return { ...phase, done: step.done }
		case 'cancel':
			return { ...phase, isCancelled: true }
		case 'close':
			return { ...phase, review: undefined }
		case 'fail':
			return { name: 'failed', message: step.message, review: phase.review }
		default:
			return phase
	}
}

/**
 * The key for undo goes on to the save before. Only the message reverts an undo. What was saved before something that
 * cannot be reverted is not what the user means.
 */
function afterSave(state: SaveState, { saved, reversal, failure }: Extract<SaveStep, { do: 'end' }>): SaveState {
	const { undoing, undoable } = state
	const phase: SavePhase = failure === undefined ? idle : { name: 'failed', message: failure, review: undefined }
	if (saved === 0) return { ...state, phase }
	if (undoing) return { ...state, phase, undoing: undefined, undoable: undoable.filter(other => other !== undoing) }
	return { ...state, phase, undoable: reversal ? [...undoable, reversal].slice(-mostUndoable) : [] }
}
