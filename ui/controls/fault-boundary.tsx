import CircleAlert from 'lucide-solid/icons/circle-alert'
import { ErrorBoundary, For, type JSX, Show } from 'solid-js'
import { messageOf } from '../words/message-of.ts'
import { copyText } from './copy-button.tsx'

/**
 * Contains a rendering error of one part: shows that the part failed and how to continue, so that its neighbours stay.
 */
export function FaultBoundary(props: {
	/** The part, at the start of a sentence: "This tab". */
	readonly what: string
	/** A way out beside "Try again", for example closing the part. */
	readonly recoveryAction?: { readonly label: string; run(): void } | undefined
	/** `false` while the part is hidden. */
	readonly isShown?: boolean
	readonly children: JSX.Element
}): JSX.Element {
	return (
		<ErrorBoundary
			fallback={(error: unknown, reset) => {
				const ways = () => [
					{ label: 'Try again', run: reset },
					...(props.recoveryAction ? [props.recoveryAction] : []),
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

/** Details for a bug report. */
const detailsOf = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error))
