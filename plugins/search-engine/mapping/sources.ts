import type { Json } from '@roundhouse/kit'
import { objectOf, objectsOf, stringsIn } from '../transport/answer.ts'
import type { Transport } from '../transport/transport.ts'

/** A name that stands for indices. */
export interface Source {
	readonly name: string
	readonly kind: 'alias' | 'data stream'
	/** The indices of an alias. None for a data stream. */
	readonly indices: readonly string[]
}

/**
 * Returns the aliases and data streams that the credential may use, except those that begin with `.`. Before 7.9, only
 * the aliases. @throws EngineError if the cluster refuses
 */
export async function readSources(transport: Pick<Transport, 'send'>, signal: AbortSignal): Promise<readonly Source[]> {
	const read = async (path: string, search?: string) =>
		objectOf(
			(
				await transport.send({ method: 'GET', path, isRead: true, ...(search !== undefined && { search }) }, signal)
			).json(),
		)
	const resolved = await read('/_resolve/index/*').catch(error => {
		if (signal.aborted) throw error
		return error
	})
	if (!(resolved instanceof Error)) {
		return [...named(resolved.aliases, 'alias'), ...named(resolved.data_streams, 'data stream')]
	}
	const aliases = new Map<string, string[]>()
	for (const [index, value] of Object.entries(await read('/_alias', 'filter_path=*.aliases.*'))) {
		for (const name of Object.keys(objectOf(objectOf(value).aliases))) {
			aliases.set(name, [...(aliases.get(name) ?? []), index])
		}
	}
	return named(
		[...aliases].map(([name, indices]) => ({ name, indices })),
		'alias',
	)
}

function named(list: Json | undefined, kind: Source['kind']): readonly Source[] {
	return objectsOf(list).flatMap(({ name, indices }) =>
		typeof name === 'string' && !name.startsWith('.') ? [{ name, kind, indices: stringsIn(indices) }] : [],
	)
}
