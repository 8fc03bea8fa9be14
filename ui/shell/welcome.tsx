import Database from 'lucide-solid/icons/database'
import { type JSX, Show } from 'solid-js'
import type { FirstStep } from '../../host/api/api.ts'
import { oneOf } from '../words/format.ts'
import { keysText } from '../words/keys.ts'
import { FirstSteps } from './first-steps.tsx'
import { NextSteps } from './next-steps.tsx'
import type { Workspace } from './workspace.ts'

/** Shown while no tab is open: the next step. */
export function Welcome(props: {
	readonly workspace: Workspace
	onNew(step?: FirstStep): void
	onImport(): void
	onAiClient(): void
}): JSX.Element {
	const { connections } = props.workspace
	/** The connection whose tables are shown. */
	const opened = () => {
		const active = connections.active()
		return active?.status === 'open' ? active : undefined
	}
	return (
		<div class="empty">
			<Database size={36} strokeWidth={1.25} />
			<Show
				when={connections.saved().length > 0}
				fallback={
					<>
						<h1>Nothing connected yet</h1>
						<p>Choose an engine, and Roundhouse installs its driver. Some engines include a sample.</p>
						<button type="button" class="button primary" onClick={() => props.onNew()}>
							New connection
						</button>
						<FirstSteps onStep={props.onNew} onImport={props.onImport} onAiClient={props.onAiClient} />
					</>
				}
			>
				<Show
					when={opened()}
					fallback={
						<>
							<h1>Choose a connection</h1>
							<p>Open one on the left, or find a table with {keysText('Mod+P')}.</p>
						</>
					}
				>
					{connection => (
						<>
							<h1>{connection().name} is open</h1>
							<p>
								Choose {oneOf(connection().engine.tableNoun).toLowerCase()} on the left, or find it with{' '}
								{keysText('Mod+P')}.
							</p>
							<Show when={connection().id} keyed>
								<NextSteps connection={connection()} workspace={props.workspace} />
							</Show>
						</>
					)}
				</Show>
			</Show>
		</div>
	)
}
