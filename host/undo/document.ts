import {
	type ColumnKind,
	isJsonObject,
	type Json,
	type JsonObject,
	parseJson,
	stringifyJson,
	type WholeRow,
} from '@roundhouse/kit'
import { z } from 'zod'

/** Member of a row's `meta` with the names of the columns that a client gets no value of. */
export const hiddenMember = 'columns hidden by the user'

/** Returns the names in that member, or `undefined` if the row has all its columns. */
export const hiddenIn = ({ meta }: Pick<WholeRow, 'meta'>): readonly string[] | undefined =>
	z.array(z.string()).safeParse(meta[hiddenMember]).data

/** A row as its driver prints it: values by name, and their text, which keeps blanks, repeated keys and all digits. */
export interface RowDocument {
	readonly values: JsonObject
	readonly texts: ReadonlyMap<string, string>
}

/** Returns the members of a JSON object, or `undefined` for any other text. */
export function readDocument(text: string): RowDocument | undefined {
	try {
		const values = parseJson(text)
		return isJsonObject(values) ? { values, texts: textsIn(text) } : undefined
	} catch {
		return undefined
	}
}

/** Returns the text of each member of valid JSON, with the blanks around it. The last one of several with the same name, as a parser does. */
function textsIn(text: string): ReadonlyMap<string, string> {
	const texts = new Map<string, string>()
	let [depth, from, name] = [0, 0, '']
	for (let at = 0; at < text.length; at++) {
		const character = text[at]
		if (character === '"') {
			const start = at
			for (at++; text[at] !== '"'; at++) if (text[at] === '\\') at++
			// The first text of a member is its name.
			if (depth === 1 && from < 0) name = String(JSON.parse(text.slice(start, at + 1)))
		} else if (character === '{' || character === '[') {
			if (depth++ === 0) from = -1
		} else if (depth === 1 && character === ':' && from < 0) from = at + 1
		else if (depth === 1 && (character === ',' || character === '}')) {
			if (from >= 0) texts.set(name, text.slice(from, at))
			from = -1
			if (character === '}') depth--
		} else if (character === '}' || character === ']') depth--
	}
	return texts
}

export interface Difference {
	/** Keys with dots between them. */
	readonly path: string
	/** The earlier value; `undefined` if the member was not there. */
	readonly value: Json | undefined
	/** Its text, if the path is a column. */
	readonly text?: string | undefined
	/** One side has an empty object, and the other one nothing. */
	readonly isEmpty?: true
}

/** Yields what differs between two states of a row: by column, and below objects that are no column by their members. */
export function* differences(
	old: RowDocument,
	now: RowDocument,
	kindOf: (column: string) => ColumnKind | undefined,
): Generator<Difference> {
	const isColumn = (path: string) => kindOf(path) !== undefined
	for (const name of new Set([...old.texts.keys(), ...now.texts.keys()])) {
		const [text, other] = [old.texts.get(name), now.texts.get(name)]
		// An engine may store JSON as it was written.
		if (text === other || (kindOf(name) !== 'json' && text?.trim() === other?.trim())) continue
		const value = own(old.values, name)
		if (isColumn(name)) yield { path: name, value, text }
		else yield* below({ path: name, old: value, now: own(now.values, name) }, isColumn)
	}
}

interface Compared {
	readonly path: string
	readonly old: Json | undefined
	readonly now: Json | undefined
}

function* below({ path, old, now }: Compared, isColumn: (path: string) => boolean): Generator<Difference> {
	if (isSame(old, now)) return
	const isNested = !isColumn(path) && isObjectOrNone(old) && isObjectOrNone(now)
	if (!isNested) return yield { path, value: old }
	const names = new Set([...Object.keys(now ?? {}), ...Object.keys(old ?? {})])
	if (names.size === 0) return yield { path, value: old, isEmpty: true }
	for (const name of names) {
		yield* below({ path: `${path}.${name}`, old: own(old ?? {}, name), now: own(now ?? {}, name) }, isColumn)
	}
}

const isObjectOrNone = (value: Json | undefined): value is JsonObject | undefined =>
	value === undefined || isJsonObject(value)

const own = (object: JsonObject, name: string): Json | undefined =>
	Object.hasOwn(object, name) ? object[name] : undefined

const isSame = (one: Json | undefined, other: Json | undefined) =>
	one === undefined || other === undefined ? one === other : stringifyJson(one) === stringifyJson(other)
