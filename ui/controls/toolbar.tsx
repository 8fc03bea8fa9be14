import { type JSX, onCleanup, onMount } from 'solid-js'

/** A row of buttons as one tab stop. The left and right arrows, Home and End move the focus in it. */
export function Toolbar(props: {
	readonly label: string
	readonly class?: string
	readonly children: JSX.Element
}): JSX.Element {
	let bar!: HTMLDivElement
	/** The button that Tab reaches. */
	let stop: HTMLButtonElement | undefined
	const buttons = () => [...bar.querySelectorAll('button')]
	const enabled = () => buttons().filter(button => !button.disabled)

	/** Buttons come, go and are disabled at any time, and the bar keeps exactly one tab stop. */
	function keepOneStop(): void {
		const usable = enabled()
		if (!stop || !usable.includes(stop)) stop = usable[0]
		for (const button of buttons()) button.tabIndex = button === stop ? 0 : -1
	}
	onMount(() => {
		keepOneStop()
		const observer = new MutationObserver(keepOneStop)
		observer.observe(bar, { childList: true, subtree: true, attributeFilter: ['disabled'] })
		onCleanup(() => observer.disconnect())
	})

	function onKeyDown(event: KeyboardEvent): void {
		if (!(event.target instanceof HTMLButtonElement)) return
		const usable = enabled()
		// Keys of an open menu arrive here too, although the menu is elsewhere in the page.
		const at = usable.indexOf(event.target)
		if (at < 0 || event.ctrlKey || event.altKey || event.metaKey) return
		const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: usable.length - 1 }[event.key]
		if (to === undefined) return
		event.preventDefault()
		usable.at(to % usable.length)?.focus()
	}
	return (
		<div
			ref={bar}
			class={props.class}
			role="toolbar"
			aria-label={props.label}
			onKeyDown={onKeyDown}
			onFocusIn={({ target }) => {
				if (!(target instanceof HTMLButtonElement) || !bar.contains(target)) return
				stop = target
				keepOneStop()
			}}
		>
			{props.children}
		</div>
	)
}
