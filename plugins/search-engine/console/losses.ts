import type { Assessment, Count } from '@roundhouse/kit'
import { named } from '../transport/engine-words.ts'
import { type Pipelines, pipelineNamed, type Written } from './look-ups.ts'

/** The words that state losses to the user. */

/** Joins losses to what an assessment states. */
export function destroying(losses: readonly string[]): Pick<Assessment, 'destroys'> {
	return losses.length === 0 ? {} : { destroys: losses.join(', and ') }
}

export function someDocuments(count: Count | undefined): string {
	return count === undefined ? 'an unknown number of documents' : documents(count)
}

export function allDocuments(count: Count | undefined): string {
	return count === undefined ? 'all its documents' : documents(count)
}

function documents({ value, isExact }: Count): string {
	return `${isExact ? '' : 'at least '}${value.toLocaleString('en')} ${value === 1 ? 'document' : 'documents'}`
}

/** Upper limit of indices that a question names, and that are looked up. Users read no longer list. */
export const mostIndices = 10

/** Returns how many of some documents belong to each index. */
export function documentsByIndex(indices: readonly string[]): string {
	const counts = new Map<string, number>()
	for (const index of indices) counts.set(index, (counts.get(index) ?? 0) + 1)
	const rest = [...counts].slice(mostIndices).reduce((sum, [, value]) => sum + value, 0)
	const exactly = (value: number) => documents({ value, isExact: true })
	return [
		...[...counts].slice(0, mostIndices).map(([index, value]) => `${exactly(value)} of ${named(index)}`),
		...(rest === 0 ? [] : [`${exactly(rest)} of other indices`]),
	].join(', ')
}

/** The text of a script does not show what it does to a document. */
export function byScript(affects: Count | undefined): string {
	return `${someDocuments(affects)}, if the script deletes the documents it processes`
}

/**
 * Returns what pipelines select: one may write each document with another id, or to another index. If the engine does
 * not say whether an index has one, that is stated.
 *
 * @param parameter the pipeline that the request names, which replaces the default of the index
 */
export function selectedByPipelines(index: string, { pipelines }: Pick<Written, 'pipelines'>, parameter?: string) {
	const own = pipelineNamed(parameter)
	const ofIndex = pipelines && ownPipelines(pipelines, parameter)
	return [
		...(own === undefined ? [] : [`what the pipeline ${named(own)} selects`]),
		...(ofIndex?.map(name => `what the pipeline ${named(name)} of ${named(index)} selects`) ?? [
			`what a pipeline of ${named(index)} selects, if it has one`,
		]),
	]
}

function ownPipelines({ byDefault, final }: Pipelines, parameter: string | undefined): readonly string[] {
	return [...new Set([...(parameter === undefined ? byDefault : []), ...final])]
}

/** Why a question has no effect. */
export const untried = {
	matches: 'Which documents it changes could not be determined before it runs.',
	script: 'What its script does was not tried.',
	pipeline: 'What the pipeline does was not tried.',
	replacement: 'Which documents of its destination it replaces was not tried.',
} as const

/** Whether a consent for a while may cover additions only, or also changes of documents. */
type Kind = 'add' | 'change'

/** Returns the scope of a temporary consent for requests that destroy nothing: one index, as long as it exists. */
export function scopeOf(kind: Kind, { uuid, pipelines }: Written): Pick<Assessment, 'scope'> {
	const isPlain = pipelines?.byDefault.length === 0 && pipelines.final.length === 0
	return uuid !== undefined && isPlain ? { scope: `${kind} ${uuid}` } : {}
}
