import Ellipsis from 'lucide-solid/icons/ellipsis'
import type { JSX } from 'solid-js'
import { MenuEntries, type MenuEntry } from './context-menu.tsx'
import { MenuButton } from './menu-button.tsx'

/** The last button of a toolbar or of a line: a menu of what has no button there. */
export function MoreMenu(props: {
	/** *More* in a toolbar, whose name tells the rest. */
	readonly label?: string
	readonly isSmall?: boolean
	/** Visible only while its line is hovered, or it is focused or open. */
	readonly isOnHover?: boolean
	readonly entries: readonly (MenuEntry | 'line')[]
}): JSX.Element {
	return (
		<MenuButton
			class={['icon-button', props.isSmall && 'small', props.isOnHover && 'on-hover'].filter(Boolean).join(' ')}
			label={props.label ?? 'More'}
			isIcon
			placement="bottom-end"
			face={<Ellipsis size={15} />}
			entries={choose => <MenuEntries entries={props.entries} choose={choose} />}
		/>
	)
}
