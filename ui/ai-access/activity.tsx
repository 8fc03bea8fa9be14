import { createSignal, For, type JSX, onCleanup, Show } from 'solid-js'
import type { ActivityEntry } from '../../host/ui-server/api.ts'
import { Failure } from '../controls/failure.tsx'
import { useHost } from '../state/host.tsx'
import { createReading, createTask } from '../state/task.ts'

const outcomes = ['success', 'denied', 'error', 'cancelled', 'started'] as const

/** Who is connected and what was done, with filter, search, a check of the chain, and export. */
export function Activity(): JSX.Element {
	const host = useHost()
	const [entries, setEntries] = createSignal<readonly ActivityEntry[]>([])
	const reading = createReading(async call => setEntries(await host.call('activity.list', {}, call)))
	const clients = createReading(call => host.call('activity.clients', {}, call))
	const [search, setSearch] = createSignal('')
	const [outcome, setOutcome] = createSignal('')
	const verdict = createTask(async call => {
		const result = await host.call('activity.verify', {}, call)
		return result.ok ? `Whole: ${result.entries} entries.` : `Tampered with: ${result.fault}.`
	})
	onCleanup(
		host.on('activity.entry', entry => {
			setEntries(all => [entry, ...all])
			void clients.run()
		}),
	)
	const shown = () => {
		const words = search().toLowerCase()
		return entries().filter(
			entry =>
				(outcome() === '' || entry.outcome === outcome()) &&
				[entry.action, entry.client, entry.token, entry.detail].some(text => text?.toLowerCase().includes(words)),
		)
	}

	function save(): void {
		const text = shown()
			.map(entry => `${JSON.stringify(entry)}\n`)
			.join('')
		const link = document.createElement('a')
		link.href = `data:application/x-ndjson,${encodeURIComponent(text)}`
		link.download = 'roundhouse-activity.ndjson'
		link.click()
	}

	return (
		<>
			<fieldset class="section">
				<legend>Connected clients</legend>
				<Failure of={clients} />
				<ul class="list" aria-label="Connected clients">
					<For each={clients.value() ?? []} fallback={<li class="quiet">None in the last five minutes.</li>}>
						{client => (
							<li class="activity-line">
								<strong>
									{client.name} {client.version}
								</strong>
								<span class="quiet">
									“{client.token}” · {client.requests} requests · last seen {time(client.lastSeen)}
								</span>
							</li>
						)}
					</For>
				</ul>
			</fieldset>
			<fieldset class="section">
				<legend>Activity</legend>
				<div class="activity-tools">
					<input
						type="search"
						aria-label="Search activity"
						placeholder="Search"
						value={search()}
						onInput={event => setSearch(event.currentTarget.value)}
					/>
					<select aria-label="Outcome" value={outcome()} onChange={event => setOutcome(event.currentTarget.value)}>
						<option value="">All outcomes</option>
						<For each={outcomes}>{name => <option value={name}>{name}</option>}</For>
					</select>
					<button type="button" class="button" onClick={() => void verdict.run()}>
						Verify
					</button>
					<button type="button" class="button" disabled={shown().length === 0} onClick={save}>
						Export
					</button>
				</div>
				<Failure of={verdict} />
				<Show when={verdict.value()}>{text => <p class="quiet">{text()}</p>}</Show>
				<Failure of={reading} />
				<ul class="activity" aria-label="Activity">
					<For each={shown()} fallback={<li class="quiet">Nothing here.</li>}>
						{entry => <Line entry={entry} />}
					</For>
				</ul>
			</fieldset>
		</>
	)
}

function Line(props: { readonly entry: ActivityEntry }): JSX.Element {
	return (
		<li class="activity-line">
			<span class="activity-time">{time(props.entry.time)}</span>
			<span class={`badge outcome-${props.entry.outcome}`}>{props.entry.outcome}</span>
			<span class="activity-action">{props.entry.action}</span>
			<span class="quiet">
				{[props.entry.client, props.entry.token && `“${props.entry.token}”`, props.entry.detail]
					.filter(Boolean)
					.join(' · ')}
			</span>
		</li>
	)
}

const time = (text: string) => new Date(text).toLocaleTimeString()
