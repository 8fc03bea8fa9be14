import ChartColumn from 'lucide-solid/icons/chart-column'
import PanelLeftClose from 'lucide-solid/icons/panel-left-close'
import { createMemo, createSignal, createUniqueId, For, type JSX, onCleanup, Show } from 'solid-js'
import type { Column } from '../../../../host/api/api.ts'
import { DottedName } from '../../../controls/dotted-name.tsx'
import { followPointer } from '../../../controls/follow-pointer.ts'
import { IconButton } from '../../../controls/icon-button.tsx'
import { KindIcon } from '../../../controls/kind-icon.tsx'
import { SearchField } from '../../../controls/search-field.tsx'
import { useEngine } from '../../../state/engine.tsx'
import { count } from '../../../words/format.ts'
import { keysText, pressedKeys } from '../../../words/keys.ts'
import type { OpenTable } from '../../open-table.ts'
import { filterBy } from '../../table-filters.tsx'
import { fieldShares, withText } from './field-shares.ts'
import { hasTopValues, TopValues } from './top-values.tsx'

/** Lines that are drawn at once: a list of thousands is no help without a search. */
const mostListed = 300
/** How long the pointer or the focus rests on a field before its values are read, and the way to them takes. */
const [restMs, leaveMs] = [400, 200]

/**
 * The fields of a table, those that are columns first, with the share of the loaded rows that have them. A click or Enter
 * shows or hides one as a column, a drag or Alt with an arrow moves it, and resting on it shows its top values.
 */
export function FieldList(props: {
	readonly table: OpenTable
	onStatistics(column: string): void
	onFold(): void
}): JSX.Element {
	const { columns, rows, query, target, place } = props.table
	const { columnNoun, rowNoun } = useEngine()
	const prefix = createUniqueId()
	const [search, setSearch] = createSignal('')
	const [hasEmpty, setEmpty] = createSignal(false)
	const [active, setActive] = createSignal<string>()
	const byName = createMemo(() => new Map(rows.columns().map((column, index) => [column.name, { ...column, index }])))
	const shares = createMemo(() => fieldShares(rows.columns(), rows.first()))
	const shareOf = (name: string) => shares().get(name) ?? 0
	const shownWithText = createMemo(() => withText(columns.names(), search()))
	const shown = createMemo(() => shownWithText().slice(0, mostListed))
	const others = createMemo(() => {
		const known = new Set(columns.names())
		const found = columns.all().filter(name => !known.has(name))
		return withText(found, search()).toSorted((one, other) => shareOf(other) - shareOf(one))
	})
	const isEmpty = (name: string) => shares().size > 0 && shareOf(name) === 0
	const wanted = createMemo(() => {
		const withEmpty = hasEmpty() || search() !== ''
		return others().filter(name => withEmpty || !isEmpty(name))
	})
	const listed = createMemo(() => wanted().slice(0, mostListed))
	const empty = () => others().length - wanted().length
	/** How many are left out because there are too many. */
	const beyond = () => shownWithText().length - shown().length + wanted().length - listed().length
	const lines = createMemo(() => [...shown(), ...listed()])
	const current = createMemo(() => {
		const name = active()
		return name !== undefined && lines().includes(name) ? name : lines()[0]
	})
	const idOf = (name: string) => `${prefix}-${name}`

	const [card, setCard] = createSignal<{
		readonly column: Column & { readonly index: number }
		readonly beside: DOMRect
	}>()
	let timer: ReturnType<typeof setTimeout> | undefined
	function later(work: () => void, ms: number): void {
		clearTimeout(timer)
		timer = setTimeout(work, ms)
	}
	onCleanup(() => clearTimeout(timer))
	const leave = () => later(() => setCard(undefined), leaveMs)
	function rest(name: string): void {
		later(() => {
			const [column, line] = [byName().get(name), document.getElementById(idOf(name))]
			setCard(column && line && hasTopValues(column) ? { column, beside: line.getBoundingClientRect() } : undefined)
		}, restMs)
	}

	const toggle = (name: string) => columns.show([name], !columns.isShown(name))
	function go(name: string | undefined): void {
		if (name === undefined) return
		setActive(name)
		rest(name)
		document.getElementById(idOf(name))?.scrollIntoView({ block: 'nearest' })
	}
	function onKeyDown(event: KeyboardEvent): void {
		const name = current()
		if (name === undefined) return
		const at = lines().indexOf(name)
		const keys = pressedKeys(event) ?? ''
		if (keys === 'Alt+ArrowUp' || keys === 'Alt+ArrowDown') columns.move(name, keys === 'Alt+ArrowUp' ? -1 : 1)
		else if (keys === 'Alt+T') props.onStatistics(name)
		else if (event.key === 'ArrowDown') go(lines()[at + 1])
		else if (event.key === 'ArrowUp') go(lines()[at - 1])
		else if (event.key === 'Home') go(lines()[0])
		else if (event.key === 'End') go(lines().at(-1))
		else if (event.key === 'Enter' || event.key === ' ') {
			setActive(name)
			toggle(name)
		} else if (event.key === 'Escape') {
			leave()
			place.toGrid()
		} else return
		event.preventDefault()
		event.stopPropagation()
	}

	let wasDragged = false
	/** A shown field follows the pointer, past one neighbour after the other. */
	function drag(name: string): void {
		wasDragged = false
		followPointer(({ clientX, clientY }) => {
			const over = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-field]')?.dataset.field
			const [from, to] = [columns.indexOf(name), columns.indexOf(over ?? '')]
			if (from < 0 || to < 0 || from === to) return
			wasDragged = true
			columns.move(name, to - from)
		})
	}

	const Line = (line: { readonly name: string }) => (
		<Show when={byName().get(line.name)}>
			{column => (
				<div
					id={idOf(line.name)}
					class="field-line"
					classList={{ active: current() === line.name, shown: columns.isShown(line.name) }}
					role="option"
					aria-selected={columns.isShown(line.name)}
					title={`${line.name} · ${column().type}`}
					data-field={line.name}
					onMouseDown={event => event.button === 0 && drag(line.name)}
					onClick={() => {
						setActive(line.name)
						if (!wasDragged) toggle(line.name)
					}}
					onPointerEnter={event => event.buttons === 0 && rest(line.name)}
					onPointerLeave={leave}
				>
					<KindIcon column={column()} />
					<DottedName name={line.name} />
					<span class="field-share" aria-hidden="true">
						<i style={{ width: `${shareOf(line.name) * 100}%` }} />
					</span>
					<span class="field-percent">{`${Math.round(shareOf(line.name) * 100)} %`}</span>
					{/* For the pointer alone: the keyboard has a key. */}
					<span
						class="field-statistics"
						aria-hidden="true"
						title={`Statistics (${keysText('Alt+T')})`}
						onMouseDown={event => event.stopPropagation()}
						onClick={event => {
							event.stopPropagation()
							setCard(undefined)
							clearTimeout(timer)
							props.onStatistics(line.name)
						}}
					>
						<ChartColumn size={14} />
					</span>
				</div>
			)}
		</Show>
	)

	return (
		<aside class="field-list" aria-label={`List of ${columnNoun.many.toLowerCase()}`}>
			<div class="field-search">
				<SearchField
					aria-label={`Find in ${columnNoun.many.toLowerCase()}`}
					placeholder={`Find in ${count(columns.all().length)} ${columnNoun.many.toLowerCase()}`}
					value={search()}
					onInput={setSearch}
				/>
				<IconButton label={`Fold the list of ${columnNoun.many.toLowerCase()}`} isSmall onClick={props.onFold}>
					<PanelLeftClose size={14} />
				</IconButton>
			</div>
			<div
				class="field-lines"
				role="listbox"
				aria-multiselectable="true"
				aria-label={`Shown ${columnNoun.many.toLowerCase()}`}
				aria-activedescendant={active() === undefined ? undefined : idOf(current() ?? '')}
				tabIndex={0}
				on:keydown={onKeyDown}
				onFocusOut={leave}
			>
				<div role="group" aria-labelledby={`${prefix}/shown`}>
					<div id={`${prefix}/shown`} class="field-head" role="presentation">
						<span>Shown</span>
						<span title={`Share of the first loaded ${rowNoun.many.toLowerCase()} that have it`}>
							in {rowNoun.many.toLowerCase()}
						</span>
					</div>
					<For each={shown()}>{name => <Line name={name} />}</For>
				</div>
				<Show when={listed().length > 0}>
					<div role="group" aria-labelledby={`${prefix}/others`}>
						<div id={`${prefix}/others`} class="field-head" role="presentation">
							Other {columnNoun.many.toLowerCase()}
						</div>
						<For each={listed()}>{name => <Line name={name} />}</For>
					</div>
				</Show>
			</div>
			<Show when={beyond() > 0}>
				<p class="field-beyond quiet">{count(beyond())} more, to be found by their names</p>
			</Show>
			<Show when={empty() > 0 || hasEmpty()}>
				<button type="button" class="field-more" onClick={() => setEmpty(!hasEmpty())}>
					{hasEmpty() ? 'Hide empty ones' : `${count(empty())} more, empty in the loaded ${rowNoun.many.toLowerCase()}`}
				</button>
			</Show>
			<Show when={card()}>
				{shown => (
					<TopValues
						connection={target.connection}
						query={query.chosen()}
						column={shown().column}
						loaded={rows.first()}
						all={rows.total()?.isExact === true ? rows.total()?.value : undefined}
						beside={shown().beside}
						onFilter={cell => {
							filterBy(props.table, { column: shown().column, cell, use: 'for' })
							setCard(undefined)
						}}
						onPointerEnter={() => clearTimeout(timer)}
						onPointerLeave={leave}
					/>
				)}
			</Show>
		</aside>
	)
}
