import { ContextMenu } from '@kobalte/core/context-menu'
import { DropdownMenu } from '@kobalte/core/dropdown-menu'
import ChevronDown from 'lucide-solid/icons/chevron-down'
import { createSignal, For, type JSX, Show } from 'solid-js'
import type { TableAction } from '../../host/api/api.ts'
import type { MenuEntry } from '../controls/context-menu.tsx'
import { choiceOnceGone, OnceGone } from '../controls/focus-return.ts'
import { useHost } from '../state/host.tsx'
import { createTask } from '../state/task.ts'

interface Offer {
	readonly connection: string
	readonly label: string
	/** None: what creates a table. */
	readonly tables: readonly string[]
	/** Actions of the window, above those of the driver. */
	readonly entries?: readonly MenuEntry[] | undefined
	/** What the user cannot see of this choice. */
	readonly note?: string | undefined
	onChoose(action: TableAction, tables: readonly string[]): void
}

/** What the driver offers for tables, read each time the menu opens. */
function createOffer(props: Offer) {
	const host = useHost()
	const choice = choiceOnceGone()
	const reading = createTask(call =>
		host.call('tables.actions', { connection: props.connection, tables: props.tables }, call),
	)
	return {
		turned(isOpen: boolean): void {
			choice.turned(isOpen)
			if (!isOpen) return
			reading.clear()
			void reading.run()
		},
		gone: choice.gone,
		/** Items of either menu: Kobalte has one component for both. */
		Items: () => (
			<>
				<Show when={props.note}>
					<p class="menu-note">{props.note}</p>
				</Show>
				<For each={props.entries}>
					{entry => (
						<DropdownMenu.Item
							class="menu-item"
							disabled={entry.isDisabled === true}
							onSelect={() => choice.choose(entry.run)}
						>
							{entry.label}
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
									onSelect={() => choice.choose(() => props.onChoose(action, props.tables))}
								>
									{action.label}
								</DropdownMenu.Item>
							)}
						</For>
					)}
				</Show>
				<OnceGone run={choice.gone} />
			</>
		),
	}
}

/** The actions as the menu of a button. */
export function ActionsMenu(props: Offer): JSX.Element {
	const offer = createOffer(props)
	const [isOpen, setOpen] = createSignal(false)
	function turn(open: boolean): void {
		offer.turned(open)
		setOpen(open)
	}
	return (
		<DropdownMenu open={isOpen()} onOpenChange={turn} modal={false}>
			<DropdownMenu.Trigger class="button small">
				{props.label}
				<ChevronDown size={13} />
			</DropdownMenu.Trigger>
			<DropdownMenu.Portal>
				<DropdownMenu.Content class="menu" aria-label={props.label} onCloseAutoFocus={offer.gone}>
					<offer.Items />
				</DropdownMenu.Content>
			</DropdownMenu.Portal>
		</DropdownMenu>
	)
}

/** The same actions as a context menu of lines. */
export function WithActions(
	props: Offer & {
		/** Called before it opens, with the element that was clicked. @returns whether this element has the menu */
		hasMenu(at: Element): boolean
		readonly children: JSX.Element
	},
): JSX.Element {
	const offer = createOffer(props)
	return (
		<ContextMenu modal={false} preventScroll onOpenChange={offer.turned}>
			<ContextMenu.Trigger
				class="tables-grid-place"
				onContextMenu={(event: MouseEvent) => {
					if (!(event.target instanceof Element) || !props.hasMenu(event.target)) event.preventDefault()
				}}
			>
				{props.children}
			</ContextMenu.Trigger>
			<ContextMenu.Portal>
				<ContextMenu.Content class="menu" aria-label={props.label} onCloseAutoFocus={offer.gone}>
					<offer.Items />
				</ContextMenu.Content>
			</ContextMenu.Portal>
		</ContextMenu>
	)
}
