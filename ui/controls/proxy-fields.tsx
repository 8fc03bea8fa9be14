import { createUniqueId, type JSX, Show } from 'solid-js'
import type { ProxySetting } from '../../host/api/api.ts'

/** `undefined` for a connection that uses the proxy of all connections. */
export function ProxyFields(props: {
	readonly value: ProxySetting | undefined
	/** Offers to use the proxy of all connections. */
	readonly hasDefault?: boolean
	onChange(value: ProxySetting | undefined): void
}): JSX.Element {
	const id = createUniqueId()
	const manual = () => (props.value?.mode === 'manual' ? props.value : undefined)
	const choose = (mode: string) => {
		if (mode === 'manual') props.onChange({ mode, url: '', except: '' })
		else props.onChange(mode === 'direct' || mode === 'machine' ? { mode } : undefined)
	}
	return (
		<>
			<div class="field">
				<label for={id}>Proxy</label>
				<select id={id} value={props.value?.mode ?? ''} onChange={event => choose(event.currentTarget.value)}>
					<Show when={props.hasDefault}>
						<option value="">As in Settings</option>
					</Show>
					<option value="machine">As set on this computer (HTTPS_PROXY, NO_PROXY)</option>
					<option value="direct">None</option>
					<option value="manual">This one</option>
				</select>
			</div>
			<Show when={manual()}>
				{value => (
					<>
						<div class="field">
							<label for={`${id}-url`}>Proxy address</label>
							<input
								id={`${id}-url`}
								autocomplete="off"
								spellcheck={false}
								placeholder="http://proxy:3128 or socks5://proxy:1080"
								value={value().url}
								onInput={event => props.onChange({ ...value(), url: event.currentTarget.value })}
							/>
						</div>
						<div class="field">
							<label for={`${id}-except`}>Exceptions</label>
							<input
								id={`${id}-except`}
								autocomplete="off"
								spellcheck={false}
								placeholder="example.org, 10.0.0.0/8"
								aria-describedby={`${id}-help`}
								value={value().except}
								onInput={event => props.onChange({ ...value(), except: event.currentTarget.value })}
							/>
							<p id={`${id}-help`} class="field-help">
								Host names with their subdomains, addresses and networks. This machine is always included.
							</p>
						</div>
					</>
				)}
			</Show>
		</>
	)
}
