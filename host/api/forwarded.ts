import type { ConnectionMethod, ConnectionParams } from '@roundhouse/kit/wire/methods'

/**
 * Methods of the host API that forward to a driver's method on a saved connection, with its parameters and results.
 * None of them writes.
 */
export const forwarded = {
	'tables.list': 'listTables',
	'tables.find': 'findTables',
	'tables.actions': 'tableActions',
	'tables.fillAction': 'fillAction',
	'tables.readForm': 'readTableForm',
	'tables.statements': 'tableStatements',
	'tables.describe': 'describeTable',
	'columns.find': 'findColumns',
	'rows.count': 'countRows',
	'rows.read': 'readRow',
	'rows.aggregate': 'aggregate',
	'rows.groupSimilar': 'groupSimilar',
	'rows.readRaw': 'readRawQuery',
	'rows.filterText': 'filterText',
	'facts.read': 'readFacts',
	'objects.list': 'listObjects',
	'objects.read': 'readObject',
	'console.databases': 'listDatabases',
	'console.analyse': 'analyse',
	'console.complete': 'completeConsole',
} as const satisfies Readonly<Record<string, ConnectionMethod>>

/** The id of a saved connection replaces the driver's number of an open one. */
export type OnSavedConnection<M extends ConnectionMethod> = ConnectionParams<M> & { readonly connection: string }
