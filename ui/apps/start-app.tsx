import './apps.css'
import { type JSX, Show } from 'solid-js'
import { render } from 'solid-js/web'
import { connectToHost, type HostLink } from './host-link.ts'

/** Starts an app: a page that an AI client shows in its chat for a call of a tool. */
export function startApp(name: string, View: (props: { readonly host: HostLink }) => JSX.Element): void {
	const host = connectToHost(name)
	render(
		() => (
			<main>
				<View host={host} />
				<Show when={host.isCancelled() && host.outcome() === undefined}>
					<p class="quiet">The call was cancelled.</p>
				</Show>
			</main>
		),
		document.body,
	)
	void host.start()
}

/** What went wrong, with the reason of the host. */
export function Failure(props: { readonly text: string | undefined }): JSX.Element {
	return (
		<Show when={props.text}>
			{text => (
				<p class="failure" role="alert">
					{text()}
				</p>
			)}
		</Show>
	)
}
