import { createEffect, onCleanup } from 'solid-js'
import type { PendingShowing } from '../../host/api/api.ts'
import type { HostConnection } from '../api/client.ts'
import { showToast, showWaitingToast } from '../controls/toasts.tsx'
import { createReading } from '../state/task.ts'
import { messageOf } from '../words/message-of.ts'
import type { Workspace } from './workspace.ts'

/**
 * Reports what AI clients want to show. Nothing opens by itself: rows are read when the user agrees, and a statement is
 * put into a console, where the user can run it.
 */
export function reportShowings(host: HostConnection, workspace: Workspace): void {
	const pending = createReading(call => host.call('showings.pending', {}, call))
	onCleanup(host.on('showings.changed', () => void pending.run()))
	/** By id: what removes its message. */
	const messages = new Map<string, () => void>()
	const take = (id: string) => host.call('showings.take', { id })

	async function show(id: string): Promise<void> {
		const showing = await take(id)
		// Another window has taken it.
		if (!showing) return
		const connection = workspace.connections.of(showing.connection.id)
		if (!connection) throw new Error(`The connection ${showing.connection.name} no longer exists.`)
		const { shown } = showing
		if (shown.kind === 'table') workspace.showRows(connection, shown)
		else workspace.newConsole(connection, shown.text)
	}
	const report = (error: unknown) => void showToast(messageOf(error))

	createEffect(() => {
		const waiting = pending.value() ?? []
		for (const [id, dismiss] of messages) {
			if (waiting.some(showing => showing.id === id)) continue
			messages.delete(id)
			dismiss()
		}
		for (const showing of waiting) {
			const { id } = showing
			if (messages.has(id)) continue
			const dismiss = showWaitingToast({
				text: wordsOf(showing),
				action: { label: 'Show', run: () => void show(id).catch(report) },
				onDismissed: () => void take(id).catch(report),
			})
			messages.set(id, dismiss)
		}
	})
}

/** The client chose this name, so it is quoted. */
function wordsOf({ asker, title, connection }: PendingShowing): string {
	return `“${asker.client}” wants to show you ${title} on ${connection.name}`
}
