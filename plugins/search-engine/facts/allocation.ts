import type { Fact, FactSection, Json, JsonObject } from '@roundhouse/kit'
import { objectOf, objectsOf } from '../transport/answer.ts'
import { displayText, listOf } from './describe.ts'
import type { FactReader } from './fact-reader.ts'

/** The shard to explain. The engine chooses one if none is named. */
export interface Shard {
	readonly index: string
	readonly shard: number
	readonly primary: boolean
}

/** Explains why a shard has no node: the engine's explanation, and the reason of each node that rejects it. */
export function whyUnassigned(reader: FactReader, shard: Shard): Promise<FactSection> {
	const request = { path: '/_cluster/allocation/explain', body: { ...shard } }
	return reader.section('Why a shard is unassigned', request, describe)
}

function describe(answer: Json) {
	const content = objectOf(answer)
	const unassigned = objectOf(content.unassigned_info)
	const facts: Fact[] = [
		{
			name: 'Shard',
			value: `${displayText(content.shard)} of ${displayText(content.index)}, ${content.primary ? 'primary' : 'replica'}`,
		},
		{ name: 'State', value: displayText(content.current_state), state: content.primary ? 'bad' : 'warning' },
		{ name: 'Reason', value: displayText(unassigned.reason) },
		{ name: 'Since', value: displayText(unassigned.at) },
		{ name: 'Details', value: displayText(unassigned.details) },
		{ name: 'Explanation', value: displayText(content.allocate_explanation) },
	]
	const refusals: JsonObject[] = objectsOf(content.node_allocation_decisions).flatMap(node =>
		objectsOf(node.deciders).map(decider => ({ node: displayText(node.node_name), ...decider })),
	)
	const list = listOf(refusals, {
		Node: refusal => refusal.node,
		Decider: refusal => refusal.decider,
		Explanation: refusal => refusal.explanation,
	})
	return { facts: facts.filter(({ value }) => value !== ''), ...(refusals.length > 0 && list) }
}
