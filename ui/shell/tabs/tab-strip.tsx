import X from 'lucide-solid/icons/x'
import { For, type JSX, Show } from 'solid-js'
import { IconButton } from '../../controls/icon-button.tsx'
import { counted } from '../../words/format.ts'
import type { Tab } from './tab-kinds.tsx'

/** The names of the open tabs. */
export function TabStrip(props: {
	readonly tabs: readonly Tab[]
	readonly active: string | undefined
	/** How many changes of a tab are not saved. */
	staged(id: string): number
	onActivate(id: string): void
	onClose(id: string): void
}): JSX.Element {
	return (
		<div class="tabs" role="tablist" aria-label="Open tables">
			<For each={props.tabs}>
				{tab => (
					<div class="tab" classList={{ active: props.active === tab.id }}>
						<button
							type="button"
							role="tab"
							class="tab-name"
							aria-selected={props.active === tab.id}
							title={`${tab.title} · ${tab.connection.name}`}
							onClick={() => props.onActivate(tab.id)}
							onAuxClick={event => event.button === 1 && props.onClose(tab.id)}
						>
							{tab.title}
							<Show when={props.staged(tab.id)}>
								{staged => (
									<span class="tab-dot" title={`${counted(staged(), { one: 'change', many: 'changes' })} not saved`} />
								)}
							</Show>
						</button>
						<IconButton label={`Close ${tab.title}`} isSmall onClick={() => props.onClose(tab.id)}>
							<X size={13} />
						</IconButton>
					</div>
				)}
			</For>
		</div>
	)
}
