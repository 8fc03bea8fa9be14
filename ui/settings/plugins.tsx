import { createResource, createSignal, For, type JSX, onCleanup, Show } from 'solid-js'
import { createStore } from 'solid-js/store'
import type { DriverOffer } from '../../host/ui-server/api.ts'
import type { Progress } from '../api/client.ts'
import { DriverIcon } from '../controls/driver-icon.tsx'
import { bytes } from '../controls/format.ts'
import { Notice } from '../controls/notice.tsx'
import { ProgressBar } from '../controls/progress-bar.tsx'
import { messageOf, useHost } from '../state/host.tsx'

type View = 'browse' | 'installed'

/** Settings > Plugins: what is installed, and the Browse list that installs up front. */
export function Plugins(): JSX.Element {
	const host = useHost()
	const [view, setView] = createSignal<View>('browse')
	const [browsing, { refetch }] = createResource(() => host.call('drivers.browse', {}))
	const [progress, setProgress] = createStore<Record<string, Progress | undefined>>({})
	const [failures, setFailures] = createStore<Record<string, string | undefined>>({})
	onCleanup(host.on('drivers.changed', () => void refetch()))

	const shown = () =>
		(browsing.latest?.offers ?? []).filter(offer => view() === 'browse' || offer.state !== 'available')

	async function run(id: string, work: () => Promise<unknown>): Promise<void> {
		setFailures(id, undefined)
		try {
			await work()
		} catch (error) {
			setFailures(id, messageOf(error))
		} finally {
			setProgress(id, undefined)
		}
	}
	const install = (id: string) => {
		setProgress(id, { done: 0 })
		void run(id, () => host.call('drivers.install', { id }, { onProgress: step => setProgress(id, step) }))
	}

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
			<For each={browsing.latest?.notices ?? []}>
				{notice => (
					<Notice kind="error" action={{ label: 'Try again', run: () => void refetch() }}>
						{notice}
					</Notice>
				)}
			</For>
			<ul class="plugin-list" aria-label={view() === 'browse' ? 'Browse' : 'Installed'}>
				<For
					each={shown()}
					fallback={
						<li class="quiet">
							{browsing.loading ? 'Looking …' : 'Nothing is installed yet. Browse shows what there is.'}
						</li>
					}
				>
					{offer => (
						<li class="plugin">
							<DriverIcon svg={offer.manifest.icon} size={28} />
							<div class="plugin-text">
								<span class="choice-name">{offer.manifest.displayName}</span>
								<span class="quiet">{offer.manifest.description}</span>
								<span class="quiet">{details(offer)}</span>
								<Show when={progress[offer.manifest.id]}>
									{step => <ProgressBar progress={step()} label={`Downloading ${offer.manifest.displayName}`} />}
								</Show>
								<Show when={failures[offer.manifest.id]}>{message => <Notice kind="error">{message()}</Notice>}</Show>
							</div>
							<PluginActions
								offer={offer}
								isBusy={progress[offer.manifest.id] !== undefined}
								onInstall={() => install(offer.manifest.id)}
								onRemove={() =>
									void run(offer.manifest.id, () => host.call('drivers.remove', { id: offer.manifest.id }))
								}
								onEnable={isEnabled =>
									void run(offer.manifest.id, () =>
										host.call('drivers.setEnabled', { id: offer.manifest.id, isEnabled }),
									)
								}
							/>
						</li>
					)}
				</For>
			</ul>
		</>
	)
}

function PluginActions(props: {
	readonly offer: DriverOffer
	readonly isBusy: boolean
	onInstall(): void
	onRemove(): void
	onEnable(isEnabled: boolean): void
}): JSX.Element {
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
				<button type="button" class="button" onClick={() => props.onEnable(props.offer.state === 'disabled')}>
					{props.offer.state === 'disabled' ? 'Switch on' : 'Switch off'}
				</button>
				<button type="button" class="button" onClick={() => props.onRemove()}>
					Remove
				</button>
			</Show>
		</div>
	)
}

function details({ manifest, installedVersion, available, incompatibility }: DriverOffer): string {
	const version = installedVersion ? `${installedVersion} installed` : available?.version
	const size = available && !installedVersion ? bytes(available.sizeBytes) : undefined
	return [version, size, manifest.publisher, incompatibility].filter(Boolean).join(' · ')
}
