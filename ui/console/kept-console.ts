import type { Records } from '../state/records.ts'
import type { TabTarget } from '../state/tab.ts'

type ConsolePlace = Extract<TabTarget, { readonly kind: 'console' }>

/** Keys of the parts of a console. The second segment of a connection's keys is its id. */
const parts = [
	'console',
	'consoleName',
	'consoleFile',
	'consoleDatabase',
	'consoleSchema',
	'consoleManual',
	'consoleQuotes',
] as const
const keyOf = (part: (typeof parts)[number], connection: string, number: number) => `${part}/${connection}/${number}`

export const textKey = ({ connection, number }: ConsolePlace) => keyOf('console', connection, number)
export const nameKey = ({ connection, number }: ConsolePlace) => keyOf('consoleName', connection, number)
/** Where its statements run, if that is not the database of the connection. */
export const databaseKey = ({ connection, number }: ConsolePlace) => keyOf('consoleDatabase', connection, number)
/** The schema that its statements search first, if one is chosen. */
export const schemaKey = ({ connection, number }: ConsolePlace) => keyOf('consoleSchema', connection, number)
/** Whether its writes wait for a commit by hand. */
export const manualKey = ({ connection, number }: ConsolePlace) => keyOf('consoleManual', connection, number)
/** Whether it asks for values in quotes. */
export const quotesKey = ({ connection, number }: ConsolePlace) => keyOf('consoleQuotes', connection, number)
/** Changes in its results that are not saved, by window: another window has other results. */
export const changesKey = (place: ConsolePlace, window: string) => `${changesPrefix(place)}${window}`
export const changesPrefix = ({ connection, number }: ConsolePlace) => `consoleChanges/${connection}/${number}/`
/** The saved request that it shows. */
export const fileKey = ({ connection, number }: ConsolePlace) => keyOf('consoleFile', connection, number)

/**
 * Returns the first console of a connection that is neither open nor has content. A closed one with content is kept for
 * reopening.
 */
export function freeNumber(records: Records, connection: string, open: readonly number[]): number {
	const holds = (key: string) => (records.get(key) ?? '') !== ''
	for (let number = 1; ; number++) {
		const changes = records.keys(changesPrefix({ kind: 'console', connection, number }))
		const keys = [...parts.map(part => keyOf(part, connection, number)), ...changes]
		if (!open.includes(number) && !keys.some(holds)) return number
	}
}

/** Forgets a console that can no longer be reopened. */
export function forgetConsole(records: Records, place: ConsolePlace): void {
	for (const part of parts) records.set(keyOf(part, place.connection, place.number), null)
	records.set(changesKey(place, records.window), null)
}
