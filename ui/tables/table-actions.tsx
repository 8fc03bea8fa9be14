import { createEffect, createSignal, For, type JSX, on, onCleanup, Show } from 'solid-js'
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
	events: { onConsole(text: string): void; onDone(): void; onAside?(): void },
) {
	const actions = createActionRun(connection, { onDone: events.onDone, onAside: () => events.onAside?.() })
	const [filling, setFilling] = createSignal<FormAction>()
	return {
		/** From the choice of an action to its end. */
		isUnderWay: () => actions.isUnderWay() || filling() !== undefined,
		error: actions.error,
		choose({ label, text, isDraft, form, removes }: TableAction, tables: readonly string[]): void {
			const [table, ...others] = tables
			const named = removes && table !== undefined && others.length === 0 ? `${label} ${table}` : label
			if (form) setFilling({ label, tables, form })
			else if (isDraft) events.onConsole(text)
			else actions.ask({ label: named, text })
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

/** What the driver offers for one table, from its menu. It waits while an action is reviewed. */
export function TableActionsSheet(props: {
	readonly connection: TabConnection
	readonly table: string
	/** Whether the table is removed, if the driver offers that: the list of all actions is left out. */
	readonly isRemoval?: boolean
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
	/** An action that goes on behind the window ends when this sheet may be that of another table. */
	let isShown = true
	onCleanup(() => {
		isShown = false
	})
	const actions = createTableActions(connection, {
		onConsole: text => {
			props.onClose()
			props.onConsole(text)
		},
		onDone: () => {
			if (isShown) props.onClose()
			props.onDone()
		},
		onAside: () => props.onClose(),
	})
	createEffect(
		on(reading.value, offered => {
			const removal = props.isRemoval ? offered?.find(({ removes }) => removes) : undefined
			if (removal) actions.choose(removal, [table])
		}),
	)
	createEffect(
		on(actions.isUnderWay, (isUnderWay, was) => {
			if (was && !isUnderWay && props.isRemoval && actions.error() === undefined) props.onClose()
		}),
	)
	/** Whether the list would stand behind a question, or comes only to go. */
	const isListed = () => !actions.isUnderWay() && !(props.isRemoval && reading.isRunning())
	const List = () => (
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
	return (
		<Show when={isListed()} fallback={<actions.Sheets />}>
			<List />
		</Show>
	)
}
