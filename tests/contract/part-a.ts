import type { Requirement } from './requirement.ts'

/** Part A of the contract: the local MCP endpoint. */
export const partA = [
	{
		id: 'A.service.loopback',
		rule: 'The endpoint binds only the loopback address and speaks plain HTTP.',
		where: 'What the service does, 2',
	},
] as const satisfies readonly Requirement[]
