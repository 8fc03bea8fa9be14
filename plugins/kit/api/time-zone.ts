/** Clocks of time zones. Instants are milliseconds since 1970; readings of a clock are, too, as if the clock were in UTC. */

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
	const known = formats.get(timeZone)
	if (known) return known
	const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
	formats.set(timeZone, format)
	return format
}

/** Returns whether a text names a zone, for example `Europe/Berlin`. */
export function isTimeZone(text: string): boolean {
	try {
		return formatOf(text) !== undefined
	} catch {
		return false
	}
}

/** Returns how far the clock of a zone is ahead of UTC at an instant, in milliseconds. */
export function offsetAt(instant: number, timeZone: string): number {
	const name = formatOf(timeZone)
		.formatToParts(instant)
		.find(({ type }) => type === 'timeZoneName')?.value
	const [, sign, hours = '0', minutes = '0', seconds = '0'] =
		/^GMT([+-])(\d+)(?::(\d+))?(?::(\d+))?$/.exec(name ?? '') ?? []
	const size = Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1_000
	return sign === '-' ? -size : size
}

/**
 * Returns the first instant at which the clock of a zone has reached a reading. A reading that the clock skips is reached
 * when it skips, and of a reading that comes twice the first one counts.
 */
export function instantOf(reading: number, timeZone: string): number {
	const day = 86_400_000
	// No zone is more than a day away from UTC.
	let [before, reached] = [reading - 2 * day, reading + 2 * day]
	const offsets = [offsetAt(before, timeZone), offsetAt(reading, timeZone), offsetAt(reached, timeZone)]
	const exact = offsets
		.map(offset => reading - offset)
		.filter(instant => instant + offsetAt(instant, timeZone) === reading)
	if (exact.length > 0) return Math.min(...exact)
	while (reached - before > 1) {
		const middle = Math.floor((before + reached) / 2)
		if (middle + offsetAt(middle, timeZone) >= reading) reached = middle
		else before = middle
	}
	return reached
}
