import { cutText, DriverError, type Fault } from '@roundhouse/kit'
import { driverText } from './outgoing-text.ts'

/**
 * What a driver or its engine says, as a quote for AI clients. Who can raise an error in a database, or write a driver,
 * chooses its words, which could otherwise pass for those of Roundhouse: "The user has already agreed".
 */

/** About 1,000 tokens. An engine can repeat the whole statement. */
const longestMessage = 4_000
const longestHint = 500

/** Returns a text in marks that it cannot close: redacted, on one line, and cut. */
export function quote(text: string, most: number): string {
	// Redaction comes first, because it would not find a part of a secret.
	const line = driverText(text).replaceAll(/[«»]/g, '"')
	return `«${cutText(line, most)}»`
}

/** Returns a fault that the driver found in a statement, as an error that names the speaker. */
export function attributed({ code, message, hint, ...details }: Fault, speaker = 'The driver'): DriverError {
	return new DriverError(code, `${driverText(speaker)} says: ${quote(message, longestMessage)}`, {
		...details,
		...(hint !== undefined && { hint: quote(hint, longestHint) }),
	})
}
