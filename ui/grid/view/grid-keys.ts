import { type Move, moveOf } from '../select/keys.ts'

/** What a key asks of the grid. */
export type KeyCommand =
	| { readonly do: 'move'; readonly step: Move; readonly isExtending: boolean }
	/** `typed` replaces the value. */
	| { readonly do: 'edit'; readonly typed?: string }
	| { readonly do: 'undo' | 'redo' | 'save' | 'selectAll' | 'copy' | 'openRow' | 'toggleDeleted' }

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** The command of a key; `undefined` for one that is not the grid's. */
export function commandOf(event: Pressed, pageRows: number): KeyCommand | undefined {
	const step = moveOf(event, pageRows)
	if (step) return { do: 'move', step, isExtending: event.shiftKey }
	if (event.ctrlKey || event.metaKey) return withCommandKey(event)
	if (event.altKey) return undefined
	switch (event.key) {
		case 'Enter':
		case 'F2':
			return { do: 'edit' }
		case ' ':
			return { do: 'openRow' }
		case 'Delete':
			return { do: 'toggleDeleted' }
		default:
			// Names of other keys are longer than what a key types.
			return event.key.length === 1 ? { do: 'edit', typed: event.key } : undefined
	}
}

function withCommandKey({ key, shiftKey }: Pressed): KeyCommand | undefined {
	if (key.toLowerCase() === 'z') return { do: shiftKey ? 'redo' : 'undo' }
	switch (key) {
		case 'y':
			return { do: 'redo' }
		case 's':
			return { do: 'save' }
		case 'a':
			return { do: 'selectAll' }
		case 'c':
			return { do: 'copy' }
		default:
			return undefined
	}
}
