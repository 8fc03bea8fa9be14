import { toolGroupSchema } from '@roundhouse/kit/manifest'
import type { ToolGroup } from '@roundhouse/kit/tool-groups'
import { z } from 'zod'
import { levelNames, type McpEndpoint, type SeenTool, type Tokens, tokenErrors } from '../../mcp/index.ts'
import { method } from './method.ts'

/** The tool groups of a client and the tools in them. */
export interface Sight {
	readonly groups: readonly ToolGroup[]
	readonly tools: readonly SeenTool[]
}

export function tokenMethods(tokens: Tokens, toolsFor: McpEndpoint['toolsFor']) {
	const sightOf = (id: string): Sight => ({ groups: tokens.groupsOf(id), tools: toolsFor(id) })
	return {
		'tokens.create': method({
			params: z.object({
				name: z.string().min(1),
				level: z.enum([...levelNames, 'custom']),
				scopes: z.array(z.string()).readonly().optional(),
				groups: z.array(toolGroupSchema).readonly().optional(),
				connections: z.array(z.string()).readonly().optional(),
				expires: z.string().optional(),
			}),
			run: async request => {
				// A token without scopes can do nothing.
				if (request.level === 'custom' && !request.scopes?.length) throw tokenErrors.make('scope_missing', {})
				return tokens.create(request)
			},
		}),
		'tokens.list': method({ params: z.object({}), run: async () => tokens.list() }),
		/** What a client with this token sees, and what each tool costs a model; `bridge` stands for clients without one. */
		'tokens.tools': method({
			params: z.object({ id: z.string() }),
			run: async ({ id }) => sightOf(id),
		}),
		/** Sets its groups of tools, from its next request on. */
		'tokens.setGroups': method({
			params: z.object({ id: z.string(), groups: z.array(toolGroupSchema).readonly() }),
			run: async ({ id, groups }) => {
				// If the tools that it sees cannot be determined, nothing changes.
				sightOf(id)
				await tokens.setGroups(id, groups)
				return sightOf(id)
			},
		}),
		'tokens.revoke': method({
			params: z.object({ id: z.string() }),
			run: async ({ id }) => {
				await tokens.revoke(id)
				return null
			},
		}),
	}
}
