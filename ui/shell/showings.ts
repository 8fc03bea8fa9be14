import { createEffect, onCleanup } from 'solid-js'
import type { PendingShowing, SavedRequest } from '../../host/api/api.ts'
import type { HostConnection } from '../api/client.ts'
import { showToast, showWaitingToast } from '../controls/toasts.tsx'
import type { TabConnection } from '../state/tab.ts'
import { createReading } from '../state/task.ts'
import { messageOf } from '../words/message-of.ts'
import type { Workspace } from './workspace.ts'

type ProposedShowing = Extract<PendingShowing['shown'], { readonly kind: 'tool' }>

/** A statement that an AI client proposes as a tool, saved on a connection. */
export interface Proposal {
	readonly connection: TabConnection
	readonly request: SavedRequest
	readonly proposal: ProposedShowing['tool']
}

/**
 * Reports what AI clients want to show. Nothing opens by itself: rows are read when the user agrees, and a statement is
 * put into a console, where the user can run it.
 */
export function reportShowings(
	host: HostConnection,
	workspace: Workspace,
	onProposal: (proposed: Proposal) => void,
): void {
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
		else if (shown.kind === 'statement') workspace.newConsole(connection, shown.text)
		else onProposal({ connection, request: await save(connection.id, shown), proposal: shown.tool })
	}

	/** Saves the statement of a proposed tool under a name that is free. The user tries it in its console. */
	async function save(connection: string, { tool, text }: ProposedShowing): Promise<SavedRequest> {
		const { requests } = await host.call('requests.list', { connection })
		const taken = new Set(requests.flatMap(({ place, name }) => (place === 'own' ? [name] : [])))
		let name = tool.name
		for (let number = 2; taken.has(name); number++) name = `${tool.name} ${number}`
		return host.call('requests.add', { connection, place: 'own', name, text })
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
