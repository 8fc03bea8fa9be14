import type { Assessment } from '@roundhouse/kit'
import { type BulkAction, bulkActions } from './bulk-actions.ts'
import { scriptDestroys } from './destroying-body.ts'
import { type LookUps, pipelineNamed } from './look-ups.ts'
import { byScript, destroying, documentsByIndex, mostIndices, scopeOf, selectedByPipelines, untried } from './losses.ts'

export interface Bulk {
	readonly lines: string
	/** The index of actions without `_index`. */
	readonly target: string
	/** The pipeline of actions without `pipeline`. */
	readonly pipeline: string | undefined
	/** Whether the text alone permits a temporary consent. */
	readonly hasGrant: boolean
}

/** Assesses a bulk request. Counts each action as one document, and nothing if an action cannot be read. */
export async function assessBulk(lookUps: LookUps, { lines, target, pipeline, hasGrant }: Bulk): Promise<Assessment> {
	const actions = bulkActions(lines)
	if (actions === undefined) return { destroys: 'the documents that its actions select; one action cannot be parsed' }
	const indexOf = ({ metadata: { _index } }: BulkAction) => (typeof _index === 'string' ? _index : target)
	const indicesOf = (isMeant: (action: BulkAction) => boolean) => actions.filter(isMeant).map(indexOf)
	const deleted = indicesOf(({ name }) => name === 'delete')
	const replaced = indicesOf(
		({ name, metadata }) => name === 'index' && metadata._id !== undefined && metadata.op_type !== 'create',
	)
	const scripted = indicesOf(({ name, document = '' }) => name === 'update' && scriptDestroys(document))
	const writing = actions.filter(({ name }) => name !== 'delete')
	// The engine refuses an action without an index.
	const indices = [...new Set(writing.map(indexOf))].filter(index => index !== '')
	const written = await Promise.all(indices.slice(0, mostIndices).map(index => lookUps.written(index)))
	const pipelinesOf = new Map(indices.map((index, place) => [index, written[place] ?? unseen]))
	const selected = writing.flatMap(action => {
		const own = pipelineNamed(action.metadata.pipeline) ?? pipeline
		return selectedByPipelines(indexOf(action), pipelinesOf.get(indexOf(action)) ?? unseen, own)
	})
	const losses = [
		...(deleted.length === 0 ? [] : [documentsByIndex(deleted)]),
		...(replaced.length === 0 ? [] : [`the current content of ${documentsByIndex(replaced)}, if it exists`]),
		...(scripted.length === 0 ? [] : [byScript({ value: scripted.length, isExact: true })]),
		...[...new Set(selected)].slice(0, mostIndices),
		...(indices.length > mostIndices ? ['what pipelines of other indices select, if they have some'] : []),
	]
	const [only] = written
	const kind = actions.some(({ name }) => name === 'update') ? 'change' : 'add'
	return {
		affects: { value: actions.length, isExact: true },
		...destroying(losses),
		...(scripted.length > 0 && { unrehearsed: untried.script }),
		...(hasGrant && losses.length === 0 && written.length === 1 && only && scopeOf(kind, only)),
	}
}

/** Result for an index that is not looked up. One sentence reports all of them. */
const unseen = { pipelines: { byDefault: [], final: [] } }
