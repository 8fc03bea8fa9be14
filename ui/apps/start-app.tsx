import './apps.css'
import type { JsonObject } from '@roundhouse/kit/json'
import { type JSX, Show } from 'solid-js'
import { render } from 'solid-js/web'
import { connectToHost, type HostLink, type ToolOutcome, textIn } from './host-link.ts'
import { nameText } from './shown-text.ts'

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
				<Show when={host.outcome()?.isRounded}>
					<p class="quiet">This client did not pass the exact text of the result. Long numbers may be rounded.</p>
				</Show>
			</main>
		),
		document.body,
	)
	void host.start()
}

/** The title of a call: its table, and its connection if the arguments name it. */
export function CallTitle(props: {
	readonly input: JsonObject | undefined
	/** What the call does to the table. */
	readonly prefix?: string
	/** The title of a call without a table. */
	readonly name?: string
}): JSX.Element {
	return (
		<h1>
			{props.prefix}
			<bdi>{nameText(textIn(props.input?.table) ?? props.name ?? '')}</bdi>
			<Show when={textIn(props.input?.connection_id)}>
				{name => (
					<span class="quiet">
						{' '}
						on <bdi>{nameText(name())}</bdi>
					</span>
				)}
			</Show>
		</h1>
	)
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

/** A result that the client did not pass in a readable form. */
export const unreadable = (outcome: ToolOutcome | undefined) =>
	outcome && outcome.failure === undefined && outcome.value === undefined
		? 'This client did not pass the result of the call.'
		: undefined
