/** The action of a key on the focused header. */
export type HeaderCommand =
	| { readonly do: 'go'; readonly by: number }
	| { readonly do: 'move'; readonly by: number }
	| { readonly do: 'resize'; readonly by: number }
	| { readonly do: 'sort'; readonly isMulti: boolean }
	| { readonly do: 'leave' | 'openMenu' }

/** In pixels. */
const resizeStep = 20
const far = Number.MAX_SAFE_INTEGER

/** Returns the action of a key; `undefined` if the header has none. */
export function headerCommandOf(
	event: Pick<KeyboardEvent, 'key' | 'altKey' | 'shiftKey' | 'ctrlKey' | 'metaKey'>,
): HeaderCommand | undefined {
	const { key, altKey, shiftKey } = event
	if (key === 'ArrowLeft' || key === 'ArrowRight') {
		const by = key === 'ArrowLeft' ? -1 : 1
		if (!altKey) return { do: 'go', by: event.ctrlKey || event.metaKey ? by * far : by }
		return shiftKey ? { do: 'resize', by: by * resizeStep } : { do: 'move', by }
	}
	switch (key) {
		case 'Home':
			return { do: 'go', by: -far }
		case 'End':
			return { do: 'go', by: far }
		case 'Enter':
		case ' ':
			return { do: 'sort', isMulti: shiftKey }
		case 'ArrowDown':
		case 'Escape':
			return { do: 'leave' }
		case 'ContextMenu':
			return { do: 'openMenu' }
		case 'F10':
			return shiftKey ? { do: 'openMenu' } : undefined
		default:
			return undefined
	}
}
