import { z } from 'zod'
import { levelNames, type Tokens, tokenErrors } from '../../mcp/index.ts'
import type { Methods } from './method.ts'

export const tokenMethods = (tokens: Tokens): Methods<Extract<keyof Methods, `tokens.${string}`>> => ({
	'tokens.create': {
		params: z.object({
			name: z.string().min(1),
			level: z.enum([...levelNames, 'custom']),
			scopes: z.array(z.string()).optional(),
			connections: z.array(z.string()).optional(),
			expires: z.string().optional(),
		}),
		run: async request => {
			// A token without scopes can do nothing that anybody would make one for.
			if (request.level === 'custom' && !request.scopes?.length) throw tokenErrors.make('scope_missing', {})
			return tokens.create(request)
		},
	},
	'tokens.list': { params: z.object({}), run: async () => tokens.list() },
	'tokens.revoke': {
		params: z.object({ id: z.string() }),
		run: async ({ id }) => {
			await tokens.revoke(id)
			return null
		},
	},
})
