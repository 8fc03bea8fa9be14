import AtSign from 'lucide-solid/icons/at-sign'
import Braces from 'lucide-solid/icons/braces'
import Eye from 'lucide-solid/icons/eye'
import Layers from 'lucide-solid/icons/layers'
import ListOrdered from 'lucide-solid/icons/list-ordered'
import SquareFunction from 'lucide-solid/icons/square-function'
import TableWithRows from 'lucide-solid/icons/table'
import Table2 from 'lucide-solid/icons/table-2'
import Tag from 'lucide-solid/icons/tag'
import Workflow from 'lucide-solid/icons/workflow'
import Zap from 'lucide-solid/icons/zap'
import type { JSX } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import type { Table } from '../../host/api/api.ts'

/** Icons of tables and of objects beside them, by the words that engines have for their kinds. */
type Icons = readonly (readonly [words: RegExp, icon: typeof Table2])[]

const tableIcons: Icons = [
	[/materialized|^pattern/, Layers],
	[/view/, Eye],
	[/^partitioned/, TableWithRows],
	[/alias|foreign|merge/, AtSign],
	[/stream/, Workflow],
	[/sequence/, ListOrdered],
]
const objectIcons: Icons = [
	[/function|procedure|aggregate/, SquareFunction],
	[/trigger|event/, Zap],
	[/type|enumeration|domain|composite|range/, Tag],
	[/sequence/, ListOrdered],
]

interface Kinded {
	readonly kind?: string | undefined
}

const find = (icons: Icons, kind: string) => icons.find(([words]) => words.test(kind))?.[1]
const tableIconOf = ({ kind = '' }: Kinded) => find(tableIcons, kind) ?? Table2

/** Whether the icon of a table stands for one kind, so that its word would only take room. */
export const isToldByIcon = (table: Table): boolean => ![Table2, AtSign].includes(tableIconOf(table))

export function TableIcon(props: { readonly of: Kinded }): JSX.Element {
	return <Dynamic component={tableIconOf(props.of)} size={14} />
}

export function ObjectIcon(props: { readonly of: Kinded }): JSX.Element {
	return <Dynamic component={find(objectIcons, props.of.kind ?? '') ?? Braces} size={14} />
}
