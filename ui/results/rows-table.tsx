import { createSignal, For, type JSX, Show } from 'solid-js'
import type { Cell } from '../../host/api/api.ts'
import { cellText, copyText as textOf } from '../cells/cell-text.ts'
import { type CopyFormat, copyAs } from '../cells/copy.ts'
import { type MenuEntry, WithMenu } from '../controls/context-menu.tsx'
import { copyText } from '../controls/copy-button.tsx'
import { Dialog } from '../controls/dialog.tsx'
import { LongText } from '../json/long-text.tsx'
import { useEngine } from '../state/engine.tsx'
import { count } from '../words/format.ts'
import { isSameKeys, pressedKeys } from '../words/keys.ts'
import type { ResultRows } from './answer.ts'
import { type ResultSort, sortedBy } from './sorted-rows.ts'

/** Laying out more at once would block the window. */
const [mostRows, mostCells] = [100, 10_000] as const

const longestTip = 2_000
const longestLine = 600

/** Returns the beginning of a text with its blanks, which indent plans. */
const lineOf = (cell: Cell) =>
	textOf(cell)
		.slice(0, longestLine)
		.replaceAll(/[\r\n]+/g, ' ')

const arrows = { ascending: ' ↑', descending: ' ↓' } as const

/**
 * Rows as a table, in the order of the sort, and values for all of them beside it. Enter goes to its first cell, and the
 * arrow keys to the others.
 */
export function RowsTable(props: {
	readonly rows: ResultRows
	readonly sort: ResultSort | undefined
	onSort(sort: ResultSort | undefined): void
}): JSX.Element {
	const { console } = useEngine()
	const step = () => Math.min(mostRows, Math.max(5, Math.floor(mostCells / props.rows.columns.length)))
	const [limit, setLimit] = createSignal(step())
	const rows = () => props.rows.rows
	const [shown, setShown] = createSignal<ShownValue>()
	let table!: HTMLTableElement

	/** Returns the value at a cell of the table. */
	function valueAt(at: Element | null): ShownValue | undefined {
		const cell = at?.closest('td')
		const row = cell?.closest('tr')
		const name = cell ? props.rows.columns[cell.cellIndex]?.name : undefined
		const value = cell && row ? rows()[row.sectionRowIndex]?.[cell.cellIndex] : undefined
		return name === undefined || value === undefined ? undefined : { name, value }
	}

	function menu(at: Element) {
		const found = valueAt(at)
		const line = at.closest('tr')?.sectionRowIndex
		const cells = line === undefined ? undefined : rows()[line]
		if (!found || !cells) return undefined
		const columns = props.rows.columns.map(({ name }) => name)
		const copyRow = (format: CopyFormat) => void copyText(copyAs(format, { columns, rows: [cells] }, true))
		const entries: readonly (MenuEntry | 'line')[] = [
			{ label: 'Copy', keys: 'Mod+C', run: () => void copyText(textOf(found.value)) },
			{ label: 'Show the whole value', keys: 'Enter', run: () => setShown(found) },
			'line',
			...(['TSV', 'CSV', 'JSON'] as const).map(format => ({
				label: `Copy the row as ${format}`,
				run: () => copyRow(format),
			})),
		]
		return { label: found.name, entries }
	}

	function onKeyDown(event: KeyboardEvent): void {
		const cell =
			event.target instanceof HTMLTableCellElement && event.target.tagName === 'TD' ? event.target : undefined
		const found = valueAt(cell ?? null)
		const isCopy = isSameKeys('Mod+C', pressedKeys(event) ?? '') && getSelection()?.isCollapsed !== false
		const next = cell && neighbour(cell, event.key)
		if (event.key === 'Enter' && event.target === event.currentTarget) focusCell(table.querySelector('td'))
		else if (event.key === 'Enter' && found) setShown(found)
		else if (event.key === 'Escape' && cell && event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
		else if (isCopy && found) void copyText(textOf(found.value))
		else if (next) focusCell(next)
		else return
		event.preventDefault()
		event.stopPropagation()
	}
	const direction = (column: number) => (props.sort?.column === column ? props.sort.direction : undefined)
	return (
		<>
			<Show when={props.rows.totals}>{totals => <Totals totals={totals()} />}</Show>
			<div class="run-table" tabindex={0} on:keydown={onKeyDown}>
				<WithMenu menu={menu}>
					<table ref={table}>
						<thead>
							<tr>
								<For each={props.rows.columns}>
									{({ name, kind }, column) => (
										<th
											scope="col"
											classList={{ numbers: kind === 'number' }}
											aria-sort={direction(column()) ?? 'none'}
										>
											<button
												type="button"
												title="Sort the rows that are shown"
												onClick={() => props.onSort(sortedBy(props.sort, column()))}
											>
												{name}
												{direction(column()) && (
													<span aria-hidden="true">{arrows[direction(column()) ?? 'ascending']}</span>
												)}
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
													<td tabindex={-1} class={`look-${look}`} title={textOf(cell).slice(0, longestTip)}>
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
				</WithMenu>
				<Show when={props.rows.rows.length > limit()}>
					<button type="button" class="button small" onClick={() => setLimit(shown => shown + step())}>
						Show more of {count(props.rows.rows.length)}
					</button>
				</Show>
				<Show when={props.rows.isTruncated}>
					<p class="quiet">There are more rows. Narrow the {console.noun.one}, or open the table in the grid.</p>
				</Show>
			</div>
			<Show when={shown()} keyed>
				{({ name, value }) => (
					<Dialog title={name} size="wide" onClose={() => setShown(undefined)}>
						<div class="dialog-body result-value">
							<LongText label={name} bytes={new TextEncoder().encode(textOf(value))} isJson={isJson(value)} />
						</div>
					</Dialog>
				)}
			</Show>
		</>
	)
}

interface ShownValue {
	readonly name: string
	readonly value: Cell
}

const isJson = (cell: Cell) => typeof cell === 'object' && cell !== null && 'json' in cell

function focusCell(cell: HTMLElement | null): void {
	cell?.focus({ preventScroll: true })
	cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

/** Returns the cell that an arrow key leads to, if there is one. */
function neighbour(cell: HTMLTableCellElement, key: string): HTMLTableCellElement | undefined {
	const row = cell.closest('tr')
	const lines = [row?.previousElementSibling, row?.nextElementSibling].map(line =>
		line instanceof HTMLTableRowElement ? line.cells[cell.cellIndex] : undefined,
	)
	const found = {
		ArrowUp: lines[0],
		ArrowDown: lines[1],
		ArrowLeft: cell.previousElementSibling,
		ArrowRight: cell.nextElementSibling,
	}[key]
	return found instanceof HTMLTableCellElement ? found : undefined
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
