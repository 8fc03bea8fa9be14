import type { ImportAccount, ImportPlan } from '../../../host/api/api.ts'
import type { HostConnection } from '../../api/client.ts'

/** Bytes of a file in one call. Each is sent after the answer to the last one. */
const pieceBytes = 256 * 1024

/** Returns the bytes as base64. */
export function base64Of(part: Blob): Promise<string> {
	const { promise, resolve, reject } = Promise.withResolvers<string>()
	const reader = new FileReader()
	// A data URL ends with the base64 text.
	reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '')
	reader.onerror = () => reject(new Error('The file cannot be read any more. Choose it again.'))
	reader.readAsDataURL(part)
	return promise
}

interface ImportWork {
	readonly host: HostConnection
	readonly file: File
	readonly plan: ImportPlan
	/** Proofs of what the user confirmed. */
	readonly said: { readonly review?: string | undefined; readonly typed?: string | undefined }
	/** Aborts when the user cancels. Rows that are on their way are still imported. */
	readonly signal: AbortSignal
	onProgress(progress: { readonly bytes: number; readonly rows: number }): void
}

/** Imports a file: reads it in pieces and sends each to the host. @returns the account of its rows */
export async function importFile({ host, file, plan, said, signal, onProgress }: ImportWork): Promise<ImportAccount> {
	const { id } = await host.call('imports.begin', { ...plan, ...said })
	let cancelled: Promise<ImportAccount> | undefined
	const cancel = () => {
		cancelled ??= host.call('imports.cancel', { id })
		// The caller gets the failure from what it waits for.
		cancelled.catch(() => {})
	}
	signal.addEventListener('abort', cancel)
	try {
		for (let at = 0; at < file.size && !signal.aborted; at += pieceBytes) {
			const bytes = await base64Of(file.slice(at, at + pieceBytes))
			if (signal.aborted) break
			const { state, rows } = await host.call(
				'imports.write',
				{ id, bytes },
				{ onProgress: ({ done }) => onProgress({ bytes: at, rows: done }) },
			)
			onProgress({ bytes: Math.min(at + pieceBytes, file.size), rows })
			if (state !== 'running') break
		}
		return await (cancelled ?? host.call('imports.end', { id }))
	} catch (error) {
		cancel()
		throw error
	} finally {
		signal.removeEventListener('abort', cancel)
	}
}

/** Returns the faults in the order of the file. */
export const inOrder = ({ faults }: ImportAccount) => faults.toSorted((one, other) => one.line - other.line)

/** Returns the account as CSV: a line for each row that was not imported, or may not be. */
export function accountCsv(account: ImportAccount, record: (values: readonly (string | number)[]) => string): string {
	return [
		['line', 'outcome', 'message', 'values'],
		...inOrder(account).map(({ line, outcome, message, values }) => [line, outcome, message, values]),
	]
		.map(values => `${record(values)}\r\n`)
		.join('')
}
