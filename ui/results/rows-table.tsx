import ArrowDown from 'lucide-solid/icons/arrow-down'
import ArrowUp from 'lucide-solid/icons/arrow-up'
import { createEffect, createSignal, For, type JSX, Show } from 'solid-js'
import type { Cell } from '../../host/api/api.ts'
import { cellText, copyText } from '../cells/cell-text.ts'
import { WithMenu } from '../controls/context-menu.tsx'
import { useEngine } from '../state/engine.tsx'
import { count } from '../words/format.ts'
import { pressedKeys } from '../words/keys.ts'
import type { ResultRows } from './answer.ts'
import { makeStop, moveByKey, placeOf } from './cell-focus.ts'
import { type CellPlace, cellAt, cellMenu, copyCell, nameEntry } from './cell-menu.ts'
import { copyCells, rowsOf } from './copy-cells.ts'
import { type ResultSort, sortedBy } from './sorted-rows.ts'
import { ValueSheet } from './value-sheet.tsx'

/** Laying out more at once would block the window. */
const [mostRows, mostCells] = [100, 10_000] as const

const longestTip = 2_000
const longestLine = 600

/** Returns the beginning of a text with its blanks, which indent plans. */
const lineOf = (cell: Cell) =>
	copyText(cell)
		.slice(0, longestLine)
		.replaceAll(/[\r\n]+/g, ' ')

/** Rows as a table, in the order of the sort, and values for all of them beside it. */
export function RowsTable(props: {
	readonly rows: ResultRows
	readonly sort: ResultSort | undefined
	onSort(sort: ResultSort | undefined): void
}): JSX.Element {
	const engine = useEngine()
	let table!: HTMLTableElement
	const [shown, setShown] = createSignal<CellPlace>()
	const step = () => Math.min(mostRows, Math.max(5, Math.floor(mostCells / props.rows.columns.length)))
	const [limit, setLimit] = createSignal(step())
	const rows = () => props.rows.rows
	const direction = (column: number) => (props.sort?.column === column ? props.sort.direction : undefined)
	createEffect(() => {
		if (rows().length > 0 && !table.querySelector('td[tabindex="0"]')) makeStop(table)
	})

	function menuAt(at: Element) {
		const place = placeOf(at)
		if (place) {
			const label = props.rows.columns[place.column]?.name ?? ''
			return { label, entries: cellMenu(props.rows, place, { ...engine, onShow: () => setShown(place) }) }
		}
		const header = at.closest('th')
		const entry = header && nameEntry(props.rows, header.cellIndex, engine.columnNoun)
		return entry ? { label: header.textContent, entries: [entry] } : undefined
	}

	function onKeyDown(event: KeyboardEvent): void {
		const place = placeOf(event.target)
		if (!place) return
		const pressed = pressedKeys(event)
		// A text that the user has marked is copied by the browser.
		if (pressed === 'Mod+C' && getSelection()?.isCollapsed !== false) copyCell(props.rows, place)
		else if (pressed === 'Enter') setShown(place)
		else if (!moveByKey(table, event)) return
		event.preventDefault()
	}

	/** A text over several cells is copied as cells. */
	function onCopy(event: ClipboardEvent): void {
		const selection = getSelection()
		const ends = [selection?.anchorNode, selection?.focusNode].map(node => placeOf(node?.parentElement ?? null))
		const [from, to] = ends
		if (!from || !to || (from.row === to.row && from.column === to.column)) return
		const span = (one: number, other: number) => [Math.min(one, other), Math.max(one, other) + 1] as const
		const all = rowsOf(props.rows)
		const columns = span(from.column, to.column)
		const rows = all.rows.slice(...span(from.row, to.row)).map(row => row.slice(...columns))
		void copyCells('TSV', { columns: all.columns.slice(...columns), rows }, false)
		event.preventDefault()
	}

	return (
		<>
			<Show when={props.rows.totals}>{totals => <Totals totals={totals()} />}</Show>
			<WithMenu class="run-table" menu={menuAt}>
				<table
					ref={table}
					// biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells take the focus is a grid
					role="grid"
					onKeyDown={onKeyDown}
					onCopy={onCopy}
					onFocusIn={({ target }) => target instanceof HTMLTableCellElement && makeStop(table, target)}
				>
					<thead>
						<tr>
							<For each={props.rows.columns}>
								{({ name, kind }, column) => (
									<th scope="col" classList={{ numbers: kind === 'number' }} aria-sort={direction(column()) ?? 'none'}>
										<button
											type="button"
											title="Sort the rows that are shown"
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
									</th>
								)}
							</For>
						</tr>
					</thead>
					<tbody>
						<For each={rows().slice(0, limit())}>
							{row => (
								<tr>
									<For each={row}>
										{cell => {
											const { text, look } = cellText(cell)
											return (
												<td tabindex={-1} class={`look-${look}`} title={copyText(cell).slice(0, longestTip)}>
													{look === 'text' ? lineOf(cell) : text}
												</td>
											)
										}}
									</For>
								</tr>
							)}
						</For>
					</tbody>
				</table>
				<Show when={props.rows.rows.length > limit()}>
					<button type="button" class="button small" onClick={() => setLimit(shown => shown + step())}>
						Show more of {count(props.rows.rows.length)}
					</button>
				</Show>
				<Show when={props.rows.isTruncated}>
					<p class="quiet">
						There are more {engine.rowNoun.many}. Narrow the {engine.console.noun.one}, or{' '}
						{engine.console.canExport ? `export all ${engine.rowNoun.many}` : 'open the table in the grid'}.
					</p>
				</Show>
			</WithMenu>
			<Show when={shown()}>
				{place => (
					<ValueSheet
						name={props.rows.columns[place().column]?.name ?? ''}
						cell={cellAt(props.rows, place())}
						onClose={() => setShown(undefined)}
					/>
				)}
			</Show>
		</>
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
							<dd>{cellText(value).text}</dd>
						</div>
					)}
				</For>
			</dl>
		</section>
	)
}
