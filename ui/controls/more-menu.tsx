import { DropdownMenu } from '@kobalte/core/dropdown-menu'
import Ellipsis from 'lucide-solid/icons/ellipsis'
import { createSignal, type JSX } from 'solid-js'
import { MenuEntries, type MenuEntry } from './context-menu.tsx'
import { choiceOnceGone, OnceGone } from './focus-return.ts'

/** The last button of a toolbar: a menu of what has no button there. */
export function MoreMenu(props: { readonly entries: readonly (MenuEntry | 'line')[] }): JSX.Element {
	const choice = choiceOnceGone()
	const [isOpen, setOpen] = createSignal(false)
	function turn(open: boolean): void {
		choice.turned(open)
		setOpen(open)
	}
	return (
		<DropdownMenu open={isOpen()} onOpenChange={turn} modal={false} placement="bottom-end">
			<DropdownMenu.Trigger class="icon-button" aria-label="More" title="More">
				<Ellipsis size={15} />
			</DropdownMenu.Trigger>
			<DropdownMenu.Portal>
				<DropdownMenu.Content class="menu" aria-label="More" onCloseAutoFocus={choice.gone}>
					<MenuEntries entries={props.entries} choose={choice.choose} />
					<OnceGone run={choice.gone} />
				</DropdownMenu.Content>
			</DropdownMenu.Portal>
		</DropdownMenu>
	)
}
