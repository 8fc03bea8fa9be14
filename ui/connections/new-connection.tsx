import { createSignal, type JSX, Match, Switch } from 'solid-js'
import type { DriverOffer, FirstStep } from '../../host/api/api.ts'
import { Dialog } from '../controls/dialog.tsx'
import { useHost } from '../state/host.tsx'
import { createTask } from '../state/task.ts'
import { ChoiceSheet } from './choice-sheet.tsx'
import { ConnectionForm } from './connection-form.tsx'
import { DownloadOffer } from './download-offer.tsx'

/** New connection: choose an engine, download its driver if needed, fill in the form. */
export function NewConnection(props: {
	readonly groups: readonly string[]
	/** What the user began with: its engine is chosen, and its sample fills the form. */
	readonly step?: FirstStep | undefined
	onClose(): void
	onSaved(connectionId: string): void
}): JSX.Element {
	const host = useHost()
	const [chosen, setChosen] = createSignal<DriverOffer>()
	const { step } = props
	// Without its offer the user chooses from the list.
	const finding = createTask(async call => {
		const { offers } = await host.call('drivers.browse', {}, call)
		const isOf = ({ manifest, source }: DriverOffer) =>
			manifest.id === step?.driver && source.registry === step.source.registry
		setChosen(offers.find(isOf))
	})
	if (step) void finding.run()
	const installed = () => chosen()?.state === 'installed'
	const title = () => {
		const offer = chosen()
		if (!offer) return 'New connection'
		return installed() ? `New ${offer.manifest.displayName} connection` : offer.manifest.displayName
	}

	return (
		<Dialog title={title()} size="wide" holdsTyped onClose={props.onClose}>
			<Switch>
				<Match when={!chosen()}>
					<ChoiceSheet onChoose={setChosen} />
				</Match>
				<Match when={!installed() && chosen()} keyed>
					{offer => (
						<DownloadOffer
							offer={offer}
							onBack={() => setChosen(undefined)}
							onInstalled={() => setChosen({ ...offer, state: 'installed' })}
						/>
					)}
				</Match>
				<Match when={installed() && chosen()} keyed>
					{offer => (
						<ConnectionForm
							manifest={offer.manifest}
							usesSample={step?.isSample === true && step.driver === offer.manifest.id}
							groups={props.groups}
							onBack={() => setChosen(undefined)}
							onSaved={connection => props.onSaved(connection.id)}
						/>
					)}
				</Match>
			</Switch>
		</Dialog>
	)
}
