import { createSignal, onCleanup } from 'solid-js'
import type { ExportState } from '../../host/api/api.ts'
import type { CallOptions } from '../api/client.ts'
import { useHost, useRecords } from '../state/host.tsx'
import { createTask } from '../state/task.ts'
import { forgetExport } from './kept-exports.ts'

/** Lets the browser save an export that the host has opened. */
export function fetchExport(id: string): void {
	const link = document.createElement('a')
	link.href = `export/${id}`
	link.download = ''
	link.click()
}

/** An export of the host as a download: its progress and outcome. `begin` opens the export. */
export function createDownload<A extends readonly unknown[]>(
	begin: (call: CallOptions, ...args: A) => Promise<{ readonly id: string }>,
) {
	const host = useHost()
	const records = useRecords()
	const [state, setState] = createSignal<ExportState>()
	let running: string | undefined
	onCleanup(
		host.on('export.changed', changed => {
			if (changed.id !== running) return
			setState(changed)
			if (changed.state !== 'running') forgetExport(records, changed.id)
		}),
	)
	// The download ends with the host, which can say nothing any more.
	onCleanup(
		host.onLost(() =>
			setState(now => (now?.state === 'running' ? { ...now, state: 'failed', message: 'Roundhouse stopped.' } : now)),
		),
	)
	const beginning = createTask(async (call, ...args: A) => {
		setState(undefined)
		const { id } = await begin(call, ...args)
		running = id
		setState({ id, state: 'running', rows: 0 })
		fetchExport(id)
	})
	const cancelling = createTask((_, id: string) => host.call('exports.cancel', { id }))
	return {
		begin: async (...args: A): Promise<void> => void (await beginning.run(...args)),
		state,
		isRunning: () => beginning.isRunning() || state()?.state === 'running',
		cancel(): void {
			beginning.cancel()
			if (running !== undefined) void cancelling.run(running)
		},
		error: () => beginning.error() ?? cancelling.error(),
	}
}
export type Download = ReturnType<typeof createDownload>
