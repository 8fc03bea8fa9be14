import { ContextMenu } from '@kobalte/core/context-menu'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { choiceOnceGone, OnceGone } from '../../controls/focus-return.ts'
import { useEngine } from '../../state/engine.tsx'
import { keysText } from '../../words/keys.ts'
import type { GridColumns } from '../columns/grid-columns.ts'
import { type CopyFormat, copyFormats } from '../export/copy.ts'

export interface MenuActions {
	openRow(): void
	edit(): void
	openValue(): void
	copy(format: CopyFormat): void
	copyAs(): void
	paste(): void
	fillDown(): void
	setNull(): void
	removeField(): void
	toggleDeleted(): void
	goToRow(): void
	/** Of two selected rows. */
	compare(): void
	canCompare(): boolean
	/** Of a column, by its name. */
	filterBy(name: string): void
	fit(names: readonly string[]): void
}

/** Opens the menu of whatever stands at an element, as a right click there does. */
export function openMenuAt(element: Element): void {
	const { left, bottom } = element.getBoundingClientRect()
	const at = { clientX: left + 8, clientY: bottom - 2 }
	element.dispatchEvent(new MouseEvent('contextmenu', { ...at, bubbles: true, cancelable: true }))
}

/** What can be done with the selection, or with the column whose header it was asked of; the keys stand beside the words. */
export function GridMenu(props: {
	readonly actions: MenuActions
	readonly columns: GridColumns
	readonly children: JSX.Element
}): JSX.Element {
	const [header, setHeader] = createSignal<string>()
	const choice = choiceOnceGone()
	const leading = <A extends readonly unknown[]>(act: (...args: A) => void) => {
		return (...args: A) => choice.choose(() => act(...args))
	}
	const actions = (): MenuActions => ({
		...props.actions,
		copyAs: leading(props.actions.copyAs),
		goToRow: leading(props.actions.goToRow),
		compare: leading(props.actions.compare),
		filterBy: leading(props.actions.filterBy),
	})
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
					<Show when={header()} keyed fallback={<CellItems actions={actions()} />}>
						{name => <ColumnItems name={name} columns={props.columns} actions={actions()} />}
					</Show>
					<OnceGone run={choice.gone} />
				</ContextMenu.Content>
			</ContextMenu.Portal>
		</ContextMenu>
	)
}

function CellItems(props: { readonly actions: MenuActions }): JSX.Element {
	const { rowNoun } = useEngine()
	return (
		<>
			<Item label={`Open ${rowNoun.one}`} keys="Space" onSelect={props.actions.openRow} />
			<Show when={props.actions.canCompare()}>
				<Item label={`Compare the two ${rowNoun.many.toLowerCase()}`} onSelect={props.actions.compare} />
			</Show>
			<Item label="Edit" keys="Enter" onSelect={props.actions.edit} />
			<Item label="Open value" keys="Alt+Enter" onSelect={props.actions.openValue} />
			<Line />
			<For each={copyFormats}>
				{format => (
					<Item
						label={`Copy as ${format}`}
						keys={format === 'TSV' ? 'Mod+C' : ''}
						onSelect={() => props.actions.copy(format)}
					/>
				)}
			</For>
			<Item label="Copy as …" keys="Mod+Shift+C" onSelect={props.actions.copyAs} />
			<Item label="Paste" keys="Mod+V" onSelect={props.actions.paste} />
			<Line />
			<Item label="Fill down" keys="Mod+D" onSelect={props.actions.fillDown} />
			<Item label="Set null" onSelect={props.actions.setNull} />
			<Item label="Remove field" onSelect={props.actions.removeField} />
			<Item label="Delete or keep" keys="Delete" onSelect={props.actions.toggleDeleted} />
			<Line />
			<Item label="Go to row …" keys="Mod+G" onSelect={props.actions.goToRow} />
		</>
	)
}

function ColumnItems(props: {
	readonly name: string
	readonly columns: GridColumns
	readonly actions: MenuActions
}): JSX.Element {
	const { name, columns } = props
	const isSorted = columns.sorted(name) !== undefined
	const isPinned = columns.isPinned(name)
	return (
		<>
			<Item label="Sort ascending" keys="Enter" onSelect={() => columns.sortBy(name, 'asc')} />
			<Item label="Sort descending" onSelect={() => columns.sortBy(name, 'desc')} />
			<Item label="Add to the sort" keys="Shift+Enter" onSelect={() => columns.toggleSort(name, true)} />
			<Show when={isSorted}>
				<Item label="Do not sort by it" onSelect={() => columns.sortBy(name, undefined)} />
			</Show>
			<Item label="Filter by it" onSelect={() => props.actions.filterBy(name)} />
			<Line />
			<Item label={isPinned ? 'Unpin' : 'Pin to the left'} onSelect={() => columns.pin(name, !isPinned)} />
			<Item label="Move left" keys="Alt+ArrowLeft" onSelect={() => columns.move(name, -1)} />
			<Item label="Move right" keys="Alt+ArrowRight" onSelect={() => columns.move(name, 1)} />
			<Item label="Fit to content" onSelect={() => props.actions.fit([name])} />
			<Item label="Fit all columns" onSelect={() => props.actions.fit(columns.names())} />
			<Line />
			<Item label="Copy the name" onSelect={() => void navigator.clipboard.writeText(name)} />
			<Item label="Hide" onSelect={() => columns.show([name], false)} />
		</>
	)
}

const Line = () => <ContextMenu.Separator class="menu-line" />

function Item(props: { readonly label: string; readonly keys?: string; onSelect(): void }): JSX.Element {
	return (
		<ContextMenu.Item class="menu-item" onSelect={() => props.onSelect()}>
			<span>{props.label}</span>
			<span class="menu-keys">{keysText(props.keys ?? '')}</span>
		</ContextMenu.Item>
	)
}
