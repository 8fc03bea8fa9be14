/** What is said of one that is none. */
export const fingerprintRule = 'A fingerprint has 64 hexadecimal digits.'

/** A registry's fingerprint as people copy it, in capitals or in groups; `undefined` where it is none. */
export function fingerprintIn(text: string): string | undefined {
	const plain = text.replace(/[\s:]/g, '').toLowerCase()
	return /^[0-9a-f]{64}$/.test(plain) ? plain : undefined
}
