import { createSignal, createUniqueId, For, type JSX, Show } from 'solid-js'
import type { RequestScope } from '../../host/api/api.ts'
import { Dialog } from '../controls/dialog.tsx'
import { Notice } from '../controls/notice.tsx'
import { createTask } from '../state/task.ts'

const placeWords: Readonly<Record<RequestScope, string>> = { own: 'This connection', shared: 'The shared folder' }

/** Asks for a name, and for a place if there is a choice. */
export function NameSheet(props: {
	readonly title: string
	readonly name: string
	readonly help: string
	readonly yes: string
	/** A single place is no choice. */
	readonly places?: readonly RequestScope[]
	/** The sheet closes on success and shows the reason of a failure. */
	onName(name: string, place: RequestScope): Promise<void>
	onClose(): void
}): JSX.Element {
	const id = createUniqueId()
	const [name, setName] = createSignal(props.name)
	const [place, setPlace] = createSignal<RequestScope>(props.places?.[0] ?? 'own')
	const naming = createTask(async () => {
		await props.onName(name(), place())
		props.onClose()
	})
	return (
		<Dialog title={props.title} holdsTyped onClose={props.onClose}>
			<form
				class="form"
				onSubmit={event => {
					event.preventDefault()
					void naming.run()
				}}
			>
				<div class="dialog-body">
					<div class="field">
						<label for={id}>Name</label>
						<input
							id={id}
							autocomplete="off"
							spellcheck={false}
							maxLength={500}
							aria-describedby={`${id}-help`}
							value={name()}
							onInput={event => setName(event.currentTarget.value)}
						/>
						<p id={`${id}-help`} class="field-help">
							{props.help}
						</p>
					</div>
					<Show when={(props.places?.length ?? 0) > 1}>
						<div class="field">
							<label for={`${id}-place`}>Kept in</label>
							<select
								id={`${id}-place`}
								value={place()}
								onChange={event => setPlace(event.currentTarget.value as RequestScope)}
							>
								<For each={props.places}>{one => <option value={one}>{placeWords[one]}</option>}</For>
							</select>
						</div>
					</Show>
					<Show when={naming.error()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
				</div>
				<footer class="dialog-foot">
					<button type="button" class="button" onClick={() => props.onClose()}>
						Cancel
					</button>
					<button type="submit" class="button primary" disabled={name().trim() === '' || naming.isRunning()}>
						{props.yes}
					</button>
				</footer>
			</form>
		</Dialog>
	)
}
