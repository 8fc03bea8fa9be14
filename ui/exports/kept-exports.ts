import type { HostMethod, ParamsOf } from '../../host/api/api.ts'
import type { Records } from '../state/records.ts'

export type AskedExport = ParamsOf<Extract<HostMethod, 'exports.begin'>>
export const prefix = 'export/'
/** Selected rows that are kept. */
const mostRows = 1000

/** Keeps what an export was asked for, until the host has sent all of it or the window has shown how it ended. */
export function keepExport(records: Records, id: string, asked: AskedExport): void {
	if ((asked.options.rowIds?.length ?? 0) > mostRows) return
	// What is sent to the host is JSON.
	records.set(`${prefix}${asked.connection}/${id}`, JSON.parse(JSON.stringify(asked)))
}

/** The window has shown how it ended. */
export function forgetExport(records: Records, id: string): void {
	for (const key of records.keys(prefix)) if (key.endsWith(`/${id}`)) records.set(key, null)
}
