import { isJsonObject, type Json } from '@roundhouse/kit'
import { objectOf } from '../transport/answer.ts'
import type { Transport } from '../transport/transport.ts'

/** A name that stands for indices. */
export interface Source {
	readonly name: string
	readonly kind: 'alias' | 'data stream'
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
		signal.throwIfAborted()
		return error
	})
	if (!(resolved instanceof Error)) {
		return [...named(resolved.aliases, 'alias'), ...named(resolved.data_streams, 'data stream')]
	}
	const indices = Object.values(await read('/_alias', 'filter_path=*.aliases.*'))
	const aliases = indices.flatMap(index => Object.keys(objectOf(objectOf(index).aliases)))
	return named(
		[...new Set(aliases)].map(name => ({ name })),
		'alias',
	)
}

function named(list: Json | undefined, kind: Source['kind']): readonly Source[] {
	const items = Array.isArray(list) ? list.filter(isJsonObject) : []
	return items.flatMap(({ name }) => (typeof name === 'string' && !name.startsWith('.') ? [{ name, kind }] : []))
}
