import ListFilter from 'lucide-solid/icons/list-filter'
import X from 'lucide-solid/icons/x'
import { createSignal, For, type JSX, onMount, Show } from 'solid-js'
import type { Column } from '../../../host/api/api.ts'
import { IconButton } from '../../controls/icon-button.tsx'
import { inverted } from './cell-filter.ts'
import {
	type FilterRow,
	filterTargets,
	filterWords,
	isComplete,
	type Operator,
	operatorsFor,
	takesNoValue,
} from './filters.ts'
import type { Suggest } from './suggest-values.ts'
import type { Match } from './table-query.ts'
import { ValueInput } from './value-input.tsx'

/** The applied filters, while the filter bar is hidden. A click edits one in place, Alt+click inverts it. */
export function FilterChips(props: {
	readonly columns: readonly Column[]
	readonly chips: readonly FilterRow[]
	readonly match: Match
	readonly suggest: Suggest
	/** Opens the filter bar. */
	onOpen(): void
	onReplace(row: FilterRow, by: FilterRow): void
	onDrop(row: FilterRow): void
}): JSX.Element {
	const [edited, setEdited] = createSignal<FilterRow>()
	let list!: HTMLUListElement
	/** Closes the fields and returns the focus to the chip at their place. */
	function close(row: FilterRow, by?: FilterRow): void {
		const at = props.chips.indexOf(row)
		setEdited(undefined)
		if (by) props.onReplace(row, by)
		list.querySelectorAll<HTMLButtonElement>('.filter-chip-words')[at]?.focus()
	}
	function click(row: FilterRow, event: MouseEvent): void {
		const opposite = event.altKey ? inverted(row) : undefined
		if (opposite) props.onReplace(row, opposite)
		else setEdited(row)
	}
	return (
		<ul ref={list} class="filter-chips" aria-label="Filters">
			<For each={props.chips}>
				{(row, index) => (
					<li class="filter-chip">
						{index() > 0 && <span class="quiet">{props.match === 'all' ? 'and' : 'or'}</span>}
						<Show
							when={edited() === row}
							fallback={
								<span class="filter-chip-body">
									<button
										type="button"
										class="filter-chip-words"
										title="Click to change, Alt+click to invert"
										onClick={event => click(row, event)}
										onKeyDown={event => event.key === 'Delete' && props.onDrop(row)}
									>
										{filterWords(row)}
									</button>
									<button type="button" aria-label={`Remove ${filterWords(row)}`} onClick={() => props.onDrop(row)}>
										<X size={12} />
									</button>
								</span>
							}
						>
							<ChipFields columns={props.columns} row={row} suggest={props.suggest} onDone={by => close(row, by)} />
						</Show>
					</li>
				)}
			</For>
			<li>
				<IconButton label="Change all filters" isSmall onClick={() => props.onOpen()}>
					<ListFilter size={13} />
				</IconButton>
			</li>
		</ul>
	)
}

/** Operator and value of one filter. Enter applies them, Escape and leaving them do not. */
function ChipFields(props: {
	readonly columns: readonly Column[]
	readonly row: FilterRow
	readonly suggest: Suggest
	onDone(by?: FilterRow): void
}): JSX.Element {
	const { row } = props
	const [operator, setOperator] = createSignal(row.operator)
	const [text, setText] = createSignal(row.text)
	const target = () => filterTargets(props.columns).find(({ name }) => name === row.column)
	let form!: HTMLFormElement
	onMount(() => (form.querySelector<HTMLElement>('[name="value"]') ?? form.querySelector('select'))?.focus())
	return (
		<form
			ref={form}
			class="filter-chip-fields"
			aria-label={`Change ${filterWords(row)}`}
			onSubmit={event => {
				event.preventDefault()
				if (isComplete({ operator: operator(), text: text() }))
					props.onDone({ ...row, operator: operator(), text: text() })
			}}
			onKeyDown={event => {
				if (event.key !== 'Escape') return
				event.stopPropagation()
				props.onDone()
			}}
		>
			<span>{`${row.column}${row.key ?? ''}`}</span>
			<select
				aria-label="Operator"
				value={operator()}
				onChange={event => setOperator(event.currentTarget.value as Operator)}
			>
				<For each={operatorsFor(target())}>
					{([known, word]) => (
						<option value={known} selected={known === operator()}>
							{word}
						</option>
					)}
				</For>
			</select>
			<Show when={!takesNoValue(operator())}>
				<ValueInput target={target()} operator={operator()} text={text()} suggest={props.suggest} onText={setText} />
			</Show>
			<button type="submit" class="button">
				Apply
			</button>
		</form>
	)
}
