import type { ConnectionMethod, ConnectionParams, ResultOf } from '@roundhouse/kit/wire/methods'

/** Methods of the host API that are a driver's own, asked of a saved connection: parameters and results are the driver's. None of them writes. */
export const forwarded = {
	'tables.list': 'listTables',
	'tables.describe': 'describeTable',
	'rows.count': 'countRows',
	'rows.read': 'readRow',
	'facts.read': 'readFacts',
	'console.analyse': 'analyse',
	'console.complete': 'completeConsole',
} as const satisfies Readonly<Record<string, ConnectionMethod>>

/** The id of a saved connection stands where the driver has the number of an open one. */
export type OnSavedConnection<M extends ConnectionMethod> = ConnectionParams<M> & { readonly connection: string }

export type ForwardedMethods = {
	readonly [Name in keyof typeof forwarded]: (
		params: OnSavedConnection<(typeof forwarded)[Name]>,
	) => ResultOf<(typeof forwarded)[Name]>
}
