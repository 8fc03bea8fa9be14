import { createSignal, createUniqueId, For, type JSX, Match, Switch } from 'solid-js'
import type { FilterField } from '../../../host/api/api.ts'
import { TextInput } from '../../controls/text-input.tsx'
import { DateInput } from '../time/date-input.tsx'
import { isList, type Operator } from './filters.ts'
import { applyAtEnter, ListInput } from './list-input.tsx'
import { createSuggestions, type Suggest } from './suggest-values.ts'

interface ValueProps {
	readonly target: FilterField | undefined
	readonly operator: Operator
	/** Several values are separated by lines, or by commas if there is one line. */
	readonly text: string
	readonly suggest: Suggest
	onText(text: string): void
}

/** The value of a filter, typed by what its column and operator take. */
export function ValueInput(props: ValueProps): JSX.Element {
	return (
		<Switch fallback={<OneValue {...props} label="Value" />}>
			<Match when={isList(props.operator)}>
				<ListInput {...props} />
			</Match>
			<Match when={props.operator === 'between'}>
				<Between {...props} />
			</Match>
			<Match when={props.target?.kind === 'boolean'}>
				<select name="value" aria-label="Value" onChange={event => props.onText(event.currentTarget.value)}>
					<For each={['', 'true', 'false']}>
						{value => (
							<option value={value} selected={value === props.text} disabled={value === ''}>
								{value === '' ? 'Choose …' : value}
							</option>
						)}
					</For>
				</select>
			</Match>
		</Switch>
	)
}

/** Two fields. Their texts are the two lines of the value. */
function Between(props: ValueProps): JSX.Element {
	const ends = () => (props.text.includes('\n') ? props.text.split('\n') : props.text.split(',')).map(end => end.trim())
	return (
		<span class="filter-between">
			<OneValue
				{...props}
				label="From"
				text={ends()[0] ?? ''}
				onText={text => props.onText(`${text}\n${ends()[1] ?? ''}`)}
			/>
			<span class="quiet">and</span>
			<OneValue
				{...props}
				label="To"
				text={ends()[1] ?? ''}
				onText={text => props.onText(`${ends()[0] ?? ''}\n${text}`)}
			/>
		</span>
	)
}

function OneValue(props: ValueProps & { readonly label: string }): JSX.Element {
	return (
		<Switch fallback={<SuggestedText {...props} />}>
			<Match when={props.target?.kind === 'date'}>
				<DateInput
					label={props.label}
					name="value"
					value={props.text}
					placeholder="YYYY-MM-DD"
					onInput={props.onText}
				/>
			</Match>
		</Switch>
	)
}

/** A text with the most frequent values of the column. They are read while the field has the focus. */
function SuggestedText(props: ValueProps & { readonly label: string }): JSX.Element {
	const id = createUniqueId()
	const [isFocused, setFocused] = createSignal(false)
	const values = createSuggestions(props, () => (isFocused() ? props.text : undefined))
	return (
		<>
			<TextInput
				name="value"
				aria-label={props.label}
				inputmode={props.target?.kind === 'number' ? 'decimal' : undefined}
				list={id}
				value={props.text}
				onFocus={() => setFocused(true)}
				onBlur={() => setFocused(false)}
				onText={props.onText}
				onKeyDown={applyAtEnter}
			/>
			<datalist id={id}>
				<For each={values.value() ?? []}>{value => <option value={value} />}</For>
			</datalist>
		</>
	)
}
