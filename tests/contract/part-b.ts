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
] as const satisfies readonly Requirement[]
