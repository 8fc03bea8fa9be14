import { DropdownMenu } from '@kobalte/core/dropdown-menu'
import ChevronDown from 'lucide-solid/icons/chevron-down'
import { createSignal, For, type JSX, Show } from 'solid-js'
import type { TableAction } from '../../host/api/api.ts'
import { choiceOnceGone, OnceGone } from '../controls/focus-return.ts'
import { useHost } from '../state/host.tsx'
import { createTask } from '../state/task.ts'

/** What the driver offers for tables, read each time the menu opens. */
export function ActionsMenu(props: {
	readonly connection: string
	readonly label: string
	/** None: what creates a table. */
	readonly tables: readonly string[]
	onChoose(action: TableAction, tables: readonly string[]): void
}): JSX.Element {
	const host = useHost()
	const [isOpen, setOpen] = createSignal(false)
	const choice = choiceOnceGone()
	const reading = createTask(call =>
		host.call('tables.actions', { connection: props.connection, tables: props.tables }, call),
	)
	function turn(open: boolean): void {
		choice.turned(open)
		setOpen(open)
		if (open) {
			reading.clear()
			void reading.run()
		}
	}
	return (
		<DropdownMenu open={isOpen()} onOpenChange={turn} modal={false}>
			<DropdownMenu.Trigger class="button small">
				{props.label}
				<ChevronDown size={13} />
			</DropdownMenu.Trigger>
			<DropdownMenu.Portal>
				<DropdownMenu.Content class="menu" aria-label={props.label} onCloseAutoFocus={choice.gone}>
					<Show when={reading.value()} fallback={<p class="menu-note">{reading.error() ?? 'Reading …'}</p>}>
						{actions => (
							<For each={actions()} fallback={<p class="menu-note">The driver offers nothing for this choice.</p>}>
								{action => (
									<DropdownMenu.Item
										class="menu-item"
										onSelect={() => choice.choose(() => props.onChoose(action, props.tables))}
									>
										{action.label}
									</DropdownMenu.Item>
								)}
							</For>
						)}
					</Show>
					<OnceGone run={choice.gone} />
				</DropdownMenu.Content>
			</DropdownMenu.Portal>
		</DropdownMenu>
	)
}
