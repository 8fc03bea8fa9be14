import { cutText, type Fault, parameterPlaces, type Verdict } from '@roundhouse/kit'
import { isBlank } from '../text/lexer.ts'
import type { StatementSpan } from '../text/statement-span.ts'

/** What every engine says of a statement before it looks at its words. */
export type StatementHead = Pick<Verdict, 'start' | 'end' | 'summary'> & { readonly fault?: Fault }

/** More statements would take the driver longer than its other callers may wait. */
const mostStatements = 1_000

/** Returns one verdict for a text of too many statements, which runs nothing. @param program that runs a file of them */
export function tooManyStatements(
	pieces: readonly StatementSpan[],
	program: string,
): (Verdict & { fault: Fault }) | undefined {
	if (pieces.length <= mostStatements) return undefined
	const [start, end] = [pieces[0]?.start ?? 0, pieces.at(-1)?.end ?? 0]
	const message = `The text has ${pieces.length} statements, and ${mostStatements} can be run at once. Run it in parts, or a file of it with ${program}.`
	const fault = { code: 'invalid_argument' as const, message }
	return { start, end, access: 'destructive', summary: message, isUnread: true, fault }
}

/** Returns where a statement is and how it is called. Its fault is a place in two braces that stands for no whole value. */
export function headOf(text: string, { start, end, tokens }: StatementSpan): StatementHead {
	const statement = text.slice(start, tokens.at(-1)?.end ?? end)
	const words = tokens.map(token => (isBlank(token) ? ' ' : text.slice(token.start, token.end)))
	const summary = shortened(words.join('').replace(/\s+/g, ' '))
	const places = parameterPlaces(statement).filter(({ name }) => name !== undefined)
	const alone = new Set(tokens.filter(({ kind }) => kind === 'placeholder').map(token => token.start - start))
	const bad = places.find(place => !alone.has(place.start))
	if (!bad && places.length === alone.size) return { start, end, summary }
	return { start, end, summary, fault: bad ? { ...misplaced, at: bad.start } : misplaced }
}

const longestSummary = 200

const shortened = (text: string) => cutText(text, longestSummary - 1)

const misplaced: Fault = {
	code: 'invalid_argument',
	message:
		'A place in two braces stands for a whole value, so it takes no quotes and is no name or comment. Write \\{{ for two braces as text.',
}
