import type { HostConnection } from '../api/client.ts'
import { showToast, showWaitingToast } from '../controls/toasts.tsx'
import type { Records } from '../state/records.ts'
import { messageOf } from '../words/message-of.ts'
import { fetchExport } from './download.ts'
import { type AskedExport, forgetExport, keepExport, prefix } from './kept-exports.ts'

/**
 * Lists exports that ended with the host or with the window, whose files are not whole. Each is begun again from its first
 * row, or dismissed.
 */
export function reportInterrupted(host: HostConnection, records: Records): void {
	const listed = new Set<string>()
	host.on('export.changed', ({ id, state }) => state === 'done' && forgetExport(records, id))

	async function begin(key: string): Promise<void> {
		// Written by `keepExport`; the host checks it.
		const asked = records.get(key) as unknown as AskedExport
		records.set(key, null)
		const { id } = await host.call('exports.begin', asked)
		keepExport(records, id, asked)
		fetchExport(id)
		showToast(`The export of ${asked.query.table} begins again.`)
	}
	async function list(): Promise<void> {
		if (records.keys(prefix).length === 0) return
		const running = await host.call('exports.running', {})
		for (const key of records.keys(prefix)) {
			const id = key.slice(key.lastIndexOf('/') + 1)
			if (listed.has(key) || running.includes(id)) continue
			listed.add(key)
			const { query } = records.get(key) as unknown as AskedExport
			showWaitingToast({
				text: `The export of ${query.table} was interrupted. Its file is not whole.`,
				action: { label: 'Start again', run: () => void begin(key).catch(error => showToast(messageOf(error))) },
				onDismissed: () => records.set(key, null),
			})
		}
	}
	const report = () => void list().catch(() => {})
	report()
	host.onReconnected(report)
}
