import ArrowDown from 'lucide-solid/icons/arrow-down'
import ArrowUp from 'lucide-solid/icons/arrow-up'
import ChevronDown from 'lucide-solid/icons/chevron-down'
import KeyRound from 'lucide-solid/icons/key-round'
import Link2 from 'lucide-solid/icons/link-2'
import { Index, type JSX, Match, Show, Switch } from 'solid-js'
import type { Reference } from '../../../host/api/api.ts'
import { followPointer } from '../../controls/follow-pointer.ts'
import { keysText } from '../../words/keys.ts'
import { columnStyle, type GridColumns } from '../columns/grid-columns.ts'
import { openMenuAt } from './grid-menu.tsx'
import type { Scrolling } from './scrolling.ts'

const ariaSort = { asc: 'ascending', desc: 'descending', none: 'none' } as const
/** A shorter movement is a click. */
const dragFrom = 5

/** The id of the focused header, for `aria-activedescendant`. */
export const headerId = (column: number) => `header-${column}`

/**
 * The headers in view: a click sorts, Shift adds; the right edge resizes, and a double click fits; dragging moves the
 * column.
 */
export function GridHeader(props: {
	readonly columns: GridColumns
	readonly scrolling: Scrolling
	/** Columns that refer to rows of other tables. */
	readonly references: readonly Reference[]
	/** The column whose header has the focus. */
	readonly current: number | undefined
	onSelectAll(): void
	onFit(name: string): void
}): JSX.Element {
	const Header = (header: { readonly index: number; readonly isPinned?: boolean }) => (
		<ColumnHeader
			columns={props.columns}
			scrolling={props.scrolling}
			index={header.index}
			isPinned={header.isPinned ?? false}
			isCurrent={props.current === header.index}
			references={props.references}
			onFit={props.onFit}
		/>
	)
	return (
		<div class="grid-head" role="row" aria-rowindex={1} style={{ width: `${props.columns.totalWidth()}px` }}>
			<div
				class="grid-number"
				role="columnheader"
				aria-label="Row number"
				title="Select all"
				style={{ width: `${props.columns.gutter()}px` }}
				onClick={() => props.onSelectAll()}
			/>
			<Index each={props.scrolling.pinnedSlots()}>{index => <Header index={index()} isPinned />}</Index>
			<Index each={props.scrolling.columnSlots()}>{index => <Header index={index()} />}</Index>
		</div>
	)
}

function ColumnHeader(props: {
	readonly columns: GridColumns
	readonly scrolling: Scrolling
	readonly index: number
	readonly isPinned: boolean
	readonly isCurrent: boolean
	readonly references: readonly Reference[]
	onFit(name: string): void
}): JSX.Element {
	let wasDragged = false

	function resize(name: string, started: MouseEvent): void {
		const before = props.columns.width(props.index)
		followPointer(event => props.columns.resize(name, before + event.clientX - started.clientX))
	}

	/** The column follows the pointer, past one neighbour after the other. */
	function drag(name: string, started: MouseEvent): void {
		wasDragged = false
		followPointer(event => {
			wasDragged ||= Math.abs(event.clientX - started.clientX) > dragFrom
			if (!wasDragged) return
			const from = props.columns.indexOf(name)
			const { column: to } = props.scrolling.placeAt(event)
			if (to < 0 || to === from) return
			// Only past the middle of a wide neighbour: otherwise the two would swap back and forth.
			const left = props.scrolling.screenLeft(to)
			const room = Math.min(props.columns.width(from), props.columns.width(to))
			const isPast = to > from ? event.clientX > left + props.columns.width(to) - room : event.clientX < left + room
			if (isPast) props.columns.move(name, to - from)
		})
	}

	return (
		<Show when={props.columns.at(props.index)}>
			{at => {
				const name = () => at().column.name
				const sorted = () => props.columns.sorted(name())
				const target = () => props.references.find(({ columns }) => columns.includes(name()))?.table
				const ways = `${keysText('Mod+click')} or F12`
				const words = () => [name(), at().column.type, at().column.note, target() && `refers to ${target()} (${ways})`]
				return (
					<div
						class="grid-header"
						classList={{ pinned: props.isPinned, current: props.isCurrent }}
						role="columnheader"
						id={props.isCurrent ? headerId(props.index) : undefined}
						aria-colindex={props.index + 1}
						aria-sort={ariaSort[sorted()?.direction ?? 'none']}
						data-header={name()}
						style={columnStyle(props.columns, props.index)}
						title={[...new Set(words())].filter(Boolean).join(' · ')}
						onMouseDown={event => event.button === 0 && drag(name(), event)}
						onClick={event => {
							if (!wasDragged) props.columns.toggleSort(name(), event.shiftKey)
						}}
					>
						<Show when={at().column.isKey}>
							<KeyRound size={12} />
						</Show>
						<Show when={target()}>
							<Link2 size={12} />
						</Show>
						<span class="grid-header-name">{name()}</span>
						<span class="grid-header-type">{at().column.type === name() ? '' : at().column.type}</span>
						<Switch>
							<Match when={sorted()?.direction === 'asc'}>
								<ArrowUp size={13} />
							</Match>
							<Match when={sorted()?.direction === 'desc'}>
								<ArrowDown size={13} />
							</Match>
						</Switch>
						<Show when={sorted()?.place}>{place => <span class="grid-header-place">{place()}</span>}</Show>
						{/* For the pointer alone: from the keyboard the menu has a key. */}
						<span
							class="grid-header-menu"
							aria-hidden="true"
							onMouseDown={event => event.stopPropagation()}
							onClick={event => {
								event.stopPropagation()
								openMenuAt(event.currentTarget)
							}}
						>
							<ChevronDown size={13} />
						</span>
						<span
							class="grid-resizer"
							onMouseDown={event => {
								event.stopPropagation()
								resize(name(), event)
							}}
							onClick={event => event.stopPropagation()}
							onDblClick={() => props.onFit(name())}
						/>
					</div>
				)
			}}
		</Show>
	)
}
