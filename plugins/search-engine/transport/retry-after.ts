import type { IncomingHttpHeaders } from 'node:http'

/** Returns the wait of a `Retry-After` header (RFC 9110, 10.2.3: seconds or a date), or `undefined` without one. */
export function retryAfterMs(headers: IncomingHttpHeaders): number | undefined {
	const text = headers['retry-after']?.trim() ?? ''
	if (/^[0-9]{1,9}$/.test(text)) return Number(text) * 1000
	const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN
	return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}
