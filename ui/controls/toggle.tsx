import { createSignal, type JSX } from 'solid-js'

/**
 * A checkbox for a value that is stored elsewhere. It shows the click at once, and the stored value when saving ends;
 * it is busy until then.
 */
export function Toggle(props: {
	readonly isOn: boolean
	/** Settles when saving has ended or failed. */
	onChange(isOn: boolean): Promise<unknown>
	readonly children: JSX.Element
}): JSX.Element {
	const [saving, setSaving] = createSignal(0)
	return (
		<label class="option">
			<input
				type="checkbox"
				checked={props.isOn}
				aria-busy={saving() > 0}
				onChange={async ({ currentTarget: box }) => {
					setSaving(count => count + 1)
					await props.onChange(box.checked)
					setSaving(count => count - 1)
					box.checked = props.isOn
				}}
			/>
			{props.children}
		</label>
	)
}
