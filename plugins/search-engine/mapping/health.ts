import type { FactState, Json } from '@roundhouse/kit'

/** The engine's three colours. */
const states: ReadonlyMap<unknown, FactState> = new Map([
	['green', 'good'],
	['yellow', 'warning'],
	['red', 'bad'],
])

/** Returns what a colour means for the health of an index, a shard or the cluster. */
export function stateOfColour(colour: Json | undefined): { readonly state?: FactState } {
	const state = states.get(colour)
	return state === undefined ? {} : { state }
}
