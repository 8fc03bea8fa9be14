import type { JSX } from 'solid-js'

/** A button with an icon and a label for its action. */
export function IconButton(props: {
	readonly label: string
	/** The tooltip, if it says more than the label. */
	readonly tip?: string | undefined
	readonly isSmall?: boolean
	/** Shows the label, or a shorter word for it, beside the icon where the bar has room. */
	readonly hasWord?: boolean
	readonly word?: string
	/** Visible only while its line is hovered or focused. */
	readonly isOnHover?: boolean
	/** State of a toggle button. */
	readonly isPressed?: boolean
	readonly isDisabled?: boolean
	readonly children: JSX.Element
	onClick(): void
}): JSX.Element {
	const hasWord = () => props.hasWord === true || props.word !== undefined
	return (
		<button
			type="button"
			class="icon-button"
			classList={{
				small: props.isSmall,
				'with-word': hasWord(),
				pressed: props.isPressed,
				'on-hover': props.isOnHover,
			}}
			aria-label={props.label}
			aria-pressed={props.isPressed}
			title={props.tip ?? props.label}
			disabled={props.isDisabled}
			onClick={() => props.onClick()}
		>
			{props.children}
			{hasWord() && <span aria-hidden="true">{props.word ?? props.label}</span>}
		</button>
	)
}
