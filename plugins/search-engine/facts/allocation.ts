import type { Fact, FactSection, Json, JsonObject } from '@roundhouse/kit'
import { objectOf, objectsOf } from '../transport/answer.ts'
import type { FactReader } from './fact-reader.ts'
import { listOf, wordsOf } from './telling.ts'

/** The shard that is asked about; the engine picks one where none is named. */
export interface Shard {
	readonly index: string
	readonly shard: number
	readonly primary: boolean
}

/** Why a shard has no node: what the engine says of it, and of each node that does not take it. */
export function whyUnassigned(reader: FactReader, shard: Shard): Promise<FactSection> {
	const question = { path: '/_cluster/allocation/explain', body: { ...shard } }
	return reader.section('Why a shard is unassigned', question, tell)
}

function tell(answer: Json) {
	const told = objectOf(answer)
	const unassigned = objectOf(told.unassigned_info)
	const facts: Fact[] = [
		{
			name: 'Shard',
			value: `${wordsOf(told.shard)} of ${wordsOf(told.index)}, ${told.primary ? 'primary' : 'replica'}`,
		},
		{ name: 'State', value: wordsOf(told.current_state), state: told.primary ? 'bad' : 'warning' },
		{ name: 'Reason', value: wordsOf(unassigned.reason) },
		{ name: 'Since', value: wordsOf(unassigned.at) },
		{ name: 'Details', value: wordsOf(unassigned.details) },
		{ name: 'What the cluster says', value: wordsOf(told.allocate_explanation) },
	]
	const refusals: JsonObject[] = objectsOf(told.node_allocation_decisions).flatMap(node =>
		objectsOf(node.deciders).map(decider => ({ node: wordsOf(node.node_name), ...decider })),
	)
	const list = listOf(refusals, {
		Node: refusal => refusal.node,
		Decider: refusal => refusal.decider,
		Explanation: refusal => refusal.explanation,
	})
	return { facts: facts.filter(({ value }) => value !== ''), ...(refusals.length > 0 && list) }
}
