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
] as const satisfies readonly Requirement[]
