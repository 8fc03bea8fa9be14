import { createUniqueId, For, type JSX } from 'solid-js'

/** A choice of a few views. */
export function Segmented<Id extends string>(props: {
	readonly label: string
	readonly options: readonly { readonly id: Id; readonly label: string }[]
	readonly value: Id
	onChange(id: Id): void
}): JSX.Element {
	const name = createUniqueId()
	return (
		<div class="segmented" role="radiogroup" aria-label={props.label}>
			<For each={props.options}>
				{({ id, label }) => (
					<label class="segment" classList={{ active: props.value === id }}>
						<input type="radio" name={name} checked={props.value === id} onChange={() => props.onChange(id)} />
						{label}
					</label>
				)}
			</For>
		</div>
	)
}
