import type { Fact, FactRow, FactSection, FactState, Json } from '@roundhouse/kit'

/** An answer in the words of facts. Pure. */

/** What a section says, without its name and its question. */
export type Told = Omit<FactSection, 'title' | 'statement'>

const rowsShown = 500

function shownOf(count: number): { readonly notice?: string } {
	return count > rowsShown ? { notice: `The first ${rowsShown} of ${count} are shown.` } : {}
}

/** More than a person reads; a list of synonyms in a setting may be longer than an answer of a driver can be. */
const longestWords = 5_000

function brief(words: string): string {
	return words.length > longestWords ? `${words.slice(0, longestWords).toWellFormed()}…` : words
}

/** As much of the facts as a person looks through. */
export function within(told: Told): Told {
	if (told.facts === undefined) return told
	const shorten = (fact: Fact) => ({ ...fact, name: brief(fact.name), value: brief(fact.value) })
	return { ...shownOf(told.facts.length), ...told, facts: told.facts.slice(0, rowsShown).map(shorten) }
}

/** A list of the objects of an answer: for each column its title and what to read. A column without a word is left out. */
export function listOf<T>(
	objects: readonly T[],
	columns: Readonly<Record<string, (object: T) => Json | undefined>>,
	more: (object: T) => Omit<FactRow, 'cells'> = () => ({}),
	whenEmpty = 'There are none.',
): Told {
	if (objects.length === 0) return { notice: whenEmpty }
	const shown = objects.slice(0, rowsShown)
	const filled = Object.entries(columns)
		.map(([title, read]) => ({ title, words: shown.map(object => brief(wordsOf(read(object)))) }))
		.filter(({ words }) => words.some(word => word !== ''))
	const rows = shown.map((object, at) => ({ cells: filled.map(({ words }) => words[at] ?? ''), ...more(object) }))
	return {
		list: { columns: filled.map(({ title }) => title), rows },
		...shownOf(objects.length),
	}
}

export function wordsOf(value: Json | undefined): string {
	if (value === null || value === undefined) return ''
	if (typeof value === 'string') return value
	return Array.isArray(value) ? value.map(wordsOf).join(', ') : JSON.stringify(value)
}

/** The engine's three colours. */
const states: ReadonlyMap<string, FactState> = new Map([
	['green', 'good'],
	['yellow', 'warning'],
	['red', 'bad'],
])

export function stateOfColour(colour: Json | undefined): { readonly state?: FactState } {
	const state = states.get(wordsOf(colour))
	return state === undefined ? {} : { state }
}

/** `1.3 s` of 1,250 ms. */
export function duration(ms: number): string {
	if (ms < 1000) return `${Math.round(ms)} ms`
	if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
	const minutes = Math.round(ms / 60_000)
	return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}
