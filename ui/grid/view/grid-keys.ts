import { type Move, moveOf } from '../select/keys.ts'

/** What a key asks of the grid. */
export type KeyCommand =
	| { readonly do: 'move'; readonly step: Move; readonly isExtending: boolean }
	/** `typed` replaces the value. */
	| { readonly do: 'edit'; readonly typed?: string }
	| { readonly do: PlainCommand }

export type PlainCommand =
	| 'undo'
	| 'redo'
	| 'save'
	| 'saveNow'
	| 'selectAll'
	| 'selectRows'
	| 'selectColumns'
	| 'copy'
	| 'copyAs'
	| 'fillDown'
	| 'goToRow'
	| 'insert'
	| 'openRow'
	| 'openValue'
	| 'toggleDeleted'
	| 'openMenu'

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** The command of a key; `undefined` for one that is not the grid's. */
export function commandOf(event: Pressed, pageRows: number): KeyCommand | undefined {
	if (event.altKey) return event.key === 'Enter' ? { do: 'openValue' } : undefined
	const step = moveOf(event, pageRows)
	if (step) return { do: 'move', step, isExtending: event.shiftKey }
	if (event.ctrlKey || event.metaKey) return withCommandKey(event)
	switch (event.key) {
		case 'Enter':
		case 'F2':
			return { do: 'edit' }
		case ' ':
			return { do: event.shiftKey ? 'selectRows' : 'openRow' }
		case 'Delete':
			return { do: 'toggleDeleted' }
		case 'Insert':
			return { do: 'insert' }
		case 'ContextMenu':
			return { do: 'openMenu' }
		case 'F10':
			return event.shiftKey ? { do: 'openMenu' } : undefined
		default:
			// Names of other keys are longer than what a key types.
			return event.key.length === 1 ? { do: 'edit', typed: event.key } : undefined
	}
}

const withCommand: Readonly<Record<string, PlainCommand>> = {
	z: 'undo',
	y: 'redo',
	s: 'save',
	a: 'selectAll',
	c: 'copy',
	d: 'fillDown',
	g: 'goToRow',
	' ': 'selectColumns',
}
const withShiftToo: Readonly<Record<string, PlainCommand>> = { z: 'redo', c: 'copyAs', s: 'saveNow' }

function withCommandKey({ key, shiftKey }: Pressed): KeyCommand | undefined {
	const command = (shiftKey ? withShiftToo : withCommand)[key.toLowerCase()]
	return command && { do: command }
}
