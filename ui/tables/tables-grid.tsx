import { createVirtualizer } from '@tanstack/solid-virtual'
import ChevronDown from 'lucide-solid/icons/chevron-down'
import ChevronRight from 'lucide-solid/icons/chevron-right'
import { createEffect, createMemo, createSignal, For, type JSX, on, Show } from 'solid-js'
import type { Table } from '../../host/api/api.ts'
import { createCurrentLine } from '../controls/current-line.ts'
import type { ChosenTables } from './chosen-tables.ts'
import { groupText, type Line, type LineSort, type ListColumn, nameColumn, type SizedColumn } from './table-rows.ts'

const lineHeight = 30

/** The lines of the page of all tables: virtual, since there may be thousands. One tab stop, moved by the arrow keys. */
export function TablesGrid(props: {
	readonly label: string
	readonly lines: readonly Line[]
	/** The tables as they were read. Lines that change without them are found, sorted or grouped by the user. */
	readonly tables: readonly Table[]
	readonly columns: readonly SizedColumn[]
	/** The title of the column that counts rows. */
	readonly rows: string
	readonly sort: LineSort
	readonly chosen: ChosenTables
	/** Chosen tables without a line. A choice of lines keeps them. */
	readonly hidden: readonly string[]
	onSort(column: string): void
	onOpen(table: string): void
	onToggle(group: string): void
}): JSX.Element {
	let scroller!: HTMLDivElement
	const [anchor, setAnchor] = createSignal(0)
	const titles = () => [nameColumn, ...props.columns]
	const lines = createVirtualizer<HTMLDivElement, HTMLElement>({
		get count() {
			return props.lines.length
		},
		getScrollElement: () => scroller,
		estimateSize: () => lineHeight,
		// The header is above the first line, inside of the scrolled area.
		scrollMargin: lineHeight,
		scrollPaddingStart: lineHeight,
		overscan: 12,
	})
	/** Numbers, so that the elements of lines stay when the list is reloaded. */
	const drawn = createMemo(() => lines.getVirtualItems().map(({ index }) => index))
	const current = createCurrentLine({
		count: () => props.lines.length,
		keyAt: index => keyOf(props.lines[index]),
		elementAt: index => scroller.querySelector(`[aria-rowindex="${index + 2}"]`),
	})
	const { at } = current
	const namesAt = (place: number) => namesOf(props.lines[place])

	const chooseOnly = (chosen: readonly Line[]) => props.chosen.only([...props.hidden, ...chosen.flatMap(namesOf)])

	function go(place: number, extends_: boolean): void {
		const next = Math.min(Math.max(0, place), props.lines.length - 1)
		current.set(next)
		lines.scrollToIndex(next)
		if (!extends_) return void setAnchor(next)
		const [from, to] = [Math.min(anchor(), next), Math.max(anchor(), next)]
		chooseOnly(props.lines.slice(from, to + 1))
	}
	// The list may still be read or filtered, and its tab be out of view.
	createEffect(() => {
		const name = props.chosen.revealed()
		const place = props.lines.findIndex(line => name !== undefined && namesOf(line).includes(name))
		if (place < 0) return
		props.chosen.endReveal()
		current.set(place)
		setAnchor(place)
		requestAnimationFrame(() => lines.scrollToIndex(at(), { align: 'center' }))
	})
	createEffect(
		on(
			() => [props.lines, props.tables] as const,
			([, tables], before) => before && tables !== before[1] && keepPlace(before[0]),
		),
	)
	/** After a reload, the current line is where it was in the view, or else the first line that was in view. */
	function keepPlace(before: readonly Line[]): void {
		const first = Math.ceil(scroller.scrollTop / lineHeight)
		// The index of the current line may be that of before, or already the new one.
		const was = before.findIndex(line => keyOf(line) === current.key())
		const isInView = was >= first && was <= first + page()
		// At the very top, new lines before the first one are shown.
		if (!isInView && first === 0) return
		const places = new Map(props.lines.map((line, place) => [keyOf(line), place]))
		// A line that is gone gives its place to the next one that stays.
		for (let anchor = isInView ? was : first; anchor < before.length; anchor++) {
			const now = places.get(keyOf(before[anchor]))
			if (now !== undefined) return lines.scrollBy((now - anchor) * lineHeight)
		}
	}
	function open(place: number): void {
		const line = props.lines[place]
		if (line?.kind === 'table') props.onOpen(line.table.name)
		if (line?.kind === 'group') props.onToggle(line.name)
	}
	const page = () => Math.max(1, Math.floor(scroller.clientHeight / lineHeight) - 2)
	function press(event: KeyboardEvent): void {
		const steps: Readonly<Record<string, number>> = {
			ArrowDown: at() + 1,
			ArrowUp: at() - 1,
			PageDown: at() + page(),
			PageUp: at() - page(),
			Home: 0,
			End: props.lines.length - 1,
		}
		const step = steps[event.key]
		if (step !== undefined) go(step, event.shiftKey)
		else if (event.key === 'Enter') open(at())
		else if (event.key === ' ') props.chosen.toggle(namesAt(at()))
		else if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) chooseOnly(props.lines)
		else return
		event.preventDefault()
	}
	function click(event: MouseEvent, place: number): void {
		if (event.shiftKey) return go(place, true)
		go(place, false)
		if (event.ctrlKey || event.metaKey) props.chosen.toggle(namesAt(place))
	}

	return (
		<div
			class="tables-grid"
			ref={scroller}
			role="grid"
			aria-label={props.label}
			aria-multiselectable="true"
			aria-rowcount={props.lines.length + 1}
			style={{ '--columns': widths(props.columns) }}
		>
			<div role="row" aria-rowindex={1} class="tables-grid-line tables-grid-head">
				<span role="columnheader" aria-label="Chosen" />
				<For each={titles()}>
					{({ title, isNumber }) => (
						<span
							role="columnheader"
							classList={{ numbers: isNumber }}
							aria-sort={props.sort.column === title ? props.sort.direction : 'none'}
						>
							<button type="button" onClick={() => props.onSort(title)}>
								{title}
								<Show when={props.sort.column === title}>
									<span aria-hidden="true">{props.sort.direction === 'ascending' ? ' ↑' : ' ↓'}</span>
								</Show>
							</button>
						</span>
					)}
				</For>
			</div>
			<div
				role="rowgroup"
				class="tables-grid-body"
				style={{ height: `${lines.getTotalSize()}px` }}
				onFocusIn={current.onFocusIn}
				onFocusOut={current.onFocusOut}
			>
				<For each={drawn()}>
					{index => (
						<Show when={props.lines[index]}>
							{line => (
								<div
									role="row"
									class="tables-grid-line"
									classList={{ current: at() === index }}
									aria-rowindex={index + 2}
									aria-selected={isChosen(line(), props.chosen)}
									tabindex={at() === index ? 0 : -1}
									style={{ transform: `translateY(${index * lineHeight}px)` }}
									ref={element => {
										// The line that the keys reached takes the focus as soon as it is drawn.
										createEffect(() => {
											if (at() === index && scroller.contains(document.activeElement))
												element.focus({ preventScroll: true })
										})
									}}
									onFocus={() => {
										// Tab and assistive technology reach a line without a key of the grid.
										if (at() === index) return
										current.set(index)
										setAnchor(index)
									}}
									onKeyDown={press}
									onClick={event => click(event, index)}
									onDblClick={() => open(index)}
								>
									<span role="gridcell">
										<input
											type="checkbox"
											tabindex={-1}
											aria-label={`Choose ${nameOf(line())}`}
											checked={isChosen(line(), props.chosen)}
											ref={box => {
												createEffect(() => {
													box.indeterminate = isPartlyChosen(line(), props.chosen)
												})
											}}
											onClick={event => {
												event.stopPropagation()
												props.chosen.toggle(namesAt(index))
											}}
										/>
									</span>
									<span role="gridcell">
										<Name line={line()} onOpen={() => open(index)} />
									</span>
									<For each={props.columns}>
										{column => (
											<span role="gridcell" classList={{ numbers: column.isNumber, ...stateOf(line(), column) }}>
												{textOf(line(), column, props.rows)}
											</span>
										)}
									</For>
								</div>
							)}
						</Show>
					)}
				</For>
			</div>
		</div>
	)
}

/** Column widths for a CSS grid, after the name. */
const widths = (columns: readonly SizedColumn[]) =>
	columns
		.map(({ isNumber, longest }) => (isNumber ? 'minmax(84px, 1fr)' : `minmax(${Math.min(26, longest + 2)}ch, 1.4fr)`))
		.join(' ')

function Name(props: { readonly line: Line; onOpen(): void }): JSX.Element {
	const group = () => (props.line.kind === 'group' ? props.line : undefined)
	const isInner = () => props.line.kind === 'table' && props.line.isInner
	return (
		<button
			type="button"
			tabindex={-1}
			class="tables-grid-open"
			classList={{ inner: isInner() }}
			aria-expanded={group()?.isOpen}
			onClick={event => {
				event.stopPropagation()
				props.onOpen()
			}}
		>
			<Show when={group()}>
				{shown => (
					<Show when={shown().isOpen} fallback={<ChevronRight size={13} />}>
						<ChevronDown size={13} />
					</Show>
				)}
			</Show>
			<span class="tables-grid-text">{nameOf(props.line)}</span>
			<Show when={group()}>{shown => <span class="quiet">{shown().tables.length}</span>}</Show>
		</button>
	)
}

const keyOf = (line: Line | undefined) => line && `${line.kind} ${line.kind === 'table' ? line.table.name : line.name}`

/** Names of the tables of a line. */
export function namesOf(line: Line | undefined): readonly string[] {
	if (line === undefined) return []
	return line.kind === 'table' ? [line.table.name] : line.tables.map(({ name }) => name)
}

/** Some tables of a group are chosen: without this mark, a closed group would hide them. */
const isPartlyChosen = (line: Line, chosen: ChosenTables) => !isChosen(line, chosen) && namesOf(line).some(chosen.has)
const isChosen = (line: Line, chosen: ChosenTables) => namesOf(line).every(chosen.has)
const nameOf = (line: Line) => (line.kind === 'table' ? nameColumn.text(line.table) : line.name)

function textOf(line: Line, column: ListColumn, rows: string): string {
	return line.kind === 'table' ? column.text(line.table) : groupText(line.tables, column.title, rows)
}

function stateOf(line: Line, column: ListColumn): Readonly<Record<string, boolean>> {
	const state = line.kind === 'table' ? column.state?.(line.table) : undefined
	return state === undefined ? {} : { [`state-${state}`]: true }
}
