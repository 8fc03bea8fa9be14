import { ContextMenu } from '@kobalte/core/context-menu'
import { For, type JSX, Show } from 'solid-js'
import { keysText } from '../words/keys.ts'
import { choiceOnceGone, OnceGone } from './focus-return.ts'

/** An entry of a menu. */
export interface MenuEntry {
	readonly label: string
	/** Its keys (ui/words/keys.ts). */
	readonly keys?: string | undefined
	/** It deletes something permanently. */
	readonly isDanger?: boolean
	readonly isDisabled?: boolean
	run(): void
}

/** A context menu: opened by a right click, Shift+F10 or the menu key. */
export function WithMenu(props: {
	/** What it belongs to, for example `books`. */
	readonly label: string
	/** Called when it opens. Groups are separated by a line. */
	entries(): readonly (MenuEntry | 'line')[]
	readonly class?: string
	readonly children: JSX.Element
}): JSX.Element {
	const choice = choiceOnceGone()
	return (
		// A modal menu hides the window from screen readers while Tab still stops at elements outside of its entries.
		<ContextMenu modal={false} preventScroll onOpenChange={choice.turned}>
			<ContextMenu.Trigger class={props.class}>{props.children}</ContextMenu.Trigger>
			<ContextMenu.Portal>
				<ContextMenu.Content class="menu" aria-label={props.label} onCloseAutoFocus={choice.gone}>
					<For each={props.entries()}>
						{entry => (
							<Show when={entry !== 'line' && entry} fallback={<ContextMenu.Separator class="menu-line" />}>
								{item => (
									<ContextMenu.Item
										class="menu-item"
										classList={{ danger: item().isDanger === true }}
										disabled={item().isDisabled === true}
										onSelect={() => choice.choose(item().run)}
									>
										<span>{item().label}</span>
										<span class="menu-keys">{keysText(item().keys ?? '')}</span>
									</ContextMenu.Item>
								)}
							</Show>
						)}
					</For>
					<OnceGone run={choice.gone} />
				</ContextMenu.Content>
			</ContextMenu.Portal>
		</ContextMenu>
	)
}
