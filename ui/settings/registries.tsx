import { Key } from '@solid-primitives/keyed'
import { createSignal, For, type JSX, onCleanup, Show } from 'solid-js'
import type { RegistrySource, RegistryView } from '../../host/api/api.ts'
import { Failure } from '../controls/failure.tsx'
import { Notice } from '../controls/notice.tsx'
import { useHost } from '../state/host.tsx'
import { createReading, createTask } from '../state/task.ts'
import { moment } from '../words/format.ts'

const states = {
	current: 'up to date',
	saved: 'not reachable; the stored copy is used',
	seeded: 'not read yet; only what came with Roundhouse is listed',
	expired: 'expired',
	unreadable: 'cannot be read',
	refused: 'not allowed on this machine',
} as const

/** Settings > Plugins: the trusted registries. */
export function Registries(): JSX.Element {
	const host = useHost()
	const registries = createReading(call => host.call('registries.list', {}, call))
	for (const event of ['drivers.changed', 'connections.changed'] as const)
		onCleanup(host.on(event, () => void registries.run()))
	return (
		<fieldset class="section">
			<legend>Registries</legend>
			<Failure of={registries} />
			<ul class="list" aria-label="Registries">
				<Key
					each={registries.value() ?? []}
					by="fingerprint"
					fallback={<li class="quiet">{registries.isRunning() ? 'Loading …' : 'None.'}</li>}
				>
					{registry => <RegistryLine registry={registry()} />}
				</Key>
			</ul>
			<AddRegistry />
		</fieldset>
	)
}

function RegistryLine(props: { readonly registry: RegistryView }): JSX.Element {
	const host = useHost()
	const [isAsking, setAsking] = createSignal(false)
	const removing = createTask(() => host.call('registries.remove', { fingerprint: props.registry.fingerprint }))
	return (
		<li class="card">
			<div class="lines">
				<span class="name">{props.registry.name ?? props.registry.url}</span>
				<span class="quiet">{props.registry.url}</span>
				<code class="fingerprint" title="Fingerprint of its first root">
					{inGroups(props.registry.fingerprint)}
				</code>
				<span class="quiet">{details(props.registry)}</span>
				<Show when={props.registry.reason}>{reason => <Notice kind="error">{reason()}</Notice>}</Show>
				<Show when={isAsking()}>
					<Removal
						registry={props.registry}
						onKeep={() => setAsking(false)}
						onRemove={() => {
							setAsking(false)
							void removing.run()
						}}
					/>
				</Show>
				<Failure of={removing} />
			</div>
			<Show when={!props.registry.isDefault && !isAsking()}>
				<button type="button" class="button" disabled={removing.isRunning()} onClick={() => setAsking(true)}>
					Remove
				</button>
			</Show>
		</li>
	)
}

/** What is lost with a registry. */
function Removal(props: { readonly registry: RegistryView; onKeep(): void; onRemove(): void }): JSX.Element {
	return (
		<div class="decision" role="alertdialog" aria-label={`Remove ${props.registry.name ?? props.registry.url}`}>
			<Show when={props.registry.installed.length > 0} fallback={<span>No driver from it is installed.</span>}>
				<span>These drivers were installed from it and will not be loaded without it:</span>
				<ul>
					<For each={props.registry.installed}>
						{({ displayName, connections }) => (
							<li>
								<bdi>{displayName}</bdi>
								<Show when={connections.length > 0}>, used by {connections.join(', ')}</Show>
							</li>
						)}
					</For>
				</ul>
				<span>Connections stay. If you add the registry again, its drivers load again.</span>
			</Show>
			<div class="form-actions">
				<button type="button" class="button" onClick={() => props.onKeep()}>
					Keep
				</button>
				<button type="button" class="button primary danger" onClick={() => props.onRemove()}>
					Remove registry
				</button>
			</div>
		</div>
	)
}

/** Asks for an address, shows its fingerprint and asks for a yes. A known fingerprint can be pasted. */
function AddRegistry(): JSX.Element {
	const host = useHost()
	const [url, setUrl] = createSignal('')
	const [expected, setExpected] = createSignal('')
	const looking = createTask(call => host.call('registries.look', { url: url().trim() }, call))
	const adding = createTask(async (call, source: RegistrySource) => {
		await host.call('registries.add', source, call)
		looking.clear()
		setUrl('')
		setExpected('')
	})
	const start = () => {
		looking.clear()
		adding.clear()
		if (expected().trim() === '') void looking.run()
		else void adding.run({ url: url().trim(), fingerprint: expected() })
	}
	return (
		<>
			<form
				class="registry-form"
				onSubmit={event => {
					event.preventDefault()
					start()
				}}
			>
				<input
					aria-label="Address of the registry"
					placeholder="https://drivers.example.org/"
					value={url()}
					onInput={event => {
						looking.clear()
						setUrl(event.currentTarget.value)
					}}
				/>
				<input
					aria-label="Fingerprint"
					placeholder="Fingerprint (optional)"
					value={expected()}
					onInput={event => setExpected(event.currentTarget.value)}
				/>
				<button
					type="submit"
					class="button"
					disabled={url().trim() === '' || looking.isRunning() || adding.isRunning()}
				>
					Add registry
				</button>
			</form>
			<Failure of={looking} />
			<Show when={adding.error()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
			<Show when={looking.value()}>
				{found => (
					<div class="decision" role="alertdialog" aria-label="Compare the fingerprint">
						<span>
							The first root of {found().url} has this fingerprint. Does it match the one that you got from the
							publisher?
						</span>
						<code class="fingerprint">{inGroups(found().fingerprint)}</code>
						<div class="form-actions">
							<button type="button" class="button" onClick={() => looking.clear()}>
								No
							</button>
							<button
								type="button"
								class="button primary"
								disabled={adding.isRunning()}
								onClick={() => void adding.run(found())}
							>
								Trust this registry
							</button>
						</div>
					</div>
				)}
			</Show>
		</>
	)
}

/** Grouped for comparison by eye. */
const inGroups = (fingerprint: string) => fingerprint.replace(/.{8}(?=.)/g, '$& ')

function details({ isDefault, state, drivers, expiresAt }: RegistryView): string {
	const count = `${drivers} ${drivers === 1 ? 'driver' : 'drivers'}`
	const until = expiresAt && `${state === 'expired' ? 'expired' : 'valid until'} ${time(expiresAt)}`
	return [isDefault && 'default', states[state], count, until].filter(Boolean).join(' · ')
}

const time = (iso: string) => moment(iso)
