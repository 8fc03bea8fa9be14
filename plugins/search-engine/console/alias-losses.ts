import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { objectOf } from '../transport/answer.ts'
import { named } from '../transport/engine-words.ts'
import type { LookUps } from './look-ups.ts'
import { mostIndices } from './losses.ts'

/** An alias that a request adds to an index, or removes from one. */
interface AliasOfIndex {
	readonly index: string
	readonly alias: string
}

/** The actions of a `POST /_aliases`. */
export interface AliasActions {
	readonly added: readonly AliasOfIndex[]
	readonly removed: readonly AliasOfIndex[]
	/** Indices that are deleted. */
	readonly removedIndices: readonly string[]
}

export function aliasActions({ actions }: JsonObject): AliasActions {
	const optionsOf = (kind: string) =>
		(Array.isArray(actions) ? actions : []).flatMap(action => {
			const options = isJsonObject(action) ? action[kind] : undefined
			return isJsonObject(options) ? [options] : []
		})
	const pairs = (options: JsonObject) => {
		const aliases = namesIn(options.alias, options.aliases)
		return namesIn(options.index, options.indices).flatMap(index => aliases.map(alias => ({ index, alias })))
	}
	return {
		added: optionsOf('add').flatMap(pairs),
		removed: optionsOf('remove').flatMap(pairs),
		removedIndices: optionsOf('remove_index').flatMap(({ index, indices }) => namesIn(index, indices)),
	}
}

function namesIn(...values: readonly (Json | undefined)[]): string[] {
	return values.flat().filter(name => typeof name === 'string')
}

/**
 * Returns the filters and routings that are lost when aliases are removed or added, because adding an alias that exists
 * replaces its properties.
 */
export async function lostProperties(lookUps: LookUps, aliases: readonly AliasOfIndex[]): Promise<readonly string[]> {
	const losses = aliases.slice(0, mostIndices).map(async ({ index, alias }) => {
		const what = `the filter and routing of the alias ${named(alias)} of ${named(index)}`
		const found = await lookUps.at(index, '_alias', alias)
		if (found === undefined) return [`${what}, if it exists`]
		const properties = Object.values(found || {}).flatMap(entry => Object.values(objectOf(objectOf(entry).aliases)))
		return properties.some(alias => Object.keys(objectOf(alias)).length > 0) ? [what] : []
	})
	const rest = aliases.length > mostIndices ? ['the filter and routing of other aliases, if they exist'] : []
	return [...(await Promise.all(losses)).flat(), ...rest]
}
