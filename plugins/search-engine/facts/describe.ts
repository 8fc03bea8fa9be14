import { cutText, type Fact, type FactRow, type FactSection, type Json } from '@roundhouse/kit'

/** Formats answers as facts. Pure functions. */

/** The content of a section, without its title and its request. */
export type SectionContent = Omit<FactSection, 'title' | 'statement'>

const rowsShown = 500

function shownOf(count: number): { readonly notice?: string } {
	return count > rowsShown ? { notice: `The first ${rowsShown} of ${count} are shown.` } : {}
}

/** Upper limit of a text. A list of synonyms in a setting may be longer than the driver's answer can be. */
const longestWords = 5_000

export function brief(words: string, most = longestWords): string {
	return cutText(words, most)
}

/** Limits the number and the length of the facts. */
export function within(content: SectionContent): SectionContent {
	if (content.facts === undefined) return content
	const shorten = (fact: Fact) => ({ ...fact, name: brief(fact.name), value: brief(fact.value) })
	return { ...shownOf(content.facts.length), ...content, facts: content.facts.slice(0, rowsShown).map(shorten) }
}

/** Further members of a row, and the text of an empty list. */
interface ListOptions<T> {
	readonly more?: (object: T) => Omit<FactRow, 'cells'>
	readonly whenEmpty?: string | undefined
}

/**
 * Returns a list of the objects of an answer, with title and reader per column. Columns without any text are omitted.
 */
export function listOf<T>(
	objects: readonly T[],
	columns: Readonly<Record<string, (object: T) => Json | undefined>>,
	{ more = () => ({}), whenEmpty = 'There are none.' }: ListOptions<T> = {},
): SectionContent {
	if (objects.length === 0) return { notice: whenEmpty }
	const shown = objects.slice(0, rowsShown)
	const filled = Object.entries(columns)
		.map(([title, read]) => ({ title, words: shown.map(object => brief(displayText(read(object)))) }))
		.filter(({ words }) => words.some(word => word !== ''))
	const rows = shown.map((object, at) => ({ cells: filled.map(({ words }) => words[at] ?? ''), ...more(object) }))
	return {
		list: { columns: filled.map(({ title }) => title), rows },
		...shownOf(objects.length),
	}
}

export function displayText(value: Json | undefined): string {
	if (value === null || value === undefined) return ''
	if (typeof value === 'string') return value
	return Array.isArray(value) ? value.map(displayText).join(', ') : JSON.stringify(value)
}

/** Formats a duration, for example `1.3 s` for 1,250 ms. */
export function duration(ms: number): string {
	if (ms < 1000) return `${Math.round(ms)} ms`
	if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
	const minutes = Math.round(ms / 60_000)
	return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}
