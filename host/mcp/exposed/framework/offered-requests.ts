import { exactNumber, type Json, type JsonObject, stringifyJson } from '@roundhouse/kit'
import type { CallOptions } from '../../../driver-runtime/driver-calls.ts'

/** A saved request that a person offers to AI clients as a tool. */
export interface OfferedRequest {
	readonly id: string
	readonly connectionId: string
	readonly name: string
	readonly description: string
	/** What it did when it was offered; what does more is not run. */
	readonly access: 'read' | 'write'
	readonly parameters: readonly OfferedParameter[]
}

export interface OfferedParameter {
	readonly name: string
	readonly type: 'text' | 'number' | 'integer' | 'boolean' | 'choice'
	readonly description: string
	readonly choices?: readonly string[] | undefined
	/** As it is spelt. */
	readonly default?: string | undefined
}

/** What the endpoint needs to know of them. */
export interface OfferedRequests {
	/** Whether anything was ever offered, be it as it was or not. */
	hasAny(): boolean
	list(): readonly OfferedRequest[]
	/** Looks whether each is still what was offered. */
	look(): Promise<void>
	/** The text that was offered; `undefined` where it is another by now. */
	textOf(id: string): Promise<string | undefined>
	onChange(hear: () => void): Disposable
}

export const noOffers: OfferedRequests = {
	hasAny: () => false,
	list: () => [],
	look: async () => {},
	textOf: async () => undefined,
	onChange: () => ({ [Symbol.dispose]() {} }),
}

/** What a parameter is where a client leaves it out. */
export function presetOf({ type }: Pick<OfferedParameter, 'type'>, spelt: string): Json {
	if (type === 'boolean') return spelt === 'true'
	return type === 'number' || type === 'integer' ? exactNumber(spelt) : spelt
}

/** A session on a driver, whoever it is for. */
interface Binding {
	call(
		method: 'bindParameters',
		params: { readonly text: string; readonly values: string },
		options: CallOptions,
	): Promise<string>
}

/** The request with the values in their places; the driver puts them in. One without places needs no driver that can. */
export async function withValues(
	session: Binding,
	text: string,
	values: JsonObject,
	options: CallOptions,
): Promise<string> {
	if (!text.includes('{{')) return text
	return session.call('bindParameters', { text, values: stringifyJson(values) }, options)
}
