import { DropdownMenu } from '@kobalte/core/dropdown-menu'
import { createSignal, type JSX } from 'solid-js'
import { choiceOnceGone, OnceGone } from './focus-return.ts'

/** A button that opens a menu. An entry runs after the menu has gone and the focus is back. */
export function MenuButton(props: {
	readonly class: string
	/** The name of the menu, and of a button that shows an icon alone. */
	readonly label: string
	/** The button shows no words. */
	readonly isIcon?: boolean
	readonly placement?: 'bottom-end'
	/** What the button shows. */
	readonly face: JSX.Element
	/** Returns the entries, which run by `choose`. Called each time that it opens. */
	entries(choose: (run: () => void) => void): JSX.Element
}): JSX.Element {
	const choice = choiceOnceGone()
	const [isOpen, setOpen] = createSignal(false)
	function turn(open: boolean): void {
		choice.turned(open)
		setOpen(open)
	}
	const name = () => (props.isIcon ? props.label : undefined)
	return (
		<DropdownMenu open={isOpen()} onOpenChange={turn} modal={false} placement={props.placement ?? 'bottom-start'}>
			<DropdownMenu.Trigger class={props.class} aria-label={name()} title={name()}>
				{props.face}
			</DropdownMenu.Trigger>
			<DropdownMenu.Portal>
				<DropdownMenu.Content class="menu" aria-label={props.label} onCloseAutoFocus={choice.gone}>
					{props.entries(choice.choose)}
					<OnceGone run={choice.gone} />
				</DropdownMenu.Content>
			</DropdownMenu.Portal>
		</DropdownMenu>
	)
}
