import { createEffect, createSignal, createUniqueId, Index, type JSX, on, Show } from 'solid-js'
import type { OfferedTool, OfferParameter, OfferView, PendingShowing, SavedRequest } from '../../host/api/api.ts'
import { Dialog } from '../controls/dialog.tsx'
import { Failure } from '../controls/failure.tsx'
import { Notice } from '../controls/notice.tsx'
import { showToast } from '../controls/toasts.tsx'
import { useHost } from '../state/host.tsx'
import { createReading, createTask } from '../state/task.ts'
import { OfferParameterFields } from './offer-parameter.tsx'

type ProposedTool = Extract<PendingShowing['shown'], { readonly kind: 'tool' }>['tool']

/** Makes a tool for AI clients of a saved request: its name, its purpose, and what each `{{place}}` accepts. */
export function OfferSheet(props: {
	readonly connection: { readonly id: string; readonly name: string }
	/** The engine's term for the saved statement. */
	readonly noun: string
	readonly request: SavedRequest
	/** What an AI client proposes. The user changes it, and offers it or not. */
	readonly proposal?: ProposedTool
	onClose(): void
}): JSX.Element {
	const host = useHost()
	const id = createUniqueId()
	const file = () => ({
		connection: props.connection.id,
		place: props.request.place,
		path: props.request.path,
	})
	const [name, setName] = createSignal(props.proposal?.name ?? toolName(props.request.name))
	const [description, setDescription] = createSignal(props.proposal?.description ?? '')
	const [parameters, setParameters] = createSignal<readonly OfferParameter[]>([])
	const reading = createReading(call => host.call('offers.look', file(), call))
	createEffect(
		on(
			() => reading.value(),
			view => {
				if (!view) return
				if (view.offer) {
					setName(view.offer.name)
					setDescription(view.offer.description)
				}
				const known = (place: string) => (view.offer ?? props.proposal)?.parameters.find(({ name }) => name === place)
				setParameters(view.names.map(place => known(place) ?? { name: place, type: 'text', description: '' }))
			},
		),
	)
	const change = (index: number, parameter: OfferParameter) =>
		setParameters(all => all.map((other, at) => (at === index ? parameter : other)))
	const making = createTask(async () => {
		const seen = reading.value()?.version ?? ''
		const tool: OfferedTool = { name: name().trim(), description: description().trim(), parameters: [...parameters()] }
		await host.call('offers.make', { ...file(), seen, tool })
		showToast(`AI clients can now use ${tool.name}.`)
		props.onClose()
	})
	const withdrawing = createTask(async () => {
		await host.call('offers.withdraw', file())
		showToast('AI clients can no longer use it.')
		props.onClose()
	})
	const isOffered = () => reading.value()?.offer !== undefined

	return (
		<Dialog title={`Offer ${props.request.name} to AI`} size="wide" holdsTyped onClose={props.onClose}>
			<form
				class="form"
				onSubmit={event => {
					event.preventDefault()
					void making.run()
				}}
			>
				<div class="dialog-body">
					<Failure of={reading} />
					<Show when={reading.value()}>
						{view => (
							<>
								<OfferedStatement view={view()} noun={props.noun} connectionName={props.connection.name} />
								<Show when={view().fault === undefined}>
									<div class="field">
										<label for={`${id}-name`}>Tool</label>
										<input
											id={`${id}-name`}
											autocomplete="off"
											spellcheck={false}
											maxLength={60}
											value={name()}
											onInput={event => setName(event.currentTarget.value)}
										/>
									</div>
									<div class="field">
										<label for={`${id}-description`}>Description for the model</label>
										<textarea
											id={`${id}-description`}
											rows={2}
											maxLength={500}
											placeholder="A model uses this to decide when to call it"
											value={description()}
											onInput={event => setDescription(event.currentTarget.value)}
										/>
									</div>
									<Index each={parameters()}>
										{(parameter, index) => (
											<OfferParameterFields parameter={parameter()} onChange={changed => change(index, changed)} />
										)}
									</Index>
								</Show>
							</>
						)}
					</Show>
				</div>
				<footer class="dialog-foot">
					<div class="foot-message">
						<Show when={making.error() ?? withdrawing.error()}>
							{message => <Notice kind="error">{message()}</Notice>}
						</Show>
					</div>
					<Show when={isOffered()}>
						<button type="button" class="button" onClick={() => void withdrawing.run()}>
							Withdraw
						</button>
					</Show>
					<button type="button" class="button" onClick={() => props.onClose()}>
						Cancel
					</button>
					<button
						type="submit"
						class="button primary"
						disabled={reading.value()?.access === undefined || making.isRunning()}
					>
						{isOffered() ? 'Offer again' : 'Offer'}
					</button>
				</footer>
			</form>
		</Dialog>
	)
}

/** What the tool would run, and whether it reads or writes. */
function OfferedStatement(props: {
	readonly view: OfferView
	readonly noun: string
	readonly connectionName: string
}): JSX.Element {
	return (
		<>
			<Show when={props.view.isChanged}>
				<Notice kind="error">Changed since it was offered. Clients get it again after you offer it again.</Notice>
			</Show>
			<Show when={props.view.fault}>{fault => <Notice kind="error">{fault()}</Notice>}</Show>
			<p class="quiet">
				<Show when={props.view.access}>
					{access => (
						<>
							<span class="badge" classList={{ positive: access() === 'read' }}>
								{access() === 'read' ? 'Reads' : 'Writes, and asks each time'}
							</span>{' '}
						</>
					)}
				</Show>
				Always on {props.connectionName}, and always this {props.noun}:
			</p>
			<div class="code-box offer-text">
				<pre tabindex={0}>{props.view.text}</pre>
			</div>
		</>
	)
}

/** `Errors per day` → `errors_per_day`. */
function toolName(name: string): string {
	const word = name
		.normalize('NFKD')
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, '_')
		.replace(/^[_0-9]+|_+$/g, '')
	return word.slice(0, 60)
}
