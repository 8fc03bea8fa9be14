import { type StatementLanguage, statementParts } from './statement-parts.ts'

/** Divides a statement from the comments at its end, in which a driver says what else the statement does. */
export function withoutRemarks(
	text: string,
	language: StatementLanguage,
): { readonly statement: string; readonly remarks: readonly string[] } {
	const parts = [...statementParts(text, language)]
	const remarks: string[] = []
	while (parts.length > 1 && isRemark(parts)) {
		const [, comment] = parts.splice(-2, 2, { text: parts.at(-2)?.text.replace(/\n\s*$/, '') ?? '' })
		remarks.unshift(wordsOf(comment?.text ?? '', language))
		if (parts.at(-1)?.text === '') parts.pop()
	}
	return { statement: parts.map(part => part.text).join(''), remarks }
}

/** Whether the last part is a comment on a line by itself. */
function isRemark(parts: readonly { readonly text: string; readonly token?: string }[]): boolean {
	const [before, last] = parts.slice(-2)
	return last?.token === 'comment' && before?.token === undefined && /\n\s*$/.test(before?.text ?? '')
}

function wordsOf(comment: string, { lineComments }: StatementLanguage): string {
	const mark = lineComments.find(mark => comment.startsWith(mark)) ?? ''
	return comment.slice(mark.length).trim()
}
