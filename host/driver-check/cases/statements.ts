import {
	type Access,
	type ConsoleResult,
	cutText,
	type RunOptions,
	type Statement,
	type Verdict,
} from '@roundhouse/kit'
import type { StatementExamples } from '@roundhouse/kit/conformance'
import { DoesNotApply, notGiven, type Report } from '../findings.ts'
import type { Lab } from '../lab.ts'

/** Statements of the console: the examples of the conformance file, and what the driver says about a text. */

export interface Example {
	readonly text: string
	/** What it really may do. */
	readonly access: Access
}

export const ranks: readonly Access[] = ['read', 'write', 'destructive']
export const rankOf = (access: Access) => ranks.indexOf(access)

export function statementsOf(lab: Lab): StatementExamples {
	if (!lab.file.statements) throw notGiven('`statements`', "`statements: { read: ['list'], write: ['add a'] }`")
	return lab.file.statements
}

export function examplesOf(lab: Lab): readonly Example[] {
	const { read, write = [], destructive = [] } = statementsOf(lab)
	const of = (texts: readonly string[], access: Access) => texts.map(text => ({ text, access }))
	return [...of(read, 'read'), ...of(write, 'write'), ...of(destructive, 'destructive')]
}

/** Returns the driver's verdicts. Checks that each is within the text and after the previous one. */
export async function verdictsOf(lab: Lab, text: string, report: Report): Promise<readonly Verdict[]> {
	const verdicts = await lab.call('analyse', { text })
	let end = 0
	for (const [index, verdict] of verdicts.entries()) {
		const place = `analyse ${quoted(text)}[${index}]`
		if (verdict.start < end) report(place, `It starts at ${verdict.start}, before the end of the statement before it.`)
		if (verdict.end <= verdict.start || verdict.end > text.length)
			report(place, `It is from ${verdict.start} to ${verdict.end}, in a text of ${text.length} characters.`)
		end = verdict.end
	}
	return verdicts
}

/** The statement as the host cuts it out of the text. */
export const statementIn = (text: string, verdict: Verdict): Statement => ({
	...verdict,
	text: text.slice(verdict.start, verdict.end),
})

const longestShown = 50
export const quoted = (text: string) => JSON.stringify(cutText(text, longestShown))

/**
 * Texts that mean what an example means: behind comments, white space and marks that a careless scanner skips, and in
 * other case where the manifest says that case does not matter.
 */
export function disguises({ text }: Example, lab: Lab): readonly string[] {
	const { lineComments, blockComments, keywords } = lab.subject.manifest.console
	const word = /^\w+/.exec(text)?.[0] ?? ''
	const isKeyword = keywords.some(keyword => keyword.toLowerCase() === word.toLowerCase())
	return [
		`\n\t ${text}`,
		`\r\n\r\n${text}\r\n`,
		`\uFEFF${text}`,
		`${text}\u0000`,
		...lineComments.flatMap(mark => [`${mark} 🚂\n${text}`, `${mark}\r\n${text}\n${mark} end`]),
		...blockComments.flatMap(({ begin, end }) => [`${begin} 🚂\n${end}\n${text}`, `${begin}${end}\n${text}`]),
		...(isKeyword ? [text.replace(word, word.toUpperCase()), text.replace(word, word.toLowerCase())] : []),
	]
}

/** The statement of a text that has one. @throws DoesNotApply otherwise, which `console.verdicts` reports */
export async function onlyStatement(lab: Lab, text: string): Promise<Statement> {
	const [verdict] = await lab.call('analyse', { text })
	if (!verdict) throw new DoesNotApply(`${quoted(text)} is no statement.`)
	return statementIn(text, verdict)
}

export function run(
	lab: Lab,
	statement: Statement,
	{
		maxRows,
		sort,
		signal,
	}: Pick<RunOptions, 'maxRows'> & Partial<Pick<RunOptions, 'sort'>> & { readonly signal?: AbortSignal | undefined },
): Promise<ConsoleResult> {
	return lab.read('runConsole', { statement, maxRows, ...(sort && { sort }) }, { signal })
}
