import { createEffect, createSignal, type JSX, on, Show } from 'solid-js'
import { UndoSheet } from '../ai-access/undo-sheet.tsx'
import { Notice } from '../controls/notice.tsx'
import { onClientChange } from '../state/client-changes.ts'
import { useHost } from '../state/host.tsx'
import type { TabConnection } from '../state/tab.ts'
import { counted } from '../words/format.ts'

interface LastChange {
	readonly change: string
	/** The client chose this name, so it is quoted. */
	readonly client: string
	readonly rows: number
}

/** Says what an AI client changed in the table since its rows were read, with the undo. */
export function ClientChanges(props: {
	readonly connection: TabConnection
	readonly table: string
	/** Number of reloads. */
	readonly reloads: number
	onReload(): void
}): JSX.Element {
	const host = useHost()
	const [last, setLast] = createSignal<LastChange>()
	const [undoing, setUndoing] = createSignal<string>()
	async function note(change: string, client = ''): Promise<void> {
		const kept = await host.call('undo.change', { connection: props.connection.id, change }).catch(() => null)
		if (kept?.table === props.table && kept.canUndo) setLast({ change, client, rows: kept.count })
	}
	onClientChange(host, ({ connection, change, client }) => {
		if (connection === props.connection.id) void note(change, client)
	})
	createEffect(
		on(
			() => props.reloads,
			() => setLast(undefined),
			{ defer: true },
		),
	)
	return (
		<>
			<Show when={last()}>
				{found => (
					<Notice kind="info" action={{ label: 'Undo …', run: () => setUndoing(found().change) }}>
						“{found().client}” changed {counted(found().rows, props.connection.engine.rowNoun)} here. Reload to see
						them.
					</Notice>
				)}
			</Show>
			<Show when={undoing()} keyed>
				{change => (
					<UndoSheet
						connection={props.connection}
						change={change}
						onClose={() => setUndoing(undefined)}
						onUndone={() => {
							setLast(undefined)
							props.onReload()
						}}
					/>
				)}
			</Show>
		</>
	)
}
