import X from 'lucide-solid/icons/x'
import { For, type JSX, Show } from 'solid-js'
import type { ConnectionView } from '../../host/api/api.ts'
import { IconButton } from '../controls/icon-button.tsx'
import { ProxyFields } from '../controls/proxy-fields.tsx'
import { SshFields } from './ssh-fields.tsx'

export type Network = Pick<ConnectionView, 'reach' | 'proxy' | 'ssh'>

/** The connection's tunnel and proxy, and the user's answers about addresses outside of the form. */
export function NetworkFields(props: {
	readonly network: Network
	/** Whether the driver's connections may be led through SSH. */
	readonly takesSsh: boolean
	onChange(network: Network): void
}): JSX.Element {
	const { reach } = props.network
	const set = (way: { readonly proxy?: Network['proxy'] | undefined; readonly ssh?: Network['ssh'] | undefined }) => {
		const { proxy, ssh, reach } = { ...props.network, ...way }
		props.onChange({ reach, ...(proxy && { proxy }), ...(ssh && { ssh }) })
	}
	const forget = (at: number) =>
		props.onChange({ ...props.network, reach: props.network.reach.filter((_, index) => index !== at) })
	return (
		<fieldset class="section">
			<legend>Network</legend>
			<Show when={props.takesSsh}>
				<SshFields value={props.network.ssh} onChange={ssh => set({ ssh })} />
			</Show>
			{/* SSH finds its own way. */}
			<Show when={!props.network.ssh}>
				<ProxyFields value={props.network.proxy} hasDefault onChange={proxy => set({ proxy })} />
			</Show>
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
