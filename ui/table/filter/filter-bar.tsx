import Minus from 'lucide-solid/icons/minus'
import Plus from 'lucide-solid/icons/plus'
import { createEffect, createMemo, For, Index, type JSX, on, Show } from 'solid-js'
import type { Column } from '../../../host/api/api.ts'
import { IconButton } from '../../controls/icon-button.tsx'
import { type FilterRow, filterTargets, type Operator, operatorsFor, takesNoValue } from './filters.ts'
import type { Suggest } from './suggest-values.ts'
import { emptyFilter, type Match } from './table-query.ts'
import { ValueInput } from './value-input.tsx'

/** Filters by column. Typed values apply with Enter or Apply, so that no half-typed value is sent. */
export function FilterBar(props: {
	readonly columns: readonly Column[]
	readonly rows: readonly FilterRow[]
	readonly match: Match
	/** A time range applies too, which leaves no choice of the match. */
	readonly hasTime: boolean
	readonly suggest: Suggest
	onChange(rows: readonly FilterRow[]): void
	onMatch(match: Match): void
	onApply(): void
}): JSX.Element {
	const targets = createMemo(() => filterTargets(props.columns))
	const target = (name: string) => targets().find(target => target.name === name)
	const replace = (index: number, row: FilterRow) => props.onChange(props.rows.with(index, row))
	const change = (index: number, changes: Partial<FilterRow>) => {
		const row = props.rows[index]
		if (row) replace(index, { ...row, ...changes })
	}
	const add = () => props.onChange([...props.rows, emptyFilter(props.columns)])
	const remove = (index: number) => props.onChange(props.rows.filter((_, at) => at !== index))
	let form!: HTMLFormElement
	// A new row waits for its value.
	createEffect(
		on(
			() => props.rows.length,
			(now, before = 0) => {
				if (now > before) [...form.querySelectorAll<HTMLElement>('[name="value"]')].at(-1)?.focus()
			},
		),
	)
	return (
		<form
			ref={form}
			class="filters"
			aria-label="Filters"
			onSubmit={event => {
				event.preventDefault()
				props.onApply()
			}}
		>
			<Index each={props.rows}>
				{(row, index) => (
					<div class="filter" classList={{ 'has-key': row().key !== undefined }}>
						<input
							type="checkbox"
							aria-label="Use this filter"
							checked={row().isOn}
							onChange={event => change(index, { isOn: event.currentTarget.checked })}
						/>
						<select
							aria-label="Column"
							value={row().column}
							onChange={event => {
								const name = event.currentTarget.value
								const operators = operatorsFor(target(name)).map(([operator]) => operator)
								const operator = operators.includes(row().operator) ? row().operator : (operators[0] ?? 'exists')
								const { key: _, ...plain } = row()
								const key = target(name)?.takesKey && { key: '' }
								// A value of another kind would be refused.
								const text = target(name)?.kind === target(row().column)?.kind ? row().text : ''
								replace(index, { ...plain, column: name, ...key, operator, text })
							}}
						>
							<For each={targets()}>
								{({ name, takesKey }) => (
									<option value={name} selected={name === row().column}>
										{takesKey ? `${name}<key>` : name}
									</option>
								)}
							</For>
						</select>
						<Show when={row().key !== undefined}>
							<input
								type="text"
								aria-label="Key"
								spellcheck={false}
								placeholder="key"
								value={row().key ?? ''}
								onInput={event => change(index, { key: event.currentTarget.value })}
							/>
						</Show>
						<select
							aria-label="Operator"
							value={row().operator}
							onChange={event => change(index, { operator: event.currentTarget.value as Operator })}
						>
							<For each={operatorsFor(target(row().column))}>
								{([operator, word]) => (
									<option value={operator} selected={operator === row().operator}>
										{word}
									</option>
								)}
							</For>
						</select>
						<Show when={!takesNoValue(row().operator)} fallback={<span />}>
							<ValueInput
								target={target(row().column)}
								operator={row().operator}
								text={row().text}
								suggest={props.suggest}
								onText={text => change(index, { text })}
							/>
						</Show>
						<IconButton label="Remove filter" isSmall onClick={() => remove(index)}>
							<Minus size={14} />
						</IconButton>
						<IconButton label="Add filter" isSmall onClick={add}>
							<Plus size={14} />
						</IconButton>
					</div>
				)}
			</Index>
			<div class="filters-foot">
				<select
					aria-label="Match"
					value={props.hasTime ? 'all' : props.match}
					disabled={props.hasTime}
					title={props.hasTime ? 'With a time range, every filter applies.' : undefined}
					onChange={event => props.onMatch(event.currentTarget.value as Match)}
				>
					<option value="all">Match all</option>
					<option value="any">Match any</option>
				</select>
				<button type="submit" class="button primary">
					Apply
				</button>
			</div>
		</form>
	)
}
