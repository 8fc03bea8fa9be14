import type { JSX } from 'solid-js'

/** A checkbox of something that is kept elsewhere. What is clicked shows at once, and when it is done what is so. */
export function Toggle(props: {
	readonly isOn: boolean
	/** Settles when it was done, or could not be. */
	onChange(isOn: boolean): Promise<unknown>
	readonly children: JSX.Element
}): JSX.Element {
	return (
		<label class="option">
			<input
				type="checkbox"
				checked={props.isOn}
				onChange={async ({ currentTarget: box }) => {
					await props.onChange(box.checked)
					box.checked = props.isOn
				}}
			/>
			{props.children}
		</label>
	)
}
