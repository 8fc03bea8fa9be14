import Database from 'lucide-solid/icons/database'
import { type JSX, Show } from 'solid-js'
import type { FirstStep } from '../../host/api/api.ts'
import type { ActiveConnection } from '../state/connections.ts'
import { oneOf } from '../words/format.ts'
import { keysText } from '../words/keys.ts'
import { FirstSteps } from './first-steps.tsx'

/** Shown while no tab is open: the next step. */
export function Welcome(props: {
	readonly hasConnections: boolean
	/** The connection whose tables are shown. */
	readonly open: ActiveConnection | undefined
	onNew(step?: FirstStep): void
	onAiClient(): void
}): JSX.Element {
	const opened = () => (props.open?.status === 'open' ? props.open : undefined)
	return (
		<div class="empty">
			<Database size={36} strokeWidth={1.25} />
			<Show
				when={props.hasConnections}
				fallback={
					<>
						<h1>Nothing connected yet</h1>
						<p>Choose an engine, and Roundhouse installs its driver. Some engines include a sample.</p>
						<button type="button" class="button primary" onClick={() => props.onNew()}>
							New connection
						</button>
						<FirstSteps onStep={props.onNew} onAiClient={props.onAiClient} />
					</>
				}
			>
				<Show
					when={opened()}
					fallback={
						<>
							<h1>Choose a connection</h1>
							<p>
								Open one on the left, then one of its tables. {keysText('Mod+P')} finds both by some of their letters.
							</p>
						</>
					}
				>
					{connection => (
						<>
							<h1>{connection().name} is open</h1>
							<p>
								Choose {oneOf(connection().engine.tableNoun).toLowerCase()} on the left, or find it with{' '}
								{keysText('Mod+P')}. A console opens with {keysText('Mod+K C')}.
							</p>
						</>
					)}
				</Show>
			</Show>
		</div>
	)
}
