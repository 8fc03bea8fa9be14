import { exactNumber, type Json, type JsonObject, parameterPlaces, stringifyJson } from '@roundhouse/kit'
import type { CallOptions } from '../../../driver-runtime/driver-calls.ts'

/** A saved request that the user offers to AI clients as a tool. */
export interface OfferedRequest {
	readonly id: string
	readonly connectionId: string
	readonly name: string
	readonly description: string
	/** Its access when it was offered. A request that does more now is not run. */
	readonly access: 'read' | 'write'
	readonly parameters: readonly OfferedParameter[]
}

export interface OfferedParameter {
	readonly name: string
	readonly type: 'text' | 'number' | 'integer' | 'boolean' | 'choice'
	readonly description: string
	readonly choices?: readonly string[] | undefined
	/** As the user typed it. */
	readonly default?: string | undefined
}

/** The offered requests, as the endpoint uses them. */
export interface OfferedRequests {
	/** Whether any request is offered, including requests that have changed since. */
	hasAny(): boolean
	list(): readonly OfferedRequest[]
	/** Checks whether the requests have changed since they were offered. */
	look(): Promise<void>
	/** Returns the offered text, or `undefined` if it has changed. */
	textOf(id: string): Promise<string | undefined>
	onChange(listener: () => void): Disposable
}

export const noOffers: OfferedRequests = {
	hasAny: () => false,
	list: () => [],
	look: async () => {},
	textOf: async () => undefined,
	onChange: () => ({ [Symbol.dispose]() {} }),
}

/** Returns the names of a request's parameters, each once. */
export function namesIn(text: string): readonly string[] {
	return [...new Set(parameterPlaces(text).flatMap(({ name }) => (name === undefined ? [] : [name])))]
}

/** Returns the default value of a parameter. */
export function presetOf({ type }: Pick<OfferedParameter, 'type'>, spelt: string): Json {
	if (type === 'boolean') return spelt === 'true'
	return type === 'number' || type === 'integer' ? exactNumber(spelt) : spelt
}

/** A session of the window or of a client. */
interface Binding {
	readonly console: { readonly takesParameters: boolean }
	call(
		method: 'bindParameters',
		params: { readonly text: string; readonly values: string },
		options: CallOptions,
	): Promise<string>
}

/**
 * Returns the request, and its values if the driver takes them apart from the text. Otherwise the driver inserts them.
 * Does not call the driver if there are no placeholders.
 */
export async function withValues(
	session: Binding,
	{ text, values }: { readonly text: string; readonly values: JsonObject },
	options: CallOptions,
): Promise<{ readonly text: string; readonly values: JsonObject }> {
	if (!text.includes('{{')) return { text, values: {} }
	if (session.console.takesParameters) return { text, values }
	const bound = await session.call('bindParameters', { text, values: stringifyJson(values) }, options)
	return { text: bound, values: {} }
}
