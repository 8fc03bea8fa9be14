import CircleAlert from 'lucide-solid/icons/circle-alert'
import Info from 'lucide-solid/icons/info'
import { For, type JSX, Show } from 'solid-js'

/** A notice for the user: an error with the next step, or information. */
export function Notice(props: {
	readonly kind: 'error' | 'info'
	readonly children: JSX.Element
	readonly action?: { readonly label: string; run(): void } | undefined
	/** Stands before it. */
	readonly other?: { readonly label: string; run(): void } | undefined
}): JSX.Element {
	return (
		<div class={`notice notice-${props.kind}`} role={props.kind === 'error' ? 'alert' : 'status'}>
			<Show when={props.kind === 'error'} fallback={<Info size={16} />}>
				<CircleAlert size={16} />
			</Show>
			<span class="notice-text">{props.children}</span>
			<For each={[props.other, props.action].filter(action => action !== undefined)}>
				{action => (
					<button type="button" class="button small" onClick={() => action.run()}>
						{action.label}
					</button>
				)}
			</For>
		</div>
	)
}
