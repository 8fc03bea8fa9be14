const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * Returns the expiry of a lifetime like `30d`, `12h`, `15m` or `90s` as ISO 8601; `null` for `never`; `undefined` for
 * other texts.
 */
export function expiryOf(text: string, now: number): string | null | undefined {
	if (text === 'never') return null
	const [, count, unit = ''] = /^([1-9]\d{0,6})([smhd])$/.exec(text) ?? []
	const lengthMs = Number(count) * (unitMs[unit] ?? Number.NaN)
	return Number.isNaN(lengthMs) ? undefined : new Date(now + lengthMs).toISOString()
}
