import { createSignal, For, type JSX, Show } from 'solid-js'
import type { TableAction } from '../../host/api/api.ts'
import { Dialog } from '../controls/dialog.tsx'
import { Failure } from '../controls/failure.tsx'
import { createActionRun } from '../facts/action-run.tsx'
import { useHost } from '../state/host.tsx'
import type { TabConnection } from '../state/tab.ts'
import { createReading } from '../state/task.ts'
import { ActionSheet, type FormAction } from './action-sheet.tsx'

/** Runs actions of the driver: some have a form, some are a draft for the console, and the others are reviewed. */
export function createTableActions(
	connection: TabConnection,
	events: { onConsole(text: string): void; onDone(): void },
) {
	const actions = createActionRun(connection, events.onDone)
	const [filling, setFilling] = createSignal<FormAction>()
	return {
		choose({ label, text, isDraft, form }: TableAction, tables: readonly string[]): void {
			if (form) setFilling({ label, tables, form })
			else if (isDraft) events.onConsole(text)
			else actions.ask({ label, text })
		},
		Sheets: (): JSX.Element => (
			<>
				<actions.Sheet />
				<Show when={filling()} keyed>
					{action => (
						<ActionSheet
							connection={connection}
							action={action}
							onConsole={events.onConsole}
							onRun={text => actions.ask({ label: action.label.replace(/ …$/, ''), text })}
							onClose={() => setFilling(undefined)}
						/>
					)}
				</Show>
			</>
		),
	}
}

/** What the driver offers for one table, from its menu. It stays open below the review of an action. */
export function TableActionsSheet(props: {
	readonly connection: TabConnection
	readonly table: string
	onConsole(text: string): void
	/** Called after an action, which may have removed or renamed the table. */
	onDone(): void
	onClose(): void
}): JSX.Element {
	const { connection, table } = props
	const host = useHost()
	const reading = createReading(call =>
		host.call('tables.actions', { connection: connection.id, tables: [table] }, call),
	)
	const actions = createTableActions(connection, {
		onConsole: text => {
			props.onClose()
			props.onConsole(text)
		},
		onDone: () => {
			props.onClose()
			props.onDone()
		},
	})
	return (
		<Dialog title={`Actions for ${table}`} onClose={props.onClose}>
			<div class="dialog-body">
				<Failure of={reading} />
				<Show when={reading.value()} fallback={<p class="quiet">{reading.error() === undefined ? 'Reading …' : ''}</p>}>
					{offered => (
						<ul class="table-actions">
							<For each={offered()} fallback={<li class="quiet">The driver offers nothing for this table.</li>}>
								{action => (
									<li>
										<button type="button" onClick={() => actions.choose(action, [table])}>
											{action.label}
										</button>
									</li>
								)}
							</For>
						</ul>
					)}
				</Show>
			</div>
			<actions.Sheets />
		</Dialog>
	)
}
