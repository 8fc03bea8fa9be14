import Plus from 'lucide-solid/icons/plus'
import SettingsIcon from 'lucide-solid/icons/settings'
import type { JSX } from 'solid-js'
import { IconButton } from '../controls/icon-button.tsx'

export interface SidebarButtonsProps {
	onNew(): void
	onSettings(): void
}

/** What the sidebar and the rail have beside connections. */
export function SidebarButtons(props: SidebarButtonsProps): JSX.Element {
	return (
		<>
			<IconButton label="New connection" onClick={() => props.onNew()}>
				<Plus size={16} />
			</IconButton>
			<IconButton label="Settings" onClick={() => props.onSettings()}>
				<SettingsIcon size={16} />
			</IconButton>
		</>
	)
}
