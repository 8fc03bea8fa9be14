/** Message for a text that is not a fingerprint. */
export const fingerprintRule = 'A fingerprint has 64 hexadecimal digits.'

/**
 * Normalizes a registry fingerprint that a user pasted, for example in capitals or in groups. Returns `undefined` if
 * the text is not a fingerprint.
 */
export function fingerprintIn(text: string): string | undefined {
	const plain = text.replace(/[\s:]/g, '').toLowerCase()
	return /^[0-9a-f]{64}$/.test(plain) ? plain : undefined
}
