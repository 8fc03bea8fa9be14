import { ContextMenu } from '@kobalte/core/context-menu'
import { createSignal, For, type JSX, Show, untrack } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { keysText } from '../words/keys.ts'
import { choiceOnceGone, OnceGone } from './focus-return.ts'

export interface MenuEntry {
	readonly label: string
	/** Its keys (ui/words/keys.ts). */
	readonly keys?: string | undefined
	/** It deletes something permanently. */
	readonly isDanger?: boolean
	readonly isDisabled?: boolean
	readonly Icon?: ((props: { readonly size: number }) => JSX.Element) | undefined
	/** Its icon is a button on the line that it acts on, too. */
	readonly isOnLine?: boolean
	run(): void
}

/** What a context menu shows: its name, for example `books`, and its entries. Groups are separated by a line. */
interface Menu {
	readonly label: string
	readonly entries: readonly (MenuEntry | 'line')[]
}

/** What an entry of a menu shows. The icons of a menu have one column, which a menu without icons has not. */
export function MenuFace(props: Pick<MenuEntry, 'label' | 'keys' | 'Icon'>): JSX.Element {
	return (
		<>
			<span class="menu-icon" aria-hidden="true">
				<Dynamic component={props.Icon} size={14} />
			</span>
			<span class="menu-label">{props.label}</span>
			<span class="menu-keys">{keysText(props.keys ?? '')}</span>
		</>
	)
}

/** The entries of a menu. Kobalte has one component for the items of each kind of menu. */
export function MenuEntries(props: {
	readonly entries: readonly (MenuEntry | 'line')[]
	choose(run: () => void): void
}): JSX.Element {
	return (
		<For each={props.entries}>
			{entry => (
				<Show when={entry !== 'line' && entry} fallback={<ContextMenu.Separator class="menu-line" />}>
					{item => (
						<ContextMenu.Item
							class="menu-item"
							classList={{ danger: item().isDanger === true }}
							disabled={item().isDisabled === true}
							onSelect={() => props.choose(item().run)}
						>
							<MenuFace {...item()} />
						</ContextMenu.Item>
					)}
				</Show>
			)}
		</For>
	)
}

/** A context menu: opened by a right click, Shift+F10 or the menu key. */
export function WithMenu(props: {
	/**
	 * Called when it opens, with the element that was clicked. An open menu keeps its entries, even if a reload moves
	 * another item to that element.
	 * @returns `undefined` if this element has no menu
	 */
	menu(at: Element): Menu | undefined
	readonly class?: string
	readonly children: JSX.Element
}): JSX.Element {
	const choice = choiceOnceGone()
	const [menu, setMenu] = createSignal<Menu>()
	function onContextMenu(event: MouseEvent): void {
		const { target } = event
		const asked = target instanceof Element ? untrack(() => props.menu(target)) : undefined
		if (asked) setMenu(asked)
		else event.preventDefault()
	}
	return (
		// A modal menu hides the window from screen readers while Tab still stops at elements outside of its entries.
		<ContextMenu modal={false} preventScroll onOpenChange={choice.turned}>
			<ContextMenu.Trigger class={props.class} onContextMenu={onContextMenu}>
				{props.children}
			</ContextMenu.Trigger>
			<ContextMenu.Portal>
				<ContextMenu.Content class="menu" aria-label={menu()?.label} onCloseAutoFocus={choice.gone}>
					<MenuEntries entries={menu()?.entries ?? []} choose={choice.choose} />
					<OnceGone run={choice.gone} />
				</ContextMenu.Content>
			</ContextMenu.Portal>
		</ContextMenu>
	)
}
