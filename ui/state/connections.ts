import { batch, createMemo, createSignal } from 'solid-js'
import type { ConnectionView, Progress, ServerInfo, Table } from '../../host/ui-server/api.ts'
import type { HostConnection } from '../api/client.ts'
import type { Engine } from './engine.tsx'
import { createReading, createTask } from './task.ts'

/** The connection whose tables show. */
export type ActiveConnection =
	| { readonly status: 'opening'; readonly id: string; readonly progress: Progress | undefined }
	| OpenConnection
	| { readonly status: 'failed'; readonly id: string; readonly message: string }

export interface OpenConnection {
	readonly status: 'open'
	readonly id: string
	readonly name: string
	readonly info: ServerInfo
	readonly tables: readonly Table[]
	readonly engine: Engine
}

/** The saved connections, and the one that is open with its tables. */
export function createConnections(host: HostConnection) {
	const [saved, setSaved] = createSignal<readonly ConnectionView[]>([])
	const [activeId, setActiveId] = createSignal<string>()
	const reading = createReading(async call => setSaved(await host.call('connections.list', {}, call)))
	/** A missing driver is installed on the way. Looking elsewhere meanwhile is no word against the connection. */
	const opening = createTask(async ({ onProgress }, id: string) => {
		const { info, manifest } = await host.call('connections.open', { id }, { onProgress })
		const tables = await host.call('tables.list', { connection: id })
		return { info, tables, engine: manifest }
	})
	const active = createMemo((): ActiveConnection | undefined => {
		const id = activeId()
		if (id === undefined) return undefined
		if (opening.isRunning()) return { status: 'opening', id, progress: opening.progress() }
		const message = opening.error()
		if (message !== undefined) return { status: 'failed', id, message }
		const opened = opening.value()
		const name = saved().find(connection => connection.id === id)?.name ?? ''
		return opened && { status: 'open', id, name, ...opened }
	})
	host.on('connections.changed', () => void reading.run())
	host.on('session.state', ({ connection, state }) =>
		setSaved(all => all.map(view => (view.id === connection ? { ...view, state } : view))),
	)

	function open(id: string): void {
		batch(() => {
			setActiveId(id)
			void opening.run(id)
		})
	}
	return {
		saved,
		/** Whether the list could be read, and the way to read it again. */
		reading,
		active,
		open,
		/** Opens what is open once more, which reads its tables. */
		reload: opening.retry,
	}
}
