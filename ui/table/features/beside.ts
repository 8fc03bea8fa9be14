import { createSignal } from 'solid-js'
import { countPane } from '../../state/panes-beside.ts'

/** What is open beside the rows: the current row, or the statistics of a column. One replaces the other. */
export type Beside = ReturnType<typeof createBeside>

interface Options {
	/** Whether the tab is shown. */
	isShown(): boolean
	/** Whether the row beside the grid has typed text that is not staged, and would be lost with its panel. */
	isTyping(): boolean
	/** Shows a message. */
	say(text: string): void
}

export function createBeside({ isShown, isTyping, say }: Options) {
	const [open, setOpen] = createSignal<'row' | { readonly measured: string }>()
	countPane(() => isShown() && open() !== undefined)
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
