import type { Manifest } from '@roundhouse/kit/manifest'
import { printable } from '../../protocol/printable.ts'

/** A description goes to a model with every list: no driver may fill it. */
const longestWords = 120

/** What a statement looks like, in the words of each driver; neutral where there is none. */
export function statementForms(drivers: readonly Manifest[]): string {
	const forms = byId(drivers).map(({ displayName, console }) => `${brief(displayName)}: ${brief(console.language)}`)
	return forms.length > 0
		? `Runs one statement. ${forms.join('; ')}.`
		: 'Runs one statement in the language of the engine.'
}

/** Tables, and what else the drivers call them. */
export function tableNouns(drivers: readonly Manifest[]): string {
	const nouns = byId(drivers).map(({ tableNoun }) => brief(tableNoun.many).toLowerCase())
	const others = [...new Set(nouns)].filter(noun => noun !== 'tables')
	return others.length > 0 ? `Tables (${others.join(', ')})` : 'Tables'
}

/** Always in the same order, so that a client may keep the list. */
function byId(drivers: readonly Manifest[]): readonly Manifest[] {
	return drivers.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

function brief(words: string): string {
	return printable(words).slice(0, longestWords)
}
