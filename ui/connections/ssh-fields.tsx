import { createUniqueId, For, type JSX, Show } from 'solid-js'
import type { ConnectionView } from '../../host/api/api.ts'
import { useHost } from '../state/host.tsx'
import { createReading } from '../state/task.ts'
import { PathButton } from './path-picker.tsx'

type Ssh = NonNullable<ConnectionView['ssh']>

/** Where `ssh` leads a connection. Its own configuration says how, so few fields are enough. */
export function SshFields(props: {
	readonly value: Ssh | undefined
	onChange(value: Ssh | undefined): void
}): JSX.Element {
	const id = createUniqueId()
	const host = useHost()
	const names = createReading(call => host.call('connections.sshNames', {}, call))
	const change = (changed: Partial<Record<keyof Ssh, string>>) => {
		const { destination = '', identityFile, jump } = { ...props.value, ...changed }
		props.onChange({ destination, ...(identityFile && { identityFile }), ...(jump && { jump }) })
	}
	return (
		<>
			<div class="field inline">
				<label for={id}>Through SSH</label>
				<input
					id={id}
					type="checkbox"
					checked={props.value !== undefined}
					onChange={event => props.onChange(event.currentTarget.checked ? { destination: '' } : undefined)}
				/>
			</div>
			<Show when={props.value}>
				{value => (
					<>
						<div class="field">
							<label for={`${id}-to`}>SSH server</label>
							<input
								id={`${id}-to`}
								list={`${id}-names`}
								autocomplete="off"
								spellcheck={false}
								placeholder="user@host:port, or a name of ~/.ssh/config"
								value={value().destination}
								aria-describedby={`${id}-help`}
								onInput={event => change({ destination: event.currentTarget.value.trim() })}
							/>
							<datalist id={`${id}-names`}>
								<For each={names.value() ?? []}>{name => <option value={name} />}</For>
							</datalist>
							<p id={`${id}-help`} class="field-help">
								The addresses above are those that this server reaches: localhost is the server itself. The ssh of this
								machine opens the way, with its agent, keys and configuration.
							</p>
						</div>
						<div class="field">
							<label for={`${id}-key`}>Key file</label>
							<div class="field-input">
								<input
									id={`${id}-key`}
									autocomplete="off"
									spellcheck={false}
									placeholder="as ssh finds it"
									value={value().identityFile ?? ''}
									onInput={event => change({ identityFile: event.currentTarget.value })}
								/>
								<PathButton
									kind="file"
									label="Key file"
									value={value().identityFile ?? ''}
									onChoose={identityFile => change({ identityFile })}
								/>
							</div>
						</div>
						<div class="field">
							<label for={`${id}-jump`}>Jump hosts</label>
							<input
								id={`${id}-jump`}
								autocomplete="off"
								spellcheck={false}
								placeholder="none, or user@first,user@second"
								value={value().jump ?? ''}
								onInput={event => change({ jump: event.currentTarget.value.replaceAll(' ', '') })}
							/>
						</div>
					</>
				)}
			</Show>
		</>
	)
}
