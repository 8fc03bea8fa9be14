/**
 * A text that a person must judge letter by letter: line breaks and tabs stay, and characters that hide, join or turn
 * what stands beside them are spelled out.
 */
export function spelledOut(text: string): string {
	return text.replace(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, character => {
		const code = character.codePointAt(0) ?? 0
		return `\\u{${code.toString(16)}}`
	})
}
