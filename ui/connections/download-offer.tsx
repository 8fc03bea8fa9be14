import { type JSX, Show } from 'solid-js'
import type { DriverOffer, Manifest } from '../../host/api/api.ts'
import { DriverIcon } from '../controls/driver-icon.tsx'
import { Notice } from '../controls/notice.tsx'
import { ProgressBar } from '../controls/progress-bar.tsx'
import { useHost } from '../state/host.tsx'
import { createTask } from '../state/task.ts'
import { bytes } from '../words/format.ts'
import { publisherOf } from '../words/publisher.ts'

const networkWords: Readonly<Record<Manifest['permissions']['network'], string>> = {
	none: 'No network',
	connections: 'Network: the servers of your connections, and addresses that you allow when asked',
}

/** Asks before a driver is downloaded: what it is, its publisher, its size and its permissions. */
export function DownloadOffer(props: {
	readonly offer: DriverOffer
	onBack(): void
	onInstalled(): void
}): JSX.Element {
	const host = useHost()
	const installing = createTask(async call => {
		const { manifest, source: from, available } = props.offer
		const { id } = manifest
		if (props.offer.state === 'disabled') await host.call('drivers.setEnabled', { id, isEnabled: true })
		else await host.call('drivers.install', { id, from, shown: available?.sha512 }, call)
		call.signal.throwIfAborted()
		props.onInstalled()
	})

	const manifest = () => props.offer.manifest
	return (
		<>
			<div class="dialog-body">
				<div class="offer-head">
					<DriverIcon svg={manifest().icon} size={40} />
					<div>
						<p class="offer-lead">
							{props.offer.state === 'disabled'
								? `${manifest().displayName} is disabled.`
								: `${manifest().displayName} is not installed.`}
						</p>
						<p class="quiet">{manifest().description}</p>
					</div>
				</div>
				<Show when={props.offer.available}>
					{available => (
						<dl class="facts">
							<dt>Version</dt>
							<dd>{available().version}</dd>
							<dt>Download</dt>
							<dd>{bytes(available().sizeBytes)}</dd>
							<dt>Publisher</dt>
							<dd>{publisherOf(props.offer)}</dd>
							<dt>Licence</dt>
							<dd>{available().license}</dd>
							<dt>Registry</dt>
							<dd>{props.offer.registryName}</dd>
							<dt>May use</dt>
							<dd>
								{networkWords[manifest().permissions.network]}
								<br />
								Memory: up to {manifest().permissions.memoryMb} MB
								<br />
								Files: {filesOf(manifest())}
							</dd>
						</dl>
					)}
				</Show>
				<Show when={installing.isRunning()}>
					<ProgressBar progress={installing.progress()} label={`Downloading ${manifest().displayName}`} />
				</Show>
				<Show when={installing.error()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
			</div>
			<footer class="dialog-foot">
				<button
					type="button"
					class="button"
					onClick={() => (installing.isRunning() ? installing.cancel() : props.onBack())}
				>
					{installing.isRunning() ? 'Cancel' : 'Back'}
				</button>
				<button
					type="button"
					class="button primary"
					disabled={installing.isRunning()}
					onClick={() => void installing.run()}
				>
					{props.offer.state === 'disabled'
						? 'Enable'
						: installing.error() !== undefined
							? 'Try again'
							: 'Download and install'}
				</button>
			</footer>
		</>
	)
}

/** Describes the files that connections may give to the driver. */
function filesOf({ form }: Manifest): string {
	const asked = form.filter(field => field.access !== undefined)
	if (asked.length === 0) return 'its own folder only'
	const each = asked.map(
		({ label, type, access }) =>
			`${access === 'read' ? 'reads' : 'reads and changes'} the ${type} you choose as “${label}”`,
	)
	return `its own folder; for a connection it ${each.join(', and ')}`
}
