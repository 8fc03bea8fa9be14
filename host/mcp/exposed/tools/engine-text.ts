import type { Manifest } from '@roundhouse/kit/manifest'
import { printable } from '../../protocol/printable.ts'

/** Upper limit of a driver's text in a description, which is sent with every list. */
const maxWordsLength = 120

/** Describes the statements of each installed driver, or of engines in general if there is none. */
export function statementForms(drivers: readonly Manifest[]): string {
	const forms = byId(drivers).map(({ displayName, console }) => `${brief(displayName)}: ${brief(console.language)}`)
	return forms.length > 0
		? `Runs one statement. ${forms.join('; ')}.`
		: 'Runs one statement in the language of the engine.'
}

/** Returns "Tables" and the drivers' own terms for them. */
export function tableNouns(drivers: readonly Manifest[]): string {
	const nouns = byId(drivers).map(({ tableNoun }) => brief(tableNoun.many).toLowerCase())
	const others = [...new Set(nouns)].filter(noun => noun !== 'tables')
	return others.length > 0 ? `Tables (${others.join(', ')})` : 'Tables'
}

/** Describes the argument `raw` in the languages of the installed drivers. */
export function rawWords(drivers: readonly Manifest[]): Readonly<Record<string, string>> {
	const languages = byId(drivers).flatMap(({ displayName, rawQuery }) =>
		rawQuery?.language === undefined ? [] : `${brief(displayName)}: ${brief(rawQuery.language)}`,
	)
	return languages.length > 0 ? { raw: languages.join('; ') } : {}
}

/** Describes the arguments of a filter that depend on the installed drivers: `raw`, and dates in `filters`. */
export function filterWords(drivers: readonly Manifest[]): Readonly<Record<string, string>> {
	const days = byId(drivers).flatMap(({ displayName, dayFilters }) =>
		dayFilters === undefined ? [] : `${brief(displayName)}: ${brief(dayFilters)}`,
	)
	return {
		...rawWords(drivers),
		...(days.length > 0 && { filters: `Conditions on columns. Dates without a time in ${days.join('; ')}` }),
	}
}

/** Formats a number of rows for people and models: `1 row`, `1,200 rows`. */
export function rowsText(value: number): string {
	return `${value.toLocaleString('en')} ${value === 1 ? 'row' : 'rows'}`
}

/** Returns the drivers in a stable order, so that clients can cache the list. */
function byId(drivers: readonly Manifest[]): readonly Manifest[] {
	return drivers.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

function brief(words: string): string {
	return printable(words).slice(0, maxWordsLength)
}
