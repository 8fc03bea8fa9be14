import type { FactSection, FactState, JsonObject } from '@roundhouse/kit'
import { objectsOf } from '../transport/answer.ts'
import type { Shard } from './allocation.ts'
import type { FactReader } from './fact-reader.ts'
import { listOf, wordsOf } from './telling.ts'

/** Shards as `_cat/shards` lists them, and those of them that have no node. */
export interface Shards {
	readonly section: FactSection
	readonly unassigned: readonly Shard[]
}

const columns = 'index,shard,prirep,state,docs,store,node,unassigned.reason'

/** Of the whole cluster those alone that are not where they should be. */
export function shardsWithout(reader: FactReader): Promise<Shards> {
	const isSettled = ({ state }: JsonObject) => state === 'STARTED'
	return readShards(reader, '/_cat/shards', 'Shards on the move or without a node', shard => !isSettled(shard))
}

/** @param target the index, as it stands in a path */
export function shardsOf(reader: FactReader, target: string): Promise<Shards> {
	return readShards(reader, `/_cat/shards${target}`, 'Shards', () => true)
}

async function readShards(
	reader: FactReader,
	path: string,
	title: string,
	isShown: (shard: JsonObject) => boolean,
): Promise<Shards> {
	let unassigned: Shard[] = []
	const question = { path, search: `format=json&s=index,shard,prirep&h=${columns}` }
	const section = await reader.section(title, question, answer => {
		const shards = objectsOf(answer)
		unassigned = shards.filter(({ state }) => state === 'UNASSIGNED').map(addressOf)
		return listOf(
			shards.filter(isShown),
			{
				Index: shard => shard.index,
				Shard: shard => shard.shard,
				Kind: shard => (shard.prirep === 'p' ? 'primary' : 'replica'),
				State: shard => wordsOf(shard.state).toLowerCase(),
				Documents: shard => shard.docs,
				Size: shard => shard.store,
				Node: shard => shard.node,
				Reason: shard => shard['unassigned.reason'],
			},
			stateOf,
		)
	})
	// A primary that is missing is the worse trouble.
	return { section, unassigned: unassigned.toSorted((a, b) => Number(b.primary) - Number(a.primary)) }
}

function addressOf(shard: JsonObject): Shard {
	return { index: wordsOf(shard.index), shard: Number(shard.shard), primary: shard.prirep === 'p' }
}

function stateOf({ state, prirep }: JsonObject): { readonly state?: FactState } {
	if (state === 'STARTED') return {}
	return { state: state === 'UNASSIGNED' && prirep === 'p' ? 'bad' : 'warning' }
}
