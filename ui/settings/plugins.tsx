import { Key } from '@solid-primitives/keyed'
import { createSignal, For, type JSX, onCleanup, Show } from 'solid-js'
import type { DriverOffer } from '../../host/ui-server/api.ts'
import { DriverIcon } from '../controls/driver-icon.tsx'
import { Failure } from '../controls/failure.tsx'
import { Notice } from '../controls/notice.tsx'
import { ProgressBar } from '../controls/progress-bar.tsx'
import { useHost } from '../state/host.tsx'
import { createReading, createTask } from '../state/task.ts'
import { bytes } from '../words/format.ts'
import { publisherOf } from '../words/publisher.ts'
import { Registries } from './registries.tsx'

type View = 'browse' | 'installed'

/** Settings > Plugins: what is installed, and the Browse list that installs up front. */
export function Plugins(): JSX.Element {
	const host = useHost()
	const [view, setView] = createSignal<View>('browse')
	const browsing = createReading(call => host.call('drivers.browse', {}, call))
	onCleanup(host.on('drivers.changed', () => void browsing.run()))
	const offers = () => browsing.value()?.offers ?? []
	const shown = () => offers().filter(offer => view() === 'browse' || offer.state !== 'available')

	return (
		<>
			<div class="segmented" role="radiogroup" aria-label="Plugins">
				<For each={['browse', 'installed'] as const}>
					{name => (
						<label class="segment" classList={{ active: view() === name }}>
							<input type="radio" name="plugins-view" checked={view() === name} onChange={() => setView(name)} />
							{name === 'browse' ? 'Browse' : 'Installed'}
						</label>
					)}
				</For>
			</div>
			<Failure of={browsing} />
			<For each={browsing.value()?.notices ?? []}>
				{notice => (
					<Notice kind="error" action={{ label: 'Try again', run: () => void browsing.run() }}>
						{notice}
					</Notice>
				)}
			</For>
			<ul class="list" aria-label={view() === 'browse' ? 'Browse' : 'Installed'}>
				<Key
					each={shown()}
					by={keyOf}
					fallback={
						<li class="quiet">
							{browsing.isRunning() ? 'Looking …' : 'Nothing is installed yet. Browse shows what there is.'}
						</li>
					}
				>
					{offer => <PluginLine offer={offer()} />}
				</Key>
			</ul>
			<Registries />
		</>
	)
}

/** One driver, and what is done with it. */
function PluginLine(props: { readonly offer: DriverOffer }): JSX.Element {
	const host = useHost()
	const { id } = props.offer.manifest
	const from = props.offer.source
	const installing = createTask(call => host.call('drivers.install', { id, from }, call))
	const changing = createTask((_, change: () => Promise<null>) => change())
	return (
		<li class="card">
			<DriverIcon svg={props.offer.manifest.icon} size={28} />
			<div class="lines">
				<span class="name">{props.offer.manifest.displayName}</span>
				<span class="quiet">{props.offer.manifest.description}</span>
				<span class="quiet">{details(props.offer)}</span>
				<Show when={props.offer.revocation}>
					{revocation => (
						<Notice kind="error">
							{revocation().action === 'stop' ? 'Stopped by its registry: ' : 'Its registry warns of it: '}
							{revocation().reason}
						</Notice>
					)}
				</Show>
				<Show when={installing.isRunning()}>
					<ProgressBar
						progress={installing.progress() ?? { done: 0 }}
						label={`Downloading ${props.offer.manifest.displayName}`}
					/>
				</Show>
				<Failure of={installing} />
				<Failure of={changing} />
			</div>
			<PluginActions
				offer={props.offer}
				isBusy={installing.isRunning()}
				onInstall={() => {
					changing.clear()
					void installing.run()
				}}
				onChange={change => {
					installing.clear()
					void changing.run(change)
				}}
			/>
		</li>
	)
}

function PluginActions(props: {
	readonly offer: DriverOffer
	readonly isBusy: boolean
	onInstall(): void
	onChange(change: () => Promise<null>): void
}): JSX.Element {
	const host = useHost()
	const { id } = props.offer.manifest
	const isOff = () => props.offer.state === 'disabled'
	return (
		<div class="plugin-actions">
			<Show
				when={props.offer.state !== 'available'}
				fallback={
					<button
						type="button"
						class="button primary"
						disabled={props.isBusy || !props.offer.available}
						onClick={() => props.onInstall()}
					>
						Install
					</button>
				}
			>
				<Show when={props.offer.isUpdate}>
					<button type="button" class="button primary" disabled={props.isBusy} onClick={() => props.onInstall()}>
						Update
					</button>
				</Show>
				<button
					type="button"
					class="button"
					onClick={() => {
						const isEnabled = isOff()
						props.onChange(() => host.call('drivers.setEnabled', { id, isEnabled }))
					}}
				>
					{isOff() ? 'Switch on' : 'Switch off'}
				</button>
				<button type="button" class="button" onClick={() => props.onChange(() => host.call('drivers.remove', { id }))}>
					Remove
				</button>
			</Show>
		</div>
	)
}

/** Two registries, or two publishers, can have drivers of one id. */
const keyOf = ({ source, manifest }: DriverOffer) => `${source.registry}/${source.publisher}/${manifest.id}`

function details(offer: DriverOffer): string {
	const { installedVersion, available, incompatibility } = offer
	const version = installedVersion ? `${installedVersion} installed` : available?.version
	const size = available && !installedVersion ? bytes(available.sizeBytes) : undefined
	return [version, size, publisherOf(offer), offer.registryName, incompatibility].filter(Boolean).join(' · ')
}
