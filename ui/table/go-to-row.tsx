import { createSignal, type JSX, onMount, Show } from 'solid-js'
import { count, counted } from '../words/format.ts'

/** Asks for a row number, in the line below the grid. */
export function GoToRow(props: {
	readonly rows: number
	readonly row: number
	/** `row` counts from 1. */
	onGo(row: number): void
	onClose(): void
}): JSX.Element {
	// Typed text stays wherever the grid moves.
	const { row: first } = props
	const [fault, setFault] = createSignal<string>()
	let field!: HTMLInputElement
	onMount(() => field.select())

	function go(event: Event): void {
		event.preventDefault()
		const row = Number(field.value.replaceAll(',', ''))
		if (Number.isInteger(row) && row >= 1 && row <= props.rows) props.onGo(row)
		else setFault(`There are ${counted(props.rows, { one: 'row', many: 'rows' })}.`)
	}

	return (
		<form
			class="go-to-row"
			onSubmit={go}
			onKeyDown={event => {
				if (event.key !== 'Escape') return
				event.stopPropagation()
				props.onClose()
			}}
			onFocusOut={event => {
				if (!event.currentTarget.contains(event.relatedTarget as Node | null)) props.onClose()
			}}
			novalidate
		>
			<input
				ref={field}
				type="number"
				min={1}
				max={props.rows}
				aria-label="Go to row"
				aria-invalid={fault() !== undefined}
				value={first}
				onInput={() => setFault(undefined)}
			/>
			<Show when={fault()} fallback={<span class="quiet">of {count(props.rows)}, then Enter</span>}>
				{message => (
					<span class="warn" role="alert">
						{message()}
					</span>
				)}
			</Show>
		</form>
	)
}
