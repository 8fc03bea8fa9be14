import { createEffect, onCleanup } from 'solid-js'
import type { PendingShowing } from '../../host/ui-server/api.ts'
import type { HostConnection } from '../api/client.ts'
import { showToast, showWaitingToast } from '../controls/toasts.tsx'
import { createReading } from '../state/task.ts'
import { messageOf } from '../words/message-of.ts'
import type { Workspace } from './workspace.ts'

/**
 * Tells of what AI clients want the person to see. Nothing moves by itself: rows are read when the person says so, and a
 * statement is put into a console, where it is theirs to run.
 */
export function tellShowings(host: HostConnection, workspace: Workspace): void {
	const pending = createReading(call => host.call('showings.pending', {}, call))
	onCleanup(host.on('showings.changed', () => void pending.run()))
	const told = new Map<string, () => void>()
	const take = (id: string) => host.call('showings.take', { id })

	async function show(id: string): Promise<void> {
		const showing = await take(id)
		// Another window has it.
		if (!showing) return
		const connection = workspace.connections.of(showing.connection.id)
		if (!connection) throw new Error(`The connection ${showing.connection.name} is not there any more.`)
		const { shown } = showing
		if (shown.kind === 'table') workspace.showRows(connection, shown)
		else workspace.newConsole(connection, shown.text)
	}
	const tell = (error: unknown) => void showToast(messageOf(error))

	createEffect(() => {
		const waiting = pending.value() ?? []
		for (const [id, takeAway] of told) {
			if (waiting.some(showing => showing.id === id)) continue
			told.delete(id)
			takeAway()
		}
		for (const showing of waiting) {
			const { id } = showing
			if (told.has(id)) continue
			const takeAway = showWaitingToast({
				text: wordsOf(showing),
				action: { label: 'Show', run: () => void show(id).catch(tell) },
				onDismissed: () => void take(id).catch(tell),
			})
			told.set(id, takeAway)
		}
	})
}

/** The client's name is its own word, and stands in quotes. */
function wordsOf({ asker, title, connection }: PendingShowing): string {
	return `“${asker.client}” wants to show you ${title} on ${connection.name}`
}
