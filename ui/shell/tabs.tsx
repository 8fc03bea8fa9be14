import X from 'lucide-solid/icons/x'
import { For, type JSX, Show } from 'solid-js'
import { counted } from '../controls/format.ts'
import { IconButton } from '../controls/icon-button.tsx'
import type { Tab } from '../state/workspace.ts'

export function Tabs(props: {
	readonly tabs: readonly Tab[]
	readonly active: string | undefined
	/** How many changes of each tab are not saved. */
	readonly staged: Readonly<Record<string, number>>
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
							title={`${tab.title} · ${tab.connectionName}`}
							onClick={() => props.onActivate(tab.id)}
							onAuxClick={event => event.button === 1 && props.onClose(tab.id)}
						>
							{tab.title}
							<Show when={props.staged[tab.id]}>
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
