import { counted } from '../../words/format.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
/** Units with their shortest length in milliseconds. The calendar makes the last three longer at times. */
const units = [
	['year', 365 * day],
	['quarter', 90 * day],
	['month', 28 * day],
	['week', 7 * day],
	['day', day],
	['hour', hour],
	['minute', minute],
	['second', 1000],
] as const

/** Prints the width of a step of time: `5 minutes`, `1 month`. */
export function durationText(ms: number): string {
	const [name, length] = units.find(([, length]) => ms >= length) ?? (['second', 1000] as const)
	return counted(Math.floor(ms / length), { one: name, many: `${name}s` })
}
