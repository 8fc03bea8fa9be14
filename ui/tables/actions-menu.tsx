import { DropdownMenu } from '@kobalte/core/dropdown-menu'
import ChevronDown from 'lucide-solid/icons/chevron-down'
import { For, type JSX, Show } from 'solid-js'
import type { TableAction } from '../../host/api/api.ts'
import { type MenuEntry, MenuFace } from '../controls/context-menu.tsx'
import { MenuButton } from '../controls/menu-button.tsx'
import { useHost } from '../state/host.tsx'
import { createTask } from '../state/task.ts'

interface Offer {
	readonly connection: string
	/** None: what creates a table. */
	readonly tables: readonly string[]
	/** Actions of the window, above those of the driver. */
	readonly entries?: readonly MenuEntry[] | undefined
	/** What the user cannot see of this choice. */
	readonly note?: string | undefined
	onChoose(action: TableAction, tables: readonly string[]): void
}

/** What the driver offers for tables, as items of a menu. They are read each time the menu opens. */
export function ActionItems(props: Offer & { choose(run: () => void): void }): JSX.Element {
	const host = useHost()
	const reading = createTask(call =>
		host.call('tables.actions', { connection: props.connection, tables: props.tables }, call),
	)
	void reading.run()
	// Kobalte has one component for the items of a menu and of a context menu.
	return (
		<>
			<Show when={props.note}>
				<p class="menu-note">{props.note}</p>
			</Show>
			<For each={props.entries}>
				{entry => (
					<DropdownMenu.Item
						class="menu-item"
						disabled={entry.isDisabled === true}
						onSelect={() => props.choose(entry.run)}
					>
						<MenuFace {...entry} />
					</DropdownMenu.Item>
				)}
			</For>
			<Show when={reading.value()} fallback={<p class="menu-note">{reading.error() ?? 'Reading …'}</p>}>
				{actions => (
					<For
						each={actions()}
						fallback={
							<Show when={props.entries === undefined}>
								<p class="menu-note">The driver offers nothing for this choice.</p>
							</Show>
						}
					>
						{action => (
							<DropdownMenu.Item
								class="menu-item"
								onSelect={() => props.choose(() => props.onChoose(action, props.tables))}
							>
								<MenuFace label={action.label} />
							</DropdownMenu.Item>
						)}
					</For>
				)}
			</Show>
		</>
	)
}

/** The actions as the menu of a button. */
export function ActionsMenu(props: Offer & { readonly label: string }): JSX.Element {
	return (
		<MenuButton
			class="button small"
			label={props.label}
			face={
				<>
					{props.label}
					<ChevronDown size={13} />
				</>
			}
			entries={choose => <ActionItems {...props} choose={choose} />}
		/>
	)
}
