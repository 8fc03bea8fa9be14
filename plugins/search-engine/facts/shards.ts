import type { FactSection, FactState, JsonObject } from '@roundhouse/kit'
import { objectsOf } from '../transport/answer.ts'
import type { Shard } from './allocation.ts'
import { displayText, listOf } from './describe.ts'
import type { FactReader } from './fact-reader.ts'

/** Shards as `_cat/shards` lists them, and the unassigned ones. */
export interface Shards {
	readonly section: FactSection
	readonly unassigned: readonly Shard[]
}

const columns = 'index,shard,prirep,state,docs,store,node,unassigned.reason'

/** Reads only the shards of the cluster that are not started. */
export function shardsWithout(reader: FactReader): Promise<Shards> {
	const isSettled = ({ state }: JsonObject) => state === 'STARTED'
	return readShards(reader, {
		path: '/_cat/shards',
		title: 'Moving or unassigned shards',
		isShown: shard => !isSettled(shard),
	})
}

/** @param target the index, encoded for a path */
export function shardsOf(reader: FactReader, target: string): Promise<Shards> {
	return readShards(reader, { path: `/_cat/shards${target}`, title: 'Shards', isShown: () => true })
}

/** Which shards to list, and their heading. */
interface ShardList {
	readonly path: string
	readonly title: string
	readonly isShown: (shard: JsonObject) => boolean
}

async function readShards(reader: FactReader, { path, title, isShown }: ShardList): Promise<Shards> {
	let unassigned: Shard[] = []
	const request = { path, search: `format=json&s=index,shard,prirep&h=${columns}`, isOnServerless: false } as const
	const section = await reader.section(title, request, answer => {
		const shards = objectsOf(answer)
		unassigned = shards.filter(({ state }) => state === 'UNASSIGNED').map(addressOf)
		return listOf(
			shards.filter(isShown),
			{
				Index: shard => shard.index,
				Shard: shard => shard.shard,
				Kind: shard => (shard.prirep === 'p' ? 'primary' : 'replica'),
				State: shard => displayText(shard.state).toLowerCase(),
				Documents: shard => shard.docs,
				Size: shard => shard.store,
				Node: shard => shard.node,
				Reason: shard => shard['unassigned.reason'],
			},
			{ more: stateOf },
		)
	})
	// A missing primary is more severe, so it comes first.
	return { section, unassigned: unassigned.toSorted((a, b) => Number(b.primary) - Number(a.primary)) }
}

function addressOf(shard: JsonObject): Shard {
	return { index: displayText(shard.index), shard: Number(shard.shard), primary: shard.prirep === 'p' }
}

function stateOf({ state, prirep }: JsonObject): { readonly state?: FactState } {
	if (state === 'STARTED') return {}
	return { state: state === 'UNASSIGNED' && prirep === 'p' ? 'bad' : 'warning' }
}
