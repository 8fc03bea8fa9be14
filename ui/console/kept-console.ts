import type { Records } from '../state/records.ts'
import type { TabPlace } from '../state/tab.ts'

type ConsolePlace = Extract<TabPlace, { readonly kind: 'console' }>

/** Where the parts of a console are kept. What belongs to a connection has its id in the second place. */
const keyOf = (part: 'console' | 'consoleName' | 'consoleFile', connection: string, number: number) =>
	`${part}/${connection}/${number}`

export const textKey = ({ connection, number }: ConsolePlace) => keyOf('console', connection, number)
export const nameKey = ({ connection, number }: ConsolePlace) => keyOf('consoleName', connection, number)
/** Of the saved request that it shows. */
export const fileKey = ({ connection, number }: ConsolePlace) => keyOf('consoleFile', connection, number)

/** The first console of a connection that is not open and holds nothing: a closed one waits to be opened again. */
export function freeNumber(records: Records, connection: string, open: readonly number[]): number {
	const holds = (key: string) => (records.get(key) ?? '') !== ''
	for (let number = 1; ; number++) {
		const keys = (['console', 'consoleName', 'consoleFile'] as const).map(part => keyOf(part, connection, number))
		if (!open.includes(number) && !keys.some(holds)) return number
	}
}

/** Lets go of a console that nothing opens any more. */
export function forgetConsole(records: Records, place: ConsolePlace): void {
	for (const key of [textKey(place), nameKey(place), fileKey(place)]) records.set(key, null)
}
