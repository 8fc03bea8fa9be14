import type { JSX } from 'solid-js'

/** A button that shows an icon and says what it does. */
export function IconButton(props: {
	readonly label: string
	/** Where the tip says more than the label. */
	readonly tip?: string
	readonly isSmall?: boolean
	/** Shown only while its line is pointed at, or it has the focus. */
	readonly isOnHover?: boolean
	/** For a button that switches something. */
	readonly isPressed?: boolean
	readonly isDisabled?: boolean
	readonly children: JSX.Element
	onClick(): void
}): JSX.Element {
	return (
		<button
			type="button"
			class="icon-button"
			classList={{ small: props.isSmall, pressed: props.isPressed, 'on-hover': props.isOnHover }}
			aria-label={props.label}
			aria-pressed={props.isPressed}
			title={props.tip ?? props.label}
			disabled={props.isDisabled}
			onClick={() => props.onClick()}
		>
			{props.children}
		</button>
	)
}
