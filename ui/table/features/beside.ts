import { createSignal } from 'solid-js'

/** What is open beside the rows: the current row, or the statistics of a column. One replaces the other. */
export type Beside = ReturnType<typeof createBeside>

/**
 * @param isTyping whether the row beside the grid has typed text that is not staged, and would be lost with its panel
 * @param say shows a message
 */
export function createBeside(isTyping: () => boolean, say: (text: string) => void) {
	const [open, setOpen] = createSignal<'row' | { readonly measured: string }>()
	const isRowOpen = () => open() === 'row'
	const isRowHeld = () => isRowOpen() && isTyping()
	return {
		isRowOpen,
		openRow: () => void setOpen('row'),
		toggleRow(): void {
			if (!isRowOpen()) setOpen('row')
			else if (!isRowHeld()) setOpen(undefined)
		},
		/** The column whose statistics are shown. */
		measured(): string | undefined {
			const shown = open()
			return typeof shown === 'object' ? shown.measured : undefined
		},
		measure(column: string): void {
			if (isRowHeld()) say('Keep or undo the text that is typed beside the grid first.')
			else setOpen({ measured: column })
		},
		close: () => void setOpen(undefined),
	}
}
