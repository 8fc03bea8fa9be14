import X from 'lucide-solid/icons/x'
import { For, type JSX, Show } from 'solid-js'
import type { ConnectionView } from '../../host/api/api.ts'
import { IconButton } from '../controls/icon-button.tsx'
import { ProxyFields } from '../controls/proxy-fields.tsx'

export type Network = Pick<ConnectionView, 'reach' | 'proxy'>

/** The connection's proxy, and the user's answers about addresses outside of the form. */
export function NetworkFields(props: { readonly network: Network; onChange(network: Network): void }): JSX.Element {
	const { reach } = props.network
	const setProxy = (proxy: Network['proxy']) => props.onChange({ reach: props.network.reach, ...(proxy && { proxy }) })
	const forget = (at: number) =>
		props.onChange({ ...props.network, reach: props.network.reach.filter((_, index) => index !== at) })
	return (
		<fieldset class="section">
			<legend>Network</legend>
			<ProxyFields value={props.network.proxy} hasDefault onChange={setProxy} />
			<Show when={reach.length > 0}>
				<div class="field">
					<span>Other addresses</span>
					<ul class="reach-list">
						<For each={props.network.reach}>
							{({ host, port, isAllowed }, index) => (
								<li>
									<code>
										{host.includes(':') ? `[${host}]` : host}:{port}
									</code>
									<span class="quiet">{isAllowed ? 'allowed' : 'refused'}</span>
									<IconButton label={`Forget ${host}:${port}, and ask again`} onClick={() => forget(index())}>
										<X size={14} />
									</IconButton>
								</li>
							)}
						</For>
					</ul>
				</div>
			</Show>
		</fieldset>
	)
}
