import { ContextMenu } from '@kobalte/core/context-menu'
import { For, type JSX, Show } from 'solid-js'
import { keysText } from '../words/keys.ts'
import { choiceOnceGone, OnceGone } from './focus-return.ts'

/** A line of a menu. */
export interface MenuEntry {
	readonly label: string
	/** How else it is done (ui/words/keys.ts). */
	readonly keys?: string | undefined
	/** It takes something away for good. */
	readonly isDanger?: boolean
	readonly isDisabled?: boolean
	run(): void
}

/** What can be done with something: by a right click, by Shift+F10 and by the menu key. */
export function WithMenu(props: {
	/** Of what: `books`. */
	readonly label: string
	/** Asked for when it opens; a line stands between groups. */
	entries(): readonly (MenuEntry | 'line')[]
	readonly class?: string
	readonly children: JSX.Element
}): JSX.Element {
	const choice = choiceOnceGone()
	return (
		// A modal one hides the window from screen readers while its menu has stops of Tab that are no entries.
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
