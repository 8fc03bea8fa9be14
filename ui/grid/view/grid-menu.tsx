import { ContextMenu } from '@kobalte/core/context-menu'
import ArrowDown from 'lucide-solid/icons/arrow-down'
import ArrowDownUp from 'lucide-solid/icons/arrow-down-up'
import ArrowLeft from 'lucide-solid/icons/arrow-left'
import ArrowRight from 'lucide-solid/icons/arrow-right'
import ArrowUp from 'lucide-solid/icons/arrow-up'
import ChevronRight from 'lucide-solid/icons/chevron-right'
import Copy from 'lucide-solid/icons/copy'
import Ellipsis from 'lucide-solid/icons/ellipsis'
import EyeOff from 'lucide-solid/icons/eye-off'
import MoveHorizontal from 'lucide-solid/icons/move-horizontal'
import Pin from 'lucide-solid/icons/pin'
import PinOff from 'lucide-solid/icons/pin-off'
import UnfoldHorizontal from 'lucide-solid/icons/unfold-horizontal'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { type MenuEntry, MenuFace } from '../../controls/context-menu.tsx'
import { choiceOnceGone, OnceGone } from '../../controls/focus-return.ts'
import type { GridFeature } from '../feature.ts'
import type { GridModel } from '../model.ts'
import { type GridCommand, inMenu } from './grid-commands.ts'

/** Opens the context menu of an element, as a right click there does. */
export function openMenuAt(element: Element): void {
	const { left, bottom } = element.getBoundingClientRect()
	const at = { clientX: left + 8, clientY: bottom - 2 }
	element.dispatchEvent(new MouseEvent('contextmenu', { ...at, bubbles: true, cancelable: true }))
}

/** The menu of the selected cells, from the command table, or of the column whose header it was opened on. */
export function GridMenu(props: {
	readonly grid: GridModel
	readonly features: readonly GridFeature[]
	readonly commands: readonly GridCommand[]
	onFit(names: readonly string[]): void
	readonly children: JSX.Element
}): JSX.Element {
	const [header, setHeader] = createSignal<string>()
	const choice = choiceOnceGone()
	return (
		<ContextMenu modal={false} preventScroll onOpenChange={choice.turned}>
			<ContextMenu.Trigger
				class="grid-menu-trigger"
				onContextMenu={event => {
					const asked = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-header]') : null
					setHeader(asked?.dataset.header)
				}}
			>
				{props.children}
			</ContextMenu.Trigger>
			<ContextMenu.Portal>
				<ContextMenu.Content class="menu" onCloseAutoFocus={choice.gone}>
					<Show
						when={header()}
						keyed
						fallback={<CellItems commands={props.commands} features={props.features} onDialog={choice.choose} />}
					>
						{name => (
							<ColumnItems
								name={name}
								columns={props.grid.columns}
								entries={props.features.flatMap(feature => feature.columnEntries?.(name) ?? [])}
								onEntry={choice.choose}
								onFit={props.onFit}
							/>
						)}
					</Show>
					<OnceGone run={choice.gone} />
				</ContextMenu.Content>
			</ContextMenu.Portal>
		</ContextMenu>
	)
}

function CellItems(props: {
	readonly commands: readonly GridCommand[]
	readonly features: readonly GridFeature[]
	/** Runs what opens a dialog, once the menu is gone. */
	onDialog(open: () => void): void
}): JSX.Element {
	const entries = props.features.flatMap(feature => feature.cellEntries?.() ?? [])
	const items = props.features.flatMap(feature => feature.cellItems?.(props.onDialog) ?? [])
	const { shown, more } = inMenu(props.commands, entries.length + items.length)
	return (
		<>
			{items}
			<For each={entries}>{({ run, ...face }) => <Item {...face} onSelect={() => props.onDialog(run)} />}</For>
			<Show when={entries.length + items.length > 0}>
				<Line />
			</Show>
			<CommandItems commands={shown} onDialog={props.onDialog} />
			<Show when={more.length > 0}>
				<Line />
				<ContextMenu.Sub>
					<ContextMenu.SubTrigger class="menu-item">
						<MenuFace label="More" Icon={Ellipsis} />
						<ChevronRight size={14} />
					</ContextMenu.SubTrigger>
					<ContextMenu.Portal>
						<ContextMenu.SubContent class="menu">
							<CommandItems commands={more} onDialog={props.onDialog} />
						</ContextMenu.SubContent>
					</ContextMenu.Portal>
				</ContextMenu.Sub>
			</Show>
		</>
	)
}

/** Commands in their groups. */
function CommandItems(props: {
	readonly commands: readonly GridCommand[]
	onDialog(open: () => void): void
}): JSX.Element {
	return (
		<For each={props.commands}>
			{({ title, label = title, Icon, keys, section, opensDialog, run }, at) => (
				<>
					<Show when={at() > 0 && section !== props.commands[at() - 1]?.section}>
						<Line />
					</Show>
					<Item
						label={label}
						Icon={Icon}
						keys={keys?.[0]}
						onSelect={() => (opensDialog ? props.onDialog(run) : run())}
					/>
				</>
			)}
		</For>
	)
}

function ColumnItems(props: {
	readonly name: string
	readonly columns: GridModel['columns']
	/** Those of the features. */
	readonly entries: readonly MenuEntry[]
	/** Runs an entry that may open a dialog, once the menu is gone. */
	onEntry(run: () => void): void
	onFit(names: readonly string[]): void
}): JSX.Element {
	const { name, columns } = props
	const isSorted = columns.sorted(name) !== undefined
	const isPinned = columns.isPinned(name)
	return (
		<>
			<Item label="Sort ascending" Icon={ArrowUp} keys="Enter" onSelect={() => columns.sortBy(name, 'asc')} />
			<Item label="Sort descending" Icon={ArrowDown} onSelect={() => columns.sortBy(name, 'desc')} />
			<Item
				label="Add to the sort"
				Icon={ArrowDownUp}
				keys="Shift+Enter"
				onSelect={() => columns.toggleSort(name, true)}
			/>
			<Show when={isSorted}>
				<Item label="Remove from the sort" onSelect={() => columns.sortBy(name, undefined)} />
			</Show>
			<For each={props.entries}>{({ run, ...face }) => <Item {...face} onSelect={() => props.onEntry(run)} />}</For>
			<Line />
			<Item
				label={isPinned ? 'Unpin' : 'Pin to the left'}
				Icon={isPinned ? PinOff : Pin}
				onSelect={() => columns.pin(name, !isPinned)}
			/>
			<Item label="Move left" Icon={ArrowLeft} keys="Alt+ArrowLeft" onSelect={() => columns.move(name, -1)} />
			<Item label="Move right" Icon={ArrowRight} keys="Alt+ArrowRight" onSelect={() => columns.move(name, 1)} />
			<Item label="Fit to content" Icon={MoveHorizontal} onSelect={() => props.onFit([name])} />
			<Item label="Fit all columns" Icon={UnfoldHorizontal} onSelect={() => props.onFit(columns.names())} />
			<Line />
			<Item label="Copy name" Icon={Copy} onSelect={() => void navigator.clipboard.writeText(columns.title(name))} />
			<Item label="Hide column" Icon={EyeOff} onSelect={() => columns.show([name], false)} />
		</>
	)
}

const Line = () => <ContextMenu.Separator class="menu-line" />

function Item(props: Pick<MenuEntry, 'label' | 'keys' | 'Icon'> & { onSelect(): void }): JSX.Element {
	return (
		<ContextMenu.Item class="menu-item" onSelect={() => props.onSelect()}>
			<MenuFace {...props} />
		</ContextMenu.Item>
	)
}
