import { type JSX, Show } from 'solid-js'
import { Notice } from './notice.tsx'

/** Shows why a read failed, with a way to retry. */
export function Failure(props: {
	readonly of: { error(): string | undefined; retry(): void }
	/** The same error is shown elsewhere. */
	readonly isSilent?: boolean
}): JSX.Element {
	return (
		<Show when={!props.isSilent && props.of.error()}>
			{message => (
				<Notice kind="error" action={{ label: 'Try again', run: () => props.of.retry() }}>
					{message()}
				</Notice>
			)}
		</Show>
	)
}
