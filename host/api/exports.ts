import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { Emitter } from '../../base/emitter.ts'
import { messageOf } from '../../base/errors.ts'
import type { Session } from '../connections/session.ts'
import { apiErrors } from './errors.ts'

/** The state of an export for the window. */
export interface ExportState {
	readonly id: string
	readonly state: 'running' | 'done' | 'failed' | 'cancelled'
	readonly rows: number
	readonly total?: number
	readonly message?: string
}

interface Export {
	readonly session: Session
	readonly handle: number
	readonly fileName: string
	readonly contentType: string
	readonly abort: AbortController
	/** Claimed by one reader; later requests are refused. */
	isTaken: boolean
	state: ExportState
}

const types: Readonly<Record<string, string>> = {
	ndjson: 'application/x-ndjson',
	json: 'application/json',
	csv: 'text/csv; charset=utf-8',
}
/**
 * Time after which an export that was not fetched is closed, in milliseconds. The window that requested the export is
 * probably closed.
 */
const unfetchedMs = 60_000

/** An export that a driver has opened. */
interface OpenedExport {
	readonly session: Session
	readonly handle: number
	/** Name of the file, without its extension. */
	readonly name: string
	readonly format: string
}

/**
 * Manages exports for download. A driver opens an export first, so that errors are reported before a download starts. The
 * export is then streamed in pieces at the reader's speed. If an export fails or is cancelled, the download is aborted,
 * so that no browser saves a partial file as complete.
 */
export class Exports {
	readonly #changed = new Emitter<ExportState>()
	readonly onChange = this.#changed.on
	readonly #exports = new Map<string, Export>()

	/** Adds an export. @returns the id to fetch it by */
	begin({ session, handle, name, format }: OpenedExport): string {
		const id = randomUUID()
		const entry: Export = {
			session,
			handle,
			fileName: `${name.replace(/[^\w.-]+/g, '_')}.${format}`,
			contentType: types[format] ?? 'application/octet-stream',
			abort: new AbortController(),
			isTaken: false,
			state: { id, state: 'running', rows: 0 },
		}
		this.#exports.set(id, entry)
		setTimeout(() => {
			if (!entry.isTaken) void this.#close(entry)
		}, unfetchedMs).unref()
		return id
	}

	/** Ids of those that have not ended. */
	get running(): readonly string[] {
		return [...this.#exports.keys()]
	}

	cancel(id: string): void {
		const entry = this.#exports.get(id)
		entry?.abort.abort()
		if (entry && !entry.isTaken) void this.#close(entry)
	}

	/** Streams an export into a download. @throws HostError `api/export_unknown` */
	async stream(id: string, response: ServerResponse, headers: Readonly<Record<string, string>>): Promise<void> {
		const entry = this.#exports.get(id)
		if (!entry || entry.isTaken || response.destroyed) throw apiErrors.make('export_unknown')
		entry.isTaken = true
		const { session, handle, abort } = entry
		response.once('close', () => abort.abort())
		response.writeHead(200, {
			...headers,
			'content-type': entry.contentType,
			'content-disposition': `attachment; filename="${entry.fileName}"`,
		})
		try {
			for (;;) {
				const piece = await session.call(
					'readExport',
					{ export: handle },
					{
						signal: abort.signal,
						onProgress: ({ done, total }) => this.#change(entry, { rows: done, ...(total !== undefined && { total }) }),
					},
				)
				abort.signal.throwIfAborted()
				if (!piece) break
				if (!response.write(piece)) await once(response, 'drain', { signal: abort.signal })
			}
			response.end()
			this.#change(entry, { state: 'done' })
		} catch (error) {
			const isCancelled = abort.signal.aborted
			this.#change(entry, isCancelled ? { state: 'cancelled' } : { state: 'failed', message: messageOf(error) })
			response.destroy()
		} finally {
			await this.#close(entry)
		}
	}

	async #close({ session, handle, state }: Export): Promise<void> {
		this.#exports.delete(state.id)
		if (session.isAlive) await session.call('closeExport', { export: handle }).catch(() => {})
	}

	#change(entry: Export, changes: Partial<ExportState>): void {
		entry.state = { ...entry.state, ...changes }
		this.#changed.fire(entry.state)
	}
}
