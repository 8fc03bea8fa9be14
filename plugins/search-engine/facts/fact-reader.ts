import {
	DriverError,
	type Fact,
	type FactRow,
	type FactSection,
	type FactState,
	isJsonObject,
	type Json,
	type JsonObject,
} from '@roundhouse/kit'
import type { Transport } from '../transport/transport.ts'

/** What a section is read from: a GET, and the body that some take. */
export interface Question {
	readonly path: string
	readonly search?: string
	readonly body?: JsonObject
}

type Told = Omit<FactSection, 'title' | 'statement'>

/** Reads sections of facts. One that the cluster refuses says why, and the others stand all the same. */
export class FactReader {
	readonly #transport: Transport
	readonly #signal: AbortSignal

	constructor(transport: Transport, signal: AbortSignal) {
		this.#transport = transport
		this.#signal = signal
	}

	async section(title: string, question: Question, tell: (answer: Json) => Told): Promise<FactSection> {
		const { path, search, body } = question
		const line = `GET ${path}${search === undefined ? '' : `?${search}`}`
		const statement = body === undefined ? line : `${line}\n${JSON.stringify(body, null, 2)}`
		try {
			const reply = await this.#transport.send({ method: 'GET', ...question, isRead: true }, this.#signal)
			return { title, statement, ...within(tell(reply.json())) }
		} catch (error) {
			if (!(error instanceof DriverError) || error.code === 'user_cancelled') throw error
			return { title, statement, notice: error.message }
		}
	}
}

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
function within(told: Told): Told {
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

export function objectsOf(value: Json | undefined): JsonObject[] {
	return Array.isArray(value) ? value.filter(isJsonObject) : []
}

export function objectOf(value: Json | undefined): JsonObject {
	return isJsonObject(value) ? value : {}
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
