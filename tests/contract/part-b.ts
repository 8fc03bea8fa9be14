import type { Requirement } from './requirement.ts'

/** Part B of the contract: the search-engine connection, and how its driver arrives. */
export const partB = [
	{
		id: 'B.install.offer',
		rule: 'Choosing the engine in the database-choice sheet offers the download before the form opens.',
		where: 'What the service does, 7',
	},
	{
		id: 'B.install.silent',
		rule: 'Opening a saved connection of this type installs the driver without asking.',
		where: 'What the service does, 7',
	},
	{
		id: 'B.install.browse',
		rule: 'The settings area for plugins (Browse list) installs it up front.',
		where: 'What the service does, 7',
	},
	{
		id: 'B.sidebar.hidden',
		rule: 'The sidebar lists concrete indices as tables and hides every name that begins with a dot.',
		where: 'Search-engine connection: REST calls, Behaviour 1',
	},
	{
		id: 'B.columns.mapping',
		rule: 'Columns come from the index mapping, after the read-only `_id` (the key), `_index` and `_score`.',
		where: 'Search-engine connection (part B)',
	},
	{
		id: 'B.calls.update',
		rule: 'A grid edit of a document is POST /<index>/_update/<id>.',
		where: 'Search-engine connection: REST calls the client sends to the cluster',
	},
	{
		id: 'B.scope.grid',
		rule: 'A user browses and edits the documents of a cluster by `_id` in a grid.',
		where: 'What the service does, 6',
	},
	{
		id: 'B.scope.console',
		rule: 'A user sends raw REST requests from a console: method, path, and a JSON body if there is one.',
		where: 'What the service does, 6',
	},
	{
		id: 'B.scope.versions',
		rule: 'Versions 7.x and 8.x of the engine are supported.',
		where: 'Versioning, 6',
	},
	{
		id: 'B.scope.fork',
		rule: 'A fork of the engine is not supported.',
		where: 'What the service does, 6',
	},
	{
		id: 'B.form.fields',
		rule: 'The connection form has host, port, authentication method, SSL mode and a skip-TLS-verification switch.',
		where: 'Search-engine connection (part B)',
	},
	{
		id: 'B.form.no-database',
		rule: 'A connection reaches one cluster: the form has no Database field, and the indices are the objects.',
		where: 'Search-engine connection (part B)',
	},
	{
		id: 'B.columns.meta',
		rule: 'Each document exposes `_id`, `_index` and `_score`; `_id` is the primary key, and all three are read-only.',
		where: 'Search-engine connection (part B)',
	},
	{
		id: 'B.columns.flatten',
		rule: '`object` and `nested` fields flatten to dotted paths.',
		where: 'Search-engine connection (part B)',
	},
	{
		id: 'B.cells.json',
		rule: 'Arrays and objects are shown as JSON, cut at 10,000 characters with `...` behind.',
		where: 'Limits',
	},
	{
		id: 'B.cells.fragment',
		rule: 'Saving an edit to a cell that was cut at 10,000 characters stores the fragment.',
		where: 'Search-engine connection: REST calls, Behaviour 7',
	},
	{
		id: 'B.calls.insert',
		rule: 'A grid insert or replacement of a document is PUT /<index>/_doc/<id>.',
		where: 'Search-engine connection: REST calls the client sends to the cluster',
	},
	{
		id: 'B.calls.delete',
		rule: 'A grid delete of a document is DELETE /<index>/_doc/<id>.',
		where: 'Search-engine connection: REST calls the client sends to the cluster',
	},
	{
		id: 'B.calls.console',
		rule: 'The console sends any method and any path, with an optional JSON body.',
		where: 'Search-engine connection: REST calls the client sends to the cluster',
	},
	{
		id: 'B.sidebar.concrete',
		rule: 'Aliases and data streams are not listed; the console addresses them by name.',
		where: 'Search-engine connection: REST calls, Behaviour 1',
	},
	{
		id: 'B.filter.operators',
		rule: 'Column filters become term, range, wildcard, terms and exists queries.',
		where: 'Search-engine connection: REST calls, Behaviour 2',
	},
	{
		id: 'B.filter.raw',
		rule: 'The raw-query filter sends its text as a query_string across all fields.',
		where: 'Search-engine connection: REST calls, Behaviour 2',
	},
	{
		id: 'B.sort.keyword',
		rule: 'Sorting a text field goes to its `.keyword` subfield when the mapping has one.',
		where: 'Search-engine connection: REST calls, Behaviour 3',
	},
	{
		id: 'B.sort.dropped',
		rule: 'A sort on `_id`, or on text without a `.keyword` subfield, is dropped, and rows keep their order.',
		where: 'Search-engine connection: REST calls, Behaviour 3',
	},
	{
		id: 'B.paging.deep',
		rule: 'Paging past 10,000 documents switches to search_after over a point-in-time.',
		where: 'Search-engine connection: REST calls, Behaviour 4',
	},
	{
		id: 'B.paging.fixed',
		rule: 'The threshold is fixed: an index whose max_result_window was lowered errors before the switch.',
		where: 'Search-engine connection: REST calls, Behaviour 4',
	},
	{
		id: 'B.console.search',
		rule: 'In the console a search response renders as a grid.',
		where: 'Search-engine connection: REST calls, Behaviour 5',
	},
	{
		id: 'B.console.array',
		rule: 'In the console an array response, such as GET /_cat/indices?format=json, becomes a table.',
		where: 'Search-engine connection: REST calls, Behaviour 5',
	},
	{
		id: 'B.console.json',
		rule: 'In the console anything that is neither search nor array is formatted JSON.',
		where: 'Search-engine connection: REST calls, Behaviour 5',
	},
	{
		id: 'B.sql.unreachable',
		rule: "The cluster's SQL endpoint (`_sql`) is not reachable.",
		where: 'Search-engine connection: REST calls, Behaviour 6',
	},
	{
		id: 'B.limits.absent',
		rule: 'There is no mapping or schema editing, no transaction, no import and no tunnel over SSH.',
		where: 'Search-engine connection: REST calls, Behaviour 8',
	},
	{
		id: 'B.auth.methods',
		rule: 'Authentication is None, username and password, or an API key.',
		where: 'Search-engine connection (Authentication)',
	},
	{
		id: 'B.ssl.modes',
		rule: 'The SSL modes are Disabled (the default), Preferred, Required (skip verify), Verify CA and Verify Identity.',
		where: 'Search-engine connection (Authentication)',
	},
	{
		id: 'B.ssl.disabled',
		rule: 'Disabled is plain HTTP with no fallback.',
		where: 'Search-engine connection (Authentication)',
	},
	{
		id: 'B.ssl.https',
		rule: 'Every mode except Disabled uses HTTPS.',
		where: 'Search-engine connection (Authentication)',
	},
	{
		id: 'B.ssl.lenient',
		rule: 'Preferred and Required (skip verify) accept a self-signed certificate.',
		where: 'Search-engine connection (Authentication)',
	},
	{
		id: 'B.ssl.verify',
		rule: 'Verify CA and Verify Identity check the certificate.',
		where: 'Search-engine connection (Authentication)',
	},
	{
		id: 'B.ssl.skip',
		rule: 'For a self-signed certificate, Required (skip verify) or the skip-TLS-verification switch connects.',
		where: 'Search-engine connection (Authentication)',
	},
	{
		id: 'B.message.authentication',
		rule: 'A rejected credential shows `Authentication failed: <detail>`.',
		where: 'Search-engine connection messages',
	},
	{
		id: 'B.message.connection',
		rule: 'A TLS or network failure shows `Connection failed: <detail>`.',
		where: 'Search-engine connection messages',
	},
] as const satisfies readonly Requirement[]
