import { oneLine } from '@roundhouse/kit/shown-text'

/** Returns an external text on one line, for a question, the log or an answer. */
export const printable = oneLine

/** Without blanks, so that it cannot be a sentence. */
const plainName = /^[\w.:@[\]*,<>{}/+|$#-]{1,200}$/

/** A name from outside in a sentence of Roundhouse: in quotes that it cannot close, unless no part of a sentence can be in it. */
export function namedInSentence(name: string): string {
	const line = printable(name)
	return plainName.test(line) ? line : `“${line.replaceAll(/[“”]/g, '"')}”`
}

/**
 * Returns a text that the user must check exactly. Line breaks and tabs stay, invisible characters are escaped. A long
 * blank area, which would push the rest out of sight, is folded into a line that states its length.
 */
export function escapeInvisible(text: string): string {
	return spelledOut(foldedBlank(text))
}

/** Escapes invisible characters. Line breaks, tabs and spaces stay. */
export function spelledOut(text: string): string {
	return text.replace(/(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, character => {
		const code = character.codePointAt(0) ?? 0
		return `\\u{${code.toString(16)}}`
	})
}

/** Characters without a visible shape: spaces, default-ignorable characters of Unicode, and the Braille blank. */
const blank = /^[\s\p{Z}\p{Cf}\p{DI}\p{Mn}\u2800]*$/u
const wideGap = /[\p{Z}\t\p{DI}\p{Mn}\u2800]{40,}/gu
const maxBlankLines = 3

function foldedBlank(text: string): string {
	const lines: string[] = []
	let run: string[] = []
	const endRun = () => {
		lines.push(...(run.length > maxBlankLines ? [`⋯ ${run.length} blank lines ⋯`] : run))
		run = []
	}
	for (const line of text.split('\n')) {
		if (blank.test(line)) run.push(line)
		else {
			endRun()
			lines.push(line.replace(wideGap, gap => ` ⋯ ${gap.length} spaces ⋯ `))
		}
	}
	endRun()
	return lines.join('\n')
}
