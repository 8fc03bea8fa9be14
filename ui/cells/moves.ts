/** Moves of the arrow keys and similar ones, in rows and columns (ARIA Authoring Practices, "Grid"). */
export interface Move {
	readonly rows: number
	readonly columns: number
}

const far = Number.MAX_SAFE_INTEGER

export function moveOf(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>, pageRows: number): Move | undefined {
	const isCommand = event.ctrlKey || event.metaKey
	switch (event.key) {
		case 'ArrowUp':
			return { rows: isCommand ? -far : -1, columns: 0 }
		case 'ArrowDown':
			return { rows: isCommand ? far : 1, columns: 0 }
		case 'ArrowLeft':
			return { rows: 0, columns: isCommand ? -far : -1 }
		case 'ArrowRight':
			return { rows: 0, columns: isCommand ? far : 1 }
		case 'PageUp':
			return { rows: -pageRows, columns: 0 }
		case 'PageDown':
			return { rows: pageRows, columns: 0 }
		case 'Home':
			return { rows: isCommand ? -far : 0, columns: -far }
		case 'End':
			return { rows: isCommand ? far : 0, columns: far }
		default:
			return undefined
	}
}
