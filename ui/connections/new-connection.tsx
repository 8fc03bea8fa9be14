import { createSignal, type JSX, Match, Switch } from 'solid-js'
import type { DriverOffer } from '../../host/api/api.ts'
import { Dialog } from '../controls/dialog.tsx'
import { ChoiceSheet } from './choice-sheet.tsx'
import { ConnectionForm } from './connection-form.tsx'
import { DownloadOffer } from './download-offer.tsx'

/** New connection: choose an engine, download its driver if needed, fill in the form. */
export function NewConnection(props: {
	readonly groups: readonly string[]
	onClose(): void
	onSaved(connectionId: string): void
}): JSX.Element {
	const [chosen, setChosen] = createSignal<DriverOffer>()
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
