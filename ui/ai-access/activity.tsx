import { createMemo, createSignal, For, type JSX, onCleanup, Show } from 'solid-js'
import type { ActivityEntry } from '../../host/api/api.ts'
import { Failure } from '../controls/failure.tsx'
import { saveFile } from '../controls/save-file.ts'
import { SearchField } from '../controls/search-field.tsx'
import { useHost } from '../state/host.tsx'
import { createReading, createTask } from '../state/task.ts'
import { activityWords } from '../words/activity-words.ts'
import { clockOf, count, counted, dayOf, moment } from '../words/format.ts'
import { KeptChange } from './kept-change.tsx'

export interface ActivityProps {
	/** Opens a new console of the connection with a statement; it does not run. */
	repeat(connectionId: string, statement: string): void
	/** Shows what an undo of a change would do. */
	undo(connectionId: string, change: string): void
}

/** As many entries the host lists (`activity.list`). */
const latest = 2_000

const outcomes = ['success', 'denied', 'error', 'cancelled', 'started'] as const

/** The connected clients and what they did, by day and client, with search, verification and export. */
export function Activity(props: ActivityProps): JSX.Element {
	const host = useHost()
	const [entries, setEntries] = createSignal<readonly ActivityEntry[]>([])
	const reading = createReading(async call => setEntries(await host.call('activity.list', {}, call)))
	const clients = createReading(call => host.call('activity.clients', {}, call))
	const [search, setSearch] = createSignal('')
	const [outcome, setOutcome] = createSignal('')
	const [client, setClient] = createSignal('')
	/** The changes that show what they replaced. A new entry makes all lines again, which then read that again. */
	const [open, setOpen] = createSignal<ReadonlySet<string>>(new Set())
	const seenClients = createMemo(() => [...new Set(entries().flatMap(entry => entry.client ?? []))].sort())
	const verdict = createTask(async call => {
		const result = await host.call('activity.verify', {}, call)
		return result.ok
			? `Complete and unchanged: ${counted(result.entries, { one: 'entry', many: 'entries' })}.`
			: `The log was changed: ${result.fault}.`
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
				(client() === '' || entry.client === client()) &&
				[
					entry.action,
					activityWords(entry.action),
					entry.client,
					entry.token,
					entry.connectionName,
					entry.detail,
					entry.text,
				].some(text => text?.toLowerCase().includes(words)),
		)
	}

	const days = createMemo(() => [...Map.groupBy(shown(), entry => dayOf(entry.time))])

	function save(): void {
		const text = shown()
			.map(entry => `${JSON.stringify(entry)}\n`)
			.join('')
		saveFile('roundhouse-activity.ndjson', 'application/x-ndjson', text)
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
									“{client.token}” · {counted(client.requests, { one: 'call', many: 'calls' })} · last seen{' '}
									{clockOf(client.lastSeen)}
								</span>
							</li>
						)}
					</For>
				</ul>
			</fieldset>
			<fieldset class="section">
				<legend>Activity</legend>
				<div class="activity-tools">
					<SearchField aria-label="Search activity" placeholder="Search" value={search()} onInput={setSearch} />
					<select aria-label="Client" value={client()} onChange={event => setClient(event.currentTarget.value)}>
						<option value="">All clients</option>
						<For each={seenClients()}>{name => <option value={name}>{name}</option>}</For>
					</select>
					<select aria-label="Outcome" value={outcome()} onChange={event => setOutcome(event.currentTarget.value)}>
						<option value="">All outcomes</option>
						<For each={outcomes}>{name => <option value={name}>{name}</option>}</For>
					</select>
					<button
						type="button"
						class="button"
						title="Checks that no entry was changed or removed"
						onClick={() => void verdict.run()}
					>
						Check log
					</button>
					<button type="button" class="button" disabled={shown().length === 0} onClick={save}>
						Export
					</button>
				</div>
				<Failure of={verdict} />
				<Show when={verdict.value()}>{text => <p class="quiet">{text()}</p>}</Show>
				<Failure of={reading} />
				<Show when={entries().length >= latest}>
					<p class="quiet">These are the latest {count(entries().length)} entries. The files of the log have all.</p>
				</Show>
				<For
					each={days()}
					fallback={
						<p class="quiet">{entries().length === 0 ? 'No AI client has done anything yet.' : 'No entry matches.'}</p>
					}
				>
					{([day, entries]) => (
						<section class="activity-day">
							<h3>{day}</h3>
							<ul class="activity" aria-label={`Activity of ${day}`}>
								<For each={entries}>
									{entry => (
										<Line
											entry={entry}
											isOpen={entry.change !== undefined && open().has(entry.change)}
											onToggle={change => setOpen(all => toggled(all, change))}
											repeat={props.repeat}
											undo={props.undo}
										/>
									)}
								</For>
							</ul>
						</section>
					)}
				</For>
			</fieldset>
		</>
	)
}

const agreedWords = {
	client: 'the client says its user agreed',
	window: 'agreed in the window',
	client_and_window: 'agreed in the client and in the window',
	grant: 'agreed before, for a while',
} as const

/** What was done, by which client, in one line. */
function wordsOf(entry: ActivityEntry): string {
	const { client, token, connectionName, verdict, rows, durationMs, agreed, detail } = entry
	return [
		client,
		token && `“${token}”`,
		connectionName,
		verdict,
		rows !== undefined && counted(rows, { one: 'row', many: 'rows' }),
		durationMs !== undefined && `${count(durationMs)} ms`,
		agreed && agreedWords[agreed],
		detail,
		isLasting(entry) && 'a statement cannot be undone',
	]
		.filter(Boolean)
		.join(' · ')
}

/** A started statement has a second entry for its end, which offers the repeat. */
const repeatable = ({ connection, text, outcome }: ActivityEntry) =>
	connection !== undefined && text !== undefined && outcome !== 'started' && { connection, text }

/** What an entry may have replaced. A started change has a second entry for its end. */
const replaced = ({ connection, change, outcome }: ActivityEntry) =>
	connection !== undefined && change !== undefined && outcome !== 'started' && { connection, change }

/** A statement keeps no rows. */
const isLasting = ({ action, outcome, verdict, change }: ActivityEntry) =>
	/^tool\.(execute_query|confirm_destructive_operation)$/.test(action) &&
	outcome === 'success' &&
	verdict !== 'read' &&
	change === undefined

const toggled = (all: ReadonlySet<string>, change: string) =>
	new Set(all.has(change) ? [...all].filter(other => other !== change) : [...all, change])

interface LineProps extends ActivityProps {
	readonly entry: ActivityEntry
	/** Whether it shows what was replaced. */
	readonly isOpen: boolean
	onToggle(change: string): void
}

function Line(props: LineProps): JSX.Element {
	return (
		<li class="activity-line">
			<time class="activity-time" datetime={props.entry.time} title={moment(props.entry.time)}>
				{clockOf(props.entry.time)}
			</time>
			<Show when={props.entry.outcome !== 'success'}>
				<span class={`badge outcome-${props.entry.outcome}`}>{props.entry.outcome}</span>
			</Show>
			<span class="activity-action" title={props.entry.action}>
				{activityWords(props.entry.action)}
			</span>
			<div class="activity-what">
				<span class="quiet">{wordsOf(props.entry)}</span>
				<Show when={props.entry.text}>{text => <pre class="activity-statement">{text()}</pre>}</Show>
				<Show when={replaced(props.entry)} keyed>
					{({ connection, change }) => (
						<KeptChange
							connection={connection}
							change={change}
							isOpen={props.isOpen}
							onToggle={() => props.onToggle(change)}
							undo={() => props.undo(connection, change)}
						/>
					)}
				</Show>
				<Show when={repeatable(props.entry)}>
					{found => (
						<button type="button" class="button" onClick={() => props.repeat(found().connection, found().text)}>
							Repeat in console
						</button>
					)}
				</Show>
			</div>
		</li>
	)
}
