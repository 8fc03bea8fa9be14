import PanelLeft from 'lucide-solid/icons/panel-left'
import { For, type JSX } from 'solid-js'
import type { ConnectionView } from '../../host/api/api.ts'
import { IconButton } from '../controls/icon-button.tsx'
import { connectionColour } from '../words/connection-colour.ts'
import { keysText } from '../words/keys.ts'
import { guardWords } from '../words/safe-mode.ts'
import { SidebarButtons, type SidebarButtonsProps } from './sidebar-buttons.tsx'

/** The folded sidebar: each connection as its first letters. */
export function Rail(
	props: SidebarButtonsProps & {
		readonly connections: readonly ConnectionView[]
		readonly active: string | undefined
		onOpen(connection: string): void
		onUnfold(): void
	},
): JSX.Element {
	return (
		<nav class="rail" aria-label="Connections">
			<IconButton
				label="Unfold the sidebar"
				tip={`Unfold the sidebar (${keysText('Mod+B')})`}
				onClick={() => props.onUnfold()}
			>
				<PanelLeft size={16} />
			</IconButton>
			<ul class="rail-connections">
				<For each={props.connections}>
					{connection => (
						<li>
							<button
								type="button"
								class="rail-connection"
								aria-label={connection.name}
								aria-current={connection.id === props.active}
								title={`${connection.name} · ${guardWords(connection)}`}
								style={{ background: connectionColour(connection) }}
								onClick={() => props.onOpen(connection.id)}
							>
								{initials(connection.name)}
							</button>
						</li>
					)}
				</For>
			</ul>
			<SidebarButtons onNew={props.onNew} onSettings={props.onSettings} />
		</nav>
	)
}

/** `SP` of `shop prod` and of `shop-prod`, `SA` of `Sample`. */
function initials(name: string): string {
	const [first = '', second] = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
	const letters = second === undefined ? [...first].slice(0, 2) : [...first].slice(0, 1).concat([...second].slice(0, 1))
	return letters.join('').toUpperCase()
}
