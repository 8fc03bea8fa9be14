/** Returns the first characters of a text, and an ellipsis if it is longer. A character of two code units is not halved. */
export function cutText(text: string, most: number): string {
	return text.length > most ? `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…` : text
}
