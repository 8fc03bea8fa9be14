/**
 * Spells control and format characters of a text as JSON escapes, which are equal in JSON, so that the text cannot
 * control a terminal. Line breaks, tabs and the joiners of emoji and scripts stay. Texts come from registries, drivers,
 * their authors and engines.
 */
export function withoutControls(text: string): string {
	return text.replace(/(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, character =>
		// By UTF-16 units, as JSON does.
		character
			.split('')
			.map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
			.join(''),
	)
}
