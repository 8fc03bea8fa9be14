import { Key } from '@solid-primitives/keyed'
import { createSignal, For, type JSX, onCleanup, Show } from 'solid-js'
import type { DriverOffer } from '../../host/api/api.ts'
import { DriverIcon } from '../controls/driver-icon.tsx'
import { Failure } from '../controls/failure.tsx'
import { Notice } from '../controls/notice.tsx'
import { ProgressBar } from '../controls/progress-bar.tsx'
import { useHost } from '../state/host.tsx'
import { createReading, createTask } from '../state/task.ts'
import { bytes } from '../words/format.ts'
import { hasCode, messageOf } from '../words/message-of.ts'
import { publisherOf } from '../words/publisher.ts'
import { Registries } from './registries.tsx'

type View = 'browse' | 'installed'

/** Settings > Plugins: installed drivers, and Browse for installing more. */
export function Plugins(): JSX.Element {
	const host = useHost()
	const [view, setView] = createSignal<View>('browse')
	const browsing = createReading(call => host.call('drivers.browse', {}, call))
	onCleanup(host.on('drivers.changed', () => void browsing.run()))
	const confinement = createReading(call => host.call('drivers.confinement', {}, call))
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
							{browsing.isRunning() ? 'Loading …' : 'No driver is installed. Open Browse to install one.'}
						</li>
					}
				>
					{offer => <PluginLine offer={offer()} />}
				</Key>
			</ul>
			<Show when={confinement.value()}>
				{found => (
					<Show when={!found().protectsFiles} fallback={<p class="quiet">{found().summary}</p>}>
						<Notice kind="info">{found().summary}</Notice>
					</Show>
				)}
			</Show>
			<Registries />
		</>
	)
}

/** One driver and its actions. */
function PluginLine(props: { readonly offer: DriverOffer }): JSX.Element {
	const host = useHost()
	const { id } = props.offer.manifest
	const from = props.offer.source
	/** The additional permissions that an update requests. Set while the user has not allowed them. */
	const [gains, setGains] = createSignal<string>()
	const installing = createTask(async (call, acceptsMore: boolean) => {
		setGains(undefined)
		try {
			await host.call('drivers.install', { id, from, shown: props.offer.available?.sha512, acceptsMore }, call)
		} catch (error) {
			if (!hasCode(error, 'plugin/wants_more')) throw error
			setGains(messageOf(error).replace(/ To allow it: .*$/, ''))
		}
	})
	const changing = createTask((_, change: () => Promise<null>) => change())
	return (
		<li class="card">
			<DriverIcon svg={props.offer.manifest.icon} size={28} />
			<div class="lines">
				<bdi class="name">{props.offer.manifest.displayName}</bdi>
				<bdi class="quiet">{props.offer.manifest.description}</bdi>
				<span class="quiet">{details(props.offer)}</span>
				<Show when={props.offer.revocation}>
					{revocation => (
						<Notice kind="error">
							{revocation().action === 'stop' ? 'Stopped by its registry: ' : 'Its registry warns: '}
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
				<Show when={gains()}>
					{message => (
						<Notice kind="info" action={{ label: 'Update and allow this', run: () => void installing.run(true) }}>
							{message()}
						</Notice>
					)}
				</Show>
				<Failure of={installing} />
				<Failure of={changing} />
			</div>
			<PluginActions
				offer={props.offer}
				isBusy={installing.isRunning()}
				onInstall={() => {
					changing.clear()
					void installing.run(false)
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
					{isOff() ? 'Enable' : 'Disable'}
				</button>
				<button type="button" class="button" onClick={() => props.onChange(() => host.call('drivers.remove', { id }))}>
					Remove
				</button>
			</Show>
		</div>
	)
}

/** Two registries or publishers can have drivers of one id. */
const keyOf = ({ source, manifest }: DriverOffer) => `${source.registry}/${source.publisher}/${manifest.id}`

function details(offer: DriverOffer): string {
	const { installedVersion, available, incompatibility } = offer
	const offered = available ? `Version ${available.version}, ${bytes(available.sizeBytes)}` : 'No version'
	const version = installedVersion ? `Version ${installedVersion} is installed` : offered
	const publisher = publisherOf(offer)
	const registry = offer.registryName ?? ''
	// The name of a registry may say who publishes there.
	const source = registry.startsWith(publisher) ? registry : [publisher, registry].filter(Boolean).join(', ')
	return `${version}, from ${source}.${incompatibility === undefined ? '' : ` ${incompatibility}`}`
}
