import { createSignal, For, type JSX, Show } from 'solid-js'
import type { DriverOffer } from '../../host/api/api.ts'
import { DriverIcon } from '../controls/driver-icon.tsx'
import { Failure } from '../controls/failure.tsx'
import { Notice } from '../controls/notice.tsx'
import { SearchField } from '../controls/search-field.tsx'
import { useHost } from '../state/host.tsx'
import { createReading } from '../state/task.ts'
import { publisherOf } from '../words/publisher.ts'

/** The engines to choose from: installed drivers and those of the registries. */
export function ChoiceSheet(props: { onChoose(offer: DriverOffer): void }): JSX.Element {
	const host = useHost()
	const browsing = createReading(call => host.call('drivers.browse', {}, call))
	const [search, setSearch] = createSignal('')
	const offers = () => {
		const words = search().toLowerCase()
		return (browsing.value()?.offers ?? []).filter(({ manifest }) =>
			[manifest.displayName, manifest.description, manifest.category].some(text => text.toLowerCase().includes(words)),
		)
	}
	const isOneOfSeveral = ({ manifest }: DriverOffer) =>
		(browsing.value()?.offers ?? []).filter(other => other.manifest.id === manifest.id).length > 1
	const state = (offer: DriverOffer) => {
		if (offer.state === 'installed') return 'Installed'
		if (offer.state === 'disabled') return 'Disabled'
		return offer.incompatibility ? 'Incompatible' : 'Not installed'
	}
	const isFree = ({ incompatibility, state }: DriverOffer) => incompatibility === undefined || state !== 'available'
	/** Enter chooses the first that the search leaves. */
	function chooseFirst(event: KeyboardEvent): void {
		const first = offers().find(isFree)
		if (event.key !== 'Enter' || event.isComposing || search().trim() === '' || !first) return
		event.preventDefault()
		props.onChoose(first)
	}
	return (
		<div class="dialog-body">
			<SearchField
				placeholder="Find an engine"
				aria-label="Find an engine"
				value={search()}
				onInput={setSearch}
				onKeyDown={chooseFirst}
			/>
			<Failure of={browsing} />
			<For each={browsing.value()?.notices ?? []}>
				{notice => (
					<Notice kind="error" action={{ label: 'Try again', run: () => void browsing.run() }}>
						{notice}
					</Notice>
				)}
			</For>
			<div class="choice-list">
				<For
					each={offers()}
					fallback={
						<p class="quiet">{browsing.isRunning() ? 'Reading the list of engines …' : 'No engine matches.'}</p>
					}
				>
					{offer => (
						<button type="button" class="choice" disabled={!isFree(offer)} onClick={() => props.onChoose(offer)}>
							<DriverIcon svg={offer.manifest.icon} size={28} />
							<span class="lines">
								<bdi class="name">{offer.manifest.displayName}</bdi>
								<span class="quiet">{offer.incompatibility ?? offer.manifest.description}</span>
								<Show when={isOneOfSeveral(offer)}>
									<span class="quiet">{[publisherOf(offer), offer.registryName].filter(Boolean).join(' · ')}</span>
								</Show>
							</span>
							<span class="badge" classList={{ positive: offer.state === 'installed' }}>
								{state(offer)}
							</span>
						</button>
					)}
				</For>
			</div>
			<Show when={browsing.value()}>
				<p class="hint">Engines are plugins. Each is signed and runs in a separate process.</p>
			</Show>
		</div>
	)
}
