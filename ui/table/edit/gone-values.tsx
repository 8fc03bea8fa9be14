import { cutText } from '@roundhouse/kit/cut-text'
import { createMemo, type JSX, Show } from 'solid-js'
import type { Cell, Column } from '../../../host/api/api.ts'
import { copyText } from '../../cells/cell-text.ts'
import { Notice } from '../../controls/notice.tsx'
import { useEngine } from '../../state/engine.tsx'
import { counted } from '../../words/format.ts'
import type { Edits } from './edits.ts'
import { goneValues } from './staged.ts'

const [shownValues, shownLength] = [3, 200]

/**
 * Shows staged values whose column another client has renamed or removed. The grid has no cell for them, and no save
 * can send them. Documents may have members without a column.
 */
export function GoneValues(props: { readonly columns: readonly Column[]; readonly edits: Edits }): JSX.Element {
	const { removesFields, columnNoun } = useEngine()
	const gone = createMemo(() => {
		const isKnown = !removesFields && props.columns.length > 0
		const values = isKnown ? goneValues(props.edits.staged(), props.columns) : undefined
		return values && values.size > 0 ? values : undefined
	})
	return (
		<Show when={gone()}>
			{values => (
				<Notice
					kind="error"
					action={{ label: 'Discard these', run: () => props.edits.dropColumns(new Set(values().keys())) }}
				>
					{counted(values().size, columnNoun)} with changes that are not saved no longer{' '}
					{values().size === 1 ? 'exists' : 'exist'} here:{' '}
					{[...values()].map(([name, cells]) => `${name} (${listed(cells)})`).join(', ')}. Copy what you need to another{' '}
					{columnNoun.one}, then discard these changes.
				</Notice>
			)}
		</Show>
	)
}

/** The first values as text. */
function listed(cells: readonly Cell[]): string {
	const texts = cells.slice(0, shownValues).map(cell => (cell === null ? 'null' : cutText(copyText(cell), shownLength)))
	const rest = cells.length - texts.length
	return [...texts, ...(rest > 0 ? [`${rest} more`] : [])].join(', ')
}
