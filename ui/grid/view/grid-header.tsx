import ArrowDown from 'lucide-solid/icons/arrow-down'
import ArrowUp from 'lucide-solid/icons/arrow-up'
import ChevronDown from 'lucide-solid/icons/chevron-down'
import KeyRound from 'lucide-solid/icons/key-round'
import { For, Index, type JSX, Match, Show, Switch } from 'solid-js'
import { DottedName } from '../../controls/dotted-name.tsx'
import { followPointer } from '../../controls/follow-pointer.ts'
import { KindIcon } from '../../controls/kind-icon.tsx'
import type { GridFeature } from '../feature.ts'
import type { GridModel } from '../model.ts'
import { openMenuAt } from './grid-menu.tsx'

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
	readonly grid: GridModel
	readonly features: readonly GridFeature[]
	/** The column whose header has the focus. */
	readonly current: number | undefined
	onFit(name: string): void
}): JSX.Element {
	const { columns, scrolling, place } = props.grid
	const Header = (header: { readonly index: number; readonly isPinned?: boolean }) => (
		<ColumnHeader
			grid={props.grid}
			features={props.features}
			index={header.index}
			isPinned={header.isPinned ?? false}
			isCurrent={props.current === header.index}
			onFit={props.onFit}
		/>
	)
	return (
		<div class="grid-head" role="row" aria-rowindex={1} style={{ width: `${columns.scrollWidth()}px` }}>
			<div
				class="grid-number"
				role="columnheader"
				aria-label={props.features.find(feature => feature.rowHead)?.rowHead?.label ?? 'Row number'}
				title="Select all"
				style={{ width: `${columns.gutter()}px` }}
				onClick={() => place.setSelection({ ...place.selection(), span: 'all' })}
			/>
			<Index each={scrolling.pinnedSlots()}>{index => <Header index={index()} isPinned />}</Index>
			<Index each={scrolling.columnSlots()}>{index => <Header index={index()} />}</Index>
		</div>
	)
}

function ColumnHeader(props: {
	readonly grid: GridModel
	readonly features: readonly GridFeature[]
	readonly index: number
	readonly isPinned: boolean
	readonly isCurrent: boolean
	onFit(name: string): void
}): JSX.Element {
	const { columns, scrolling } = props.grid
	let wasDragged = false

	function resize(name: string, started: MouseEvent): void {
		const before = columns.width(props.index)
		followPointer(event => columns.resize(name, before + event.clientX - started.clientX))
	}

	/** The column follows the pointer, past one neighbour after the other. */
	function drag(name: string, started: MouseEvent): void {
		wasDragged = false
		followPointer(event => {
			wasDragged ||= Math.abs(event.clientX - started.clientX) > dragFrom
			if (!wasDragged) return
			const from = columns.indexOf(name)
			const { column: to } = scrolling.placeAt(event)
			if (to < 0 || to === from) return
			// Only past the middle of a wide neighbour: otherwise the two would swap back and forth.
			const left = scrolling.screenLeft(to)
			const room = Math.min(columns.width(from), columns.width(to))
			const isPast = to > from ? event.clientX > left + columns.width(to) - room : event.clientX < left + room
			if (isPast) columns.move(name, to - from)
		})
	}

	return (
		<Show when={columns.at(props.index)}>
			{at => {
				const name = () => at().column.name
				const title = () => columns.title(name())
				const sorted = () => columns.sorted(name())
				const marks = () => props.features.flatMap(feature => feature.headerMark?.(at().column) ?? [])
				const words = () => [title(), at().column.type, at().column.note, ...marks().map(({ words }) => words)]
				return (
					<div
						class="grid-header"
						classList={{
							pinned: props.isPinned,
							current: props.isCurrent,
							'of-numbers': at().column.kind === 'number',
						}}
						role="columnheader"
						id={props.isCurrent ? headerId(props.index) : undefined}
						aria-colindex={props.index + 1}
						aria-sort={ariaSort[sorted()?.direction ?? 'none']}
						data-header={name()}
						style={scrolling.columnStyle(props.index)}
						title={[...new Set(words())].filter(Boolean).join(' · ')}
						onMouseDown={event => event.button === 0 && drag(name(), event)}
						onClick={event => {
							if (wasDragged || props.features.some(feature => feature.holdsRows?.())) return
							columns.toggleSort(name(), event.shiftKey)
						}}
					>
						<Show when={at().column.isKey}>
							<KeyRound size={12} />
						</Show>
						<Show when={!at().column.isKey && !marks().some(({ icon }) => icon)}>
							<span class="grid-header-kind">
								<KindIcon column={at().column} />
							</span>
						</Show>
						<For each={marks()}>{({ icon }) => icon?.()}</For>
						<span class="grid-header-name">
							<DottedName name={title()} />
						</span>
						<For each={marks()}>
							{({ note }) => <Show when={note}>{text => <span class="grid-header-note">{text()}</span>}</Show>}
						</For>
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
