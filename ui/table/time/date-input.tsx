import CalendarDays from 'lucide-solid/icons/calendar-days'
import type { JSX } from 'solid-js'
import { IconButton } from '../../controls/icon-button.tsx'
import { createDraft } from '../../state/draft.ts'

/** A date as text, with the calendar of the browser beside it. The text takes what the engine takes. */
export function DateInput(props: {
	readonly label: string
	/** Name of the field in its form. */
	readonly name?: string
	readonly value: string
	readonly placeholder?: string
	readonly isInvalid?: boolean
	/** Called at each key. */
	onInput?(text: string): void
	/** Called when the text is complete: after Enter, a choice in the calendar, or when the field loses the focus. */
	onChange?(text: string): void
}): JSX.Element {
	const [text, setText] = createDraft(() => props.value)
	let calendar!: HTMLInputElement
	return (
		<span class="date-input">
			<input
				type="text"
				name={props.name}
				aria-label={props.label}
				aria-invalid={props.isInvalid === true}
				spellcheck={false}
				autocomplete="off"
				placeholder={props.placeholder ?? 'YYYY-MM-DD hh:mm:ss'}
				value={text()}
				onInput={event => {
					setText(event.currentTarget.value)
					props.onInput?.(event.currentTarget.value)
				}}
				onChange={event => props.onChange?.(event.currentTarget.value)}
			/>
			<input
				ref={calendar}
				class="date-input-calendar"
				type="datetime-local"
				step="1"
				tabIndex={-1}
				aria-hidden="true"
				onChange={event => {
					const chosen = event.currentTarget.value
					if (chosen === '') return
					setText(chosen)
					props.onInput?.(chosen)
					props.onChange?.(chosen)
				}}
			/>
			<IconButton
				label="Choose a date"
				isSmall
				onClick={() => {
					calendar.value = text().trim().replace(' ', 'T').slice(0, 19)
					calendar.showPicker()
				}}
			>
				<CalendarDays size={13} />
			</IconButton>
		</span>
	)
}
