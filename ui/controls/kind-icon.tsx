import Binary from 'lucide-solid/icons/binary'
import Braces from 'lucide-solid/icons/braces'
import Calendar from 'lucide-solid/icons/calendar'
import Hash from 'lucide-solid/icons/hash'
import KeyRound from 'lucide-solid/icons/key-round'
import Link2 from 'lucide-solid/icons/link-2'
import Pilcrow from 'lucide-solid/icons/pilcrow'
import Shapes from 'lucide-solid/icons/shapes'
import Tag from 'lucide-solid/icons/tag'
import ToggleLeft from 'lucide-solid/icons/toggle-left'
import Type from 'lucide-solid/icons/type'
import { type JSX, Match, Switch } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import type { Column } from '../../host/api/api.ts'

const icons = {
	text: Type,
	number: Hash,
	boolean: ToggleLeft,
	date: Calendar,
	json: Braces,
	binary: Binary,
	other: Shapes,
} as const satisfies Readonly<Record<Column['kind'], unknown>>

/** What a column is in its table: a part of the key, a reference to another table, or values of a kind. */
export function ColumnIcon(props: { readonly column: Column; readonly isReference: boolean }): JSX.Element {
	return (
		<Switch fallback={<KindIcon column={props.column} />}>
			<Match when={props.column.isKey}>
				<KeyRound size={12} />
			</Match>
			<Match when={props.isReference}>
				<Link2 size={12} />
			</Match>
		</Switch>
	)
}

/** The kind of a column's values. A text that cannot be sorted is one to read, and one of few values is a tag. */
export function KindIcon(props: { readonly column: Pick<Column, 'kind' | 'isSortable' | 'choices'> }): JSX.Element {
	return <Dynamic component={iconOfKind(props.column)} size={12} />
}

/** Returns the icon of {@link KindIcon}. */
export function iconOfKind({ kind, isSortable, choices }: Pick<Column, 'kind' | 'isSortable' | 'choices'>) {
	if (kind !== 'text') return icons[kind]
	return choices ? Tag : isSortable ? Type : Pilcrow
}
