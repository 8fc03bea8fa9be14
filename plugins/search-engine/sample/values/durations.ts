import { unitMillis } from './dates.ts'
import { illegalArgument } from './failure.ts'

/** Converts a time value of the engine, for example `5m` or `30s`, to milliseconds. */
export function durationMs(text: string): number {
	const [, count, unit = ''] = /^(\d+)(d|h|m|s|ms)$/.exec(text) ?? []
	if (count === undefined)
		throw illegalArgument(`failed to parse setting [keep_alive] with value [${text}] as a time value`)
	return Number(count) * (unitMillis[unit] ?? 1)
}
