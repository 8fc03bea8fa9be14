import Ellipsis from 'lucide-solid/icons/ellipsis'
import type { JSX } from 'solid-js'
import { MenuEntries, type MenuEntry } from './context-menu.tsx'
import { MenuButton } from './menu-button.tsx'

/** The last button of a toolbar: a menu of what has no button there. */
export function MoreMenu(props: { readonly entries: readonly (MenuEntry | 'line')[] }): JSX.Element {
	return (
		<MenuButton
			class="icon-button"
			label="More"
			isIcon
			placement="bottom-end"
			face={<Ellipsis size={15} />}
			entries={choose => <MenuEntries entries={props.entries} choose={choose} />}
		/>
	)
}
