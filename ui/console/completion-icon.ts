import type { Completion } from '@codemirror/autocomplete'
import Braces from 'lucide-solid/icons/braces'
import Columns3 from 'lucide-solid/icons/columns-3'
import FolderClosed from 'lucide-solid/icons/folder-closed'
import Link2 from 'lucide-solid/icons/link-2'
import SquareFunction from 'lucide-solid/icons/square-function'
import Table2 from 'lucide-solid/icons/table-2'
import { createRoot } from 'solid-js'
import { iconOfKind } from '../controls/kind-icon.tsx'
import { kindOfType } from '../controls/type-kind.ts'

const icons: Readonly<Record<string, typeof Table2>> = {
	table: Table2,
	schema: FolderClosed,
	column: Columns3,
	function: SquareFunction,
	parameter: Braces,
}

/**
 * What an option of the list is, as a picture before its label. One that joins tables has a sign of equality, and a column
 * has the icon of its type, as its header in a grid.
 */
export function completionIcon({ type = '', label, detail }: Completion): Node {
	const [kind = ''] = type.split(' ')
	const isJoin = (kind === 'keyword' || kind === 'table') && label.includes(' = ')
	const isTyped = kind === 'column' && detail !== undefined
	const ofType = isTyped ? iconOfKind({ kind: kindOfType(detail), isSortable: true }) : undefined
	const icon = isJoin ? Link2 : (ofType ?? icons[kind])
	const place = document.createElement('span')
	place.className = 'cm-kind'
	place.ariaHidden = 'true'
	// The picture never changes, so what made it can go. An icon is one element.
	const drawn =
		icon &&
		createRoot(dispose => {
			const svg = icon({ size: 12 })
			dispose()
			return svg
		})
	if (drawn instanceof Node) place.append(drawn)
	return place
}
