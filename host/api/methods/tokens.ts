import { toolGroupSchema } from '@roundhouse/kit/manifest'
import { z } from 'zod'
import { levelNames, type McpEndpoint, type Tokens, tokenErrors } from '../../mcp/index.ts'
import type { Sight } from '../api.ts'
import type { Methods } from './method.ts'

export function tokenMethods(
	tokens: Tokens,
	toolsFor: McpEndpoint['toolsFor'],
): Methods<Extract<keyof Methods, `tokens.${string}`>> {
	const sightOf = (id: string): Sight => ({ groups: tokens.groupsOf(id), tools: toolsFor(id) })
	return {
		'tokens.create': {
			params: z.object({
				name: z.string().min(1),
				level: z.enum([...levelNames, 'custom']),
				scopes: z.array(z.string()).optional(),
				groups: z.array(toolGroupSchema).optional(),
				connections: z.array(z.string()).optional(),
				expires: z.string().optional(),
			}),
			run: async request => {
				// A token without scopes can do nothing.
				if (request.level === 'custom' && !request.scopes?.length) throw tokenErrors.make('scope_missing', {})
				return tokens.create(request)
			},
		},
		'tokens.list': { params: z.object({}), run: async () => tokens.list() },
		'tokens.tools': {
			params: z.object({ id: z.string() }),
			run: async ({ id }) => sightOf(id),
		},
		'tokens.setGroups': {
			params: z.object({ id: z.string(), groups: z.array(toolGroupSchema) }),
			run: async ({ id, groups }) => {
				// If the tools that it sees cannot be determined, nothing changes.
				sightOf(id)
				await tokens.setGroups(id, groups)
				return sightOf(id)
			},
		},
		'tokens.revoke': {
			params: z.object({ id: z.string() }),
			run: async ({ id }) => {
				await tokens.revoke(id)
				return null
			},
		},
	}
}
