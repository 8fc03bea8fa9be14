import { type CompletionSources, fieldsAt, keyword, namesOf, type Suggestion } from './completion-sources.ts'
import type { CompletionContext } from './context.ts'
import { type EsqlContext, esqlAt } from './esql.ts'
import type { EsqlWord } from './esql-words.ts'

/** Returns the place in an ES|QL query; `undefined` elsewhere, or where nothing can be completed. */
export function esqlIn(place: CompletionContext): EsqlContext | undefined {
	if (place.kind === 'query') return esqlAt(place.query)
	if (place.kind !== 'body' || place.segments[0] !== '_query') return undefined
	if (place.expects !== 'value' || place.keys.join() !== 'query') return undefined
	return esqlAt(place.isLong ? place.word : place.word.replace(/\\(["\\])/g, '$1'))
}

export async function esqlOptions(place: EsqlContext, known: CompletionSources): Promise<readonly Suggestion[]> {
	const isKnown = ({ since }: EsqlWord) => {
		const [major = 0, minor = 0] = since.split('.').map(Number)
		const [ours = 0, minorOfOurs = 0] = known.version
		return ours > major || (ours === major && minorOfOurs >= minor)
	}
	const fields = place.takesFields && place.source !== undefined ? await fieldsAt(place.source, known) : []
	return [
		...place.commands.filter(isKnown).map(({ name }) => keyword([name, ''])),
		...(place.takesFields ? place.made.map((label): Suggestion => ({ label, kind: 'column' })) : []),
		...fields,
		...(place.takesIndex ? await namesOf(known) : []),
		...place.functions
			.filter(isKnown)
			.map(
				({ name, signature }): Suggestion => ({ label: name, kind: 'keyword', detail: signature, insert: `${name}(` }),
			),
		...place.keywords.map(label => keyword([label, ''])),
	]
}
