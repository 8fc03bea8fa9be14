/** Approximates the standard analyzer for Western text: words of letters and digits, in lower case. */

export interface Token {
	readonly token: string
	readonly start_offset: number
	readonly end_offset: number
	readonly type: string
	readonly position: number
}

const word = /[\p{L}\p{M}\p{N}_]+(?:['’.][\p{L}\p{M}\p{N}_]+)*/gu

export function tokenize(text: string): Token[] {
	return [...text.matchAll(word)].map((match, position) => ({
		token: match[0].toLowerCase(),
		start_offset: match.index,
		end_offset: match.index + match[0].length,
		type: /^\d/.test(match[0]) ? '<NUM>' : '<ALPHANUM>',
		position,
	}))
}
