/** Control characters, separators of lines, and the format characters that turn, join or hide what stands beside them. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu

/**
 * A text of a stranger on one line, as it may stand in a question, in the log or on a terminal: it can neither begin a
 * line of its own nor change how its neighbours read.
 */
export function printable(text: string): string {
	return text.replace(unprintable, ' ').trim()
}

/**
 * The same for a text that a person must judge letter by letter: line breaks and tabs stay, the rest is spelled out, and
 * a stretch of nothing that would push what follows out of sight is folded into a line that says so.
 */
export function legible(text: string): string {
	return foldedBlank(text).replace(/(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, character => {
		const code = character.codePointAt(0) ?? 0
		return `\\u{${code.toString(16)}}`
	})
}

/** Letters that show as nothing: spaces, what Unicode lets a font ignore, and the Braille blank. */
const blank = /^[\s\p{Z}\p{Cf}\p{DI}\p{Mn}\u2800]*$/u
const wideGap = /[\p{Z}\t\p{DI}\p{Mn}\u2800]{40,}/gu
const mostBlankLines = 3

function foldedBlank(text: string): string {
	const lines: string[] = []
	let run: string[] = []
	const endRun = () => {
		lines.push(...(run.length > mostBlankLines ? [`⋯ ${run.length} blank lines ⋯`] : run))
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
