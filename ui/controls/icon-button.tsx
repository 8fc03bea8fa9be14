import type { JSX } from 'solid-js'

/** A button with an icon and a label for its action. */
export function IconButton(props: {
	readonly label: string
	/** The tooltip, if it says more than the label. */
	readonly tip?: string | undefined
	readonly isSmall?: boolean
	/** Shown beside the icon where the bar has room: the label, or a shorter word for it. */
	readonly word?: string
	/** The word goes before those of other buttons where the bar becomes narrow. */
	readonly isWordLast?: boolean
	/** Visible only while its line is hovered or focused. */
	readonly isOnHover?: boolean
	/** State of a toggle button. */
	readonly isPressed?: boolean
	readonly isDisabled?: boolean
	readonly children: JSX.Element
	onClick(): void
}): JSX.Element {
	return (
		<button
			type="button"
			class="icon-button"
			classList={{
				small: props.isSmall,
				'with-word': props.word !== undefined,
				'word-last': props.isWordLast,
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
			{props.word !== undefined && <span aria-hidden="true">{props.word}</span>}
		</button>
	)
}
