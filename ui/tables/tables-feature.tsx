import ChevronDown from 'lucide-solid/icons/chevron-down'
import ChevronRight from 'lucide-solid/icons/chevron-right'
import { createEffect, type JSX, on, Show } from 'solid-js'
import { at, rowCount } from '../cells/selection.ts'
import type { GridFeature } from '../grid/feature.ts'
import type { ChosenTables } from './chosen-tables.ts'
import { type Line, nameOf, namesOf } from './table-rows.ts'
import type { TablesModel } from './tables-model.ts'

/** What a user does with lines of the list: choose them, open a table or a group, act on the chosen tables. */
export function createTablesFeature(
	model: TablesModel,
	options: {
		readonly chosen: ChosenTables
		/** Words for a table. */
		readonly one: string
		/** Chosen tables without a line. A choice of lines keeps them. */
		hidden(): readonly string[]
		onOpen(table: string): void
		/** Items of the menu of a line. */
		menuItems?(choose: (run: () => void) => void): JSX.Element
	},
): GridFeature {
	const { grid, lines, lineOf } = model
	const { place, source, scrolling } = grid
	const { chosen } = options
	const focused = () => lines()[place.selection().focus.row]
	const chooseOnly = (lines: readonly Line[]) => chosen.only([...options.hidden(), ...lines.flatMap(namesOf)])

	let rowsBefore = 1
	createEffect(
		on(
			place.moves,
			() => {
				const { anchor, focus, span } = place.selection()
				const { top, bottom } = place.rectangle()
				const rows = rowCount(place.rectangle())
				const isExtended = anchor !== focus && (rows > 1 || rowsBefore > 1)
				rowsBefore = rows
				// A selection of several lines chooses them, also when it shrinks to one.
				if (span === 'all' || (isExtended && span !== 'columns')) chooseOnly(lines().slice(top, bottom + 1))
			},
			{ defer: true },
		),
	)

	function toggle(line: Line | undefined): void {
		if (line) chosen.toggle(namesOf(line))
	}
	function open(line: Line | undefined): void {
		if (line?.kind === 'table') options.onOpen(line.table.name)
		if (line?.kind === 'group') model.toggle(line.name)
	}
	/** A click at a box or a name makes its line the current one, and the keys stay with the grid. */
	function goTo(line: Line): void {
		const { column } = place.selection().focus
		place.setSelection(at({ row: source.find(line.id)?.index ?? 0, column }))
		place.toGrid()
	}
	/** Moves to the first or the last line. Arrows and pages move as in every grid. */
	function goToEnd(isFirst: boolean, isExtending: boolean): void {
		const { anchor, focus } = place.selection()
		const next = { row: isFirst ? 0 : Math.max(0, lines().length - 1), column: focus.column }
		place.setSelection(isExtending ? { anchor, focus: next } : at(next))
		scrolling.reveal(next)
	}

	return {
		...(options.menuItems && { cellItems: options.menuItems }),
		commands: [
			{
				id: 'tables.open',
				title: `Open the ${options.one.toLowerCase()}`,
				keys: ['Enter'],
				gesture: 'double-click',
				run: () => open(focused()),
			},
			{
				id: 'tables.choose',
				title: `Choose the ${options.one.toLowerCase()}`,
				keys: ['Space'],
				gesture: 'mod-click',
				run: () => toggle(focused()),
			},
		],
		onKeyDown(event) {
			if (event.key === ' ') toggle(focused())
			else if (event.key === 'Home' || event.key === 'End') goToEnd(event.key === 'Home', event.shiftKey)
			else return false
			event.preventDefault()
			return true
		},
		/** A box chooses one line, and a name opens it, whatever is selected. */
		onMouseDown: event =>
			event.button === 0 && event.target instanceof Element && event.target.closest('input, button') !== null,
		rowMark(row) {
			const line = lineOf(row)
			return line && namesOf(line).every(chosen.has) ? chosenMark : undefined
		},
		cellMark(row, { index }) {
			const [line, column] = [lineOf(row), model.columnAt(index)]
			const state = line?.kind === 'table' ? column?.state?.(line.table) : undefined
			return marks[`${column?.isNumber ? 'number' : 'text'} ${state}`]
		},
		rowHead: {
			label: 'Chosen',
			View: head => (
				<Show when={lineOf(head.row)}>
					{line => {
						const isChosen = () => namesOf(line()).every(chosen.has)
						return (
							<input
								type="checkbox"
								tabindex={-1}
								aria-label={`Choose ${nameOf(line())}`}
								checked={isChosen()}
								ref={box => {
									createEffect(() => {
										// Without this mark, a closed group would hide tables that are chosen.
										box.indeterminate = !isChosen() && namesOf(line()).some(chosen.has)
									})
								}}
								onClick={event => {
									event.stopPropagation()
									toggle(line())
									goTo(line())
								}}
							/>
						)
					}}
				</Show>
			),
		},
		CellView: cell => (
			<Show when={cell.place?.index === 0 && lineOf(cell.row)} fallback={cell.text}>
				{line => (
					<Name
						line={line()}
						onOpen={() => {
							if (line().kind === 'group') goTo(line())
							open(line())
						}}
					/>
				)}
			</Show>
		),
	}
}

const chosenMark = { classList: { chosen: true }, isChosen: true }

const states = ['undefined', 'closed', 'bad', 'warning', 'good'] as const
/** One mark for each look of a cell: the grid asks while the user scrolls. */
const marks = Object.fromEntries(
	states.flatMap(state =>
		['number', 'text'].map(kind => [
			`${kind} ${state}`,
			{ classList: { numbers: kind === 'number', [`state-${state}`]: state !== 'undefined' } },
		]),
	),
)

function Name(props: { readonly line: Line; onOpen(): void }): JSX.Element {
	const group = () => (props.line.kind === 'group' ? props.line : undefined)
	return (
		<button
			type="button"
			tabindex={-1}
			class="tables-open"
			classList={{ inner: props.line.kind === 'table' && props.line.isInner }}
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
			<span class="tables-open-text">{nameOf(props.line)}</span>
			<Show when={group()}>{shown => <span class="quiet">{shown().tables.length}</span>}</Show>
		</button>
	)
}
