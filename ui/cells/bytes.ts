/** Bytes of a cell: base64 in the cell, hexadecimal for people. Pure. */

/** Returns nothing for text that is not base64. */
export function bytesOf(base64: string): Uint8Array {
	try {
		return Uint8Array.from(atob(base64), character => character.charCodeAt(0))
	} catch {
		return new Uint8Array()
	}
}

/** Returns the number of bytes without decoding them. */
export function byteCount(base64: string): number {
	return (base64.replace(/=+$/, '').length * 3) >> 2
}

/** `0a ff`: without blanks it could not be read. */
export function hexOf(bytes: Uint8Array): string {
	return [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join(' ')
}
