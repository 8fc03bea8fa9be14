import { createVirtualizer } from '@tanstack/solid-virtual'
import ArrowDown from 'lucide-solid/icons/arrow-down'
import ArrowUp from 'lucide-solid/icons/arrow-up'
import { createDeferred, createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import type { Cell } from '../../host/api/api.ts'
import { type CellText, cellText, copyText } from '../cells/cell-text.ts'
import { plainNumber } from '../cells/plain-number.ts'
import { sumWords } from '../cells/range-summary.ts'
import { cellCount, isWithin, type Place } from '../cells/selection.ts'
import { WithMenu } from '../controls/context-menu.tsx'
import { showToast } from '../controls/toasts.tsx'
import { fontScale } from '../state/appearance.ts'
import { useEngine } from '../state/engine.tsx'
import { count } from '../words/format.ts'
import { pressedKeys } from '../words/keys.ts'
import { type ResultRows, scopeOf } from './answer.ts'
import { cellAt, cellMenu, nameEntry, rangeMenu, rangeOf, rowEntries } from './cell-menu.ts'
import { createCellRange, placeOf } from './cell-range.ts'
import { createColumnWidths } from './column-widths.ts'
import { copyCells } from './copy-cells.ts'
import { type OriginRows, originRows, referredRows } from './origins.ts'
import { type ResultSort, sortedBy } from './sorted-rows.ts'
import { ValueSheet } from './value-sheet.tsx'

const longestTip = 2_000
const longestLine = 600
const lineHeight = 24
/** Rows beyond the visible ones; fewer if they are wide. */
const [rowsAround, rowsAroundWide, wide] = [10, 2, 100]
/** About the width of a digit, and the space around the number of a row, in pixels. */
const [digitWidth, numberRoom] = [7, 24]

/** Returns the beginning of a text with its blanks, which indent plans. */
const lineOf = (cell: Cell) =>
	copyText(cell)
		.slice(0, longestLine)
		.replaceAll(/[\r\n]+/g, ' ')

/** Rows as a table, in the order of the sort, and values for all of them beside it. Only rows in view have elements. */
export function RowsTable(props: {
	readonly rows: ResultRows
	readonly sort: ResultSort | undefined
	onSort(sort: ResultSort | undefined): void
	/** Opens rows of a table. */
	onRows(table: string, filters: OriginRows['filters']): void
}): JSX.Element {
	const engine = useEngine()
	let table: HTMLTableElement | undefined
	const [shown, setShown] = createSignal<Place>()
	const rows = () => props.rows.rows
	const columns = () => props.rows.columns
	const shownText = (cell: Cell) => (props.rows.isComputed ? computedText(cell) : cellText(cell))
	const direction = (column: number) => (props.sort?.column === column ? props.sort.direction : undefined)
	const range = createCellRange({
		table: () => table,
		size: () => ({ rows: rows().length, columns: columns().length }),
	})
	const isRange = () => cellCount(range.rectangle()) > 1
	const height = () => lineHeight * fontScale()
	const lines = createVirtualizer<HTMLElement, HTMLElement>({
		get count() {
			return rows().length
		},
		getScrollElement: () => table?.parentElement ?? null,
		estimateSize: height,
		get overscan() {
			return columns().length > wide ? rowsAroundWide : rowsAround
		},
	})
	/** The rows with elements, each with the number of rows without one before it. That of the focus always has one. */
	const drawn = createMemo(() => {
		const focused = range.selection().focus.row
		const indices = new Set([
			...lines.getVirtualItems().map(({ index }) => index),
			...(rows().length > 0 ? [focused] : []),
		])
		return [...indices].filter(index => index < rows().length).sort((a, b) => a - b)
	})
	const before = (index: number) => {
		const at = drawn().indexOf(index)
		return at < 0 ? 0 : index - (drawn()[at - 1] ?? -1) - 1
	}
	const after = () => rows().length - 1 - (drawn().at(-1) ?? -1)
	const columnWidths = createColumnWidths(
		() => table,
		() => props.rows,
	)

	function menuAt(at: Element) {
		const place = placeOf(at)
		if (place && isRange()) {
			const entries = rangeMenu(selectedCells(), { ...engine, editing: editing() })
			return { label: `${count(cellCount(range.rectangle()))} cells`, entries }
		}
		if (place && place.column >= 0) {
			const label = columns()[place.column]?.name ?? ''
			const acts = { editing: editingAt(place), onShow: () => setShown(place) }
			return { label, entries: cellMenu(props.rows, place, { ...engine, ...acts }) }
		}
		const header = at.closest<HTMLElement>('th[data-column]')
		const entry = header && nameEntry(props.rows, Number(header.dataset.column), engine.columnNoun)
		return entry ? { label: header.title, entries: [entry] } : undefined
	}

	/** Entries that open rows that cells refer to or are from: of one cell, or of the selected ones. */
	const editingAt = ({ row, column }: Place, rows = { top: row, bottom: row }) =>
		rowEntries(
			{ referred: referredRows(props.rows, rows, column), own: originRows(props.rows, rows, column) },
			props.onRows,
		)
	const editing = () => editingAt(range.selection().focus, range.rectangle())
	function editSelected(): void {
		const entry = editing().find(({ keys }) => keys !== undefined)
		const why = 'The result has no whole key of the table that this column is from, or the key names too many rows.'
		if (entry) entry.run()
		else showToast(`${why} Choose a column of another table, or one ${engine.rowNoun.one}.`)
	}
	const selectedCells = () => rangeOf(props.rows, range.rectangle())
	/** Adding many numbers takes longer than a key is held. */
	const summed = createDeferred(selectedCells, { timeoutMs: 500 })

	const numberWords = () => {
		const words = sumWords(summed().rows.flat())
		return words === undefined ? '' : ` · ${words}`
	}

	function onKeyDown(event: KeyboardEvent): void {
		if (!placeOf(event.target)) return
		const pressed = pressedKeys(event)
		if (pressed === 'Mod+C') void copyCells('TSV', selectedCells(), false)
		else if (pressed === 'Enter') setShown(range.selection().focus)
		else if (pressed === 'F12') editSelected()
		else if (!range.onKey(event)) return
		event.preventDefault()
		event.stopPropagation()
	}

	return (
		<>
			<Show when={props.rows.totals}>{totals => <Totals totals={totals()} />}</Show>
			<WithMenu class="run-table" menu={menuAt}>
				<table
					ref={table}
					// biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells take the focus is a grid
					role="grid"
					aria-rowcount={rows().length + 1}
					aria-multiselectable="true"
					style={{
						'--run-row': `${height()}px`,
						'--run-number': `${numberRoom + digitWidth * count(rows().length).length}px`,
						...columnWidths.table(),
					}}
					onKeyDown={onKeyDown}
					onMouseDown={range.onMouseDown}
					onDblClick={event => {
						const place = placeOf(event.target)
						if (place && place.column >= 0) setShown(place)
					}}
				>
					<Show when={columnWidths.all()}>
						{all => (
							<colgroup>
								<For each={all()}>{width => <col style={{ width: `${width}px` }} />}</For>
							</colgroup>
						)}
					</Show>
					<thead>
						<tr>
							<th class="run-number" scope="col" aria-label="#" />
							<For each={columns()}>
								{({ name, type, kind }, column) => (
									<th
										scope="col"
										data-column={column()}
										title={name}
										classList={{ numbers: kind === 'number' }}
										aria-sort={direction(column()) ?? 'none'}
									>
										<button
											type="button"
											title={`Sort the ${scopeOf(props.rows, engine.rowNoun)}`}
											onClick={() => props.onSort(sortedBy(props.sort, column()))}
										>
											{name}
											<Show when={direction(column()) === 'ascending'}>
												<ArrowUp size={11} aria-hidden="true" />
											</Show>
											<Show when={direction(column()) === 'descending'}>
												<ArrowDown size={11} aria-hidden="true" />
											</Show>
										</button>
										{/* The engine has more rows, in another order. */}
										<Show when={props.rows.isTruncated && direction(column())}>
											<span class="run-type">of the {scopeOf(props.rows, engine.rowNoun)}</span>
										</Show>
										<Show when={type !== '' && type !== name}>
											<span class="run-type">{type}</span>
										</Show>
										<span
											class="run-edge"
											aria-hidden="true"
											onMouseDown={event => columnWidths.drag(event, column() + 1)}
											onDblClick={() => columnWidths.fit(column() + 1)}
										/>
									</th>
								)}
							</For>
						</tr>
					</thead>
					<tbody>
						<For each={drawn()}>
							{index => (
								<>
									<Show when={before(index)}>{many => <Gap height={many() * height()} />}</Show>
									<tr data-row={index} aria-rowindex={index + 2}>
										<th class="run-number" scope="row">
											{count(index + 1)}
										</th>
										<For each={rows()[index]}>
											{(cell, column) => {
												const { text, look } = shownText(cell)
												const place = () => ({ row: index, column: column() })
												const isFocus = () => {
													const { focus } = range.selection()
													return focus.row === index && focus.column === column()
												}
												return (
													// biome-ignore lint/a11y/useAriaPropsSupportedByRole: a cell of a grid can be selected
													<td
														data-column={column()}
														tabindex={isFocus() ? 0 : -1}
														class={`look-${look}`}
														classList={{ chosen: isRange() && isWithin(place(), range.rectangle()) }}
														aria-selected={isRange() && isWithin(place(), range.rectangle())}
														title={copyText(cell).slice(0, longestTip)}
													>
														{look === 'text' ? lineOf(cell) : text}
													</td>
												)
											}}
										</For>
									</tr>
								</>
							)}
						</For>
						<Show when={after() > 0}>
							<Gap height={after() * height()} />
						</Show>
					</tbody>
				</table>
				<Show when={props.rows.isTruncated}>
					<p class="quiet">
						There are more {engine.rowNoun.many}. Narrow the {engine.console.noun.one}, or{' '}
						{engine.console.canExport ? `export all ${engine.rowNoun.many}` : 'open the table in the grid'}.
					</p>
				</Show>
			</WithMenu>
			<Show when={isRange()}>
				<p class="run-range quiet" role="status">
					{count(cellCount(range.rectangle()))} cells{numberWords()}
				</p>
			</Show>
			<Show when={shown()}>
				{place => (
					<ValueSheet
						name={columns()[place().column]?.name ?? ''}
						cell={cellAt(props.rows, place())}
						edit={editingAt(place())[0]}
						onClose={() => setShown(undefined)}
					/>
				)}
			</Show>
		</>
	)
}

/** A number that the engine computed, with all its digits. */
function computedText(cell: Cell): CellText {
	const found = cellText(cell)
	return found.look === 'number' ? { ...found, text: plainNumber(found.text) } : found
}

/** The place of rows without elements. */
function Gap(props: { readonly height: number }): JSX.Element {
	return (
		// biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row without cells takes no focus
		<tr aria-hidden="true" style={{ height: `${props.height}px` }} />
	)
}

function Totals(props: { readonly totals: NonNullable<ResultRows['totals']> }): JSX.Element {
	return (
		<section class="result-totals" aria-label="Over all rows">
			<span class="quiet">Over all</span>
			<dl>
				<For each={props.totals}>
					{({ name, value }) => (
						<div>
							<dt>{name}</dt>
							<dd title={cellText(value).text}>{computedText(value).text}</dd>
						</div>
					)}
				</For>
			</dl>
		</section>
	)
}
