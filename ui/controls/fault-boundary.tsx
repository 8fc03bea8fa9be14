import CircleAlert from 'lucide-solid/icons/circle-alert'
import { ErrorBoundary, For, type JSX, Show } from 'solid-js'
import { messageOf } from '../words/message-of.ts'
import { copyText } from './copy-button.tsx'

/** Keeps a fault of one part from taking its neighbours along: the part says that it broke, and offers the ways out. */
export function FaultBoundary(props: {
	/** What breaks, as a sentence begins: "This tab". */
	readonly what: string
	/** Out of here, beside trying again: closing what broke. */
	readonly wayOut?: { readonly label: string; run(): void } | undefined
	/** `false` while the part is out of sight. */
	readonly isShown?: boolean
	readonly children: JSX.Element
}): JSX.Element {
	return (
		<ErrorBoundary
			fallback={(error: unknown, reset) => {
				const ways = () => [
					{ label: 'Try again', run: reset },
					...(props.wayOut ? [props.wayOut] : []),
					{ label: 'Copy the details', run: () => void copyText(detailsOf(error)) },
				]
				return (
					<Show when={props.isShown ?? true}>
						<div class="notice notice-error" role="alert" aria-label={`${props.what} broke`}>
							<CircleAlert size={16} />
							<span class="notice-text">
								{props.what} broke: {messageOf(error)}
							</span>
							<For each={ways()}>
								{({ label, run }) => (
									<button type="button" class="button small" onClick={() => run()}>
										{label}
									</button>
								)}
							</For>
						</div>
					</Show>
				)
			}}
		>
			{props.children}
		</ErrorBoundary>
	)
}

/** What whoever mends it needs. */
const detailsOf = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error))
