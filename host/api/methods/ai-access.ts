import type { Manifest } from '@roundhouse/kit/manifest'
import { z } from 'zod'
import { onAbort } from '../../../base/on-abort.ts'
import type { SavedConnections } from '../../connections/saved-connections.ts'
import type { McpEndpoint, Tokens } from '../../mcp/index.ts'
import type { Drivers } from '../../plugin-loader/drivers.ts'
import type { PendingQuestion, WindowDesk } from '../consent-desk.ts'
import { method } from './method.ts'

/** The parts of a running host for AI clients. */
export interface AiAccess {
	readonly endpoint: McpEndpoint
	readonly desk: WindowDesk
}

/** A question for the window, with the engine's term for rows. */
export type WindowQuestion = PendingQuestion & Pick<Manifest, 'rowNoun'>

interface AiAccessServices {
	readonly connections: SavedConnections
	readonly tokens: Tokens
	readonly drivers: Drivers
}

/** Settings > AI access, and the questions of AI clients. */
export function aiAccessMethods(running: () => AiAccess, { connections, tokens, drivers }: AiAccessServices) {
	const connectionName = (id: string) => connections.find(id)?.name ?? 'a removed connection'
	const rowNoun = (driverId: string) =>
		drivers.installed().find(({ id }) => id === driverId)?.rowNoun ?? { one: 'row', many: 'rows' }
	const tokenName = (id: string) => tokens.list().find(token => token.id === id)?.name ?? 'the bridge'
	return {
		'ai.grants': method({
			params: z.object({}),
			run: async () => {
				const { accessGrants, statementGrants } = running().endpoint
				return {
					access: accessGrants.list().map(({ grantee, connectionId, grantedAt }) => ({
						grantee,
						connectionId,
						grantedAt,
						token: tokenName(grantee),
						connection: connectionName(connectionId),
					})),
					statements: statementGrants.list().map(({ id, token, client, connectionId, target, rowsLeft, expiry }) => ({
						id,
						token,
						client,
						target,
						rowsLeft,
						connection: connectionName(connectionId),
						expiresAt: new Date(expiry.at).toISOString(),
					})),
				}
			},
		}),
		/** Withdraws a token's permission for a connection; the next use asks again. */
		'ai.revokeAccess': method({
			params: z.object({ grantee: z.string(), connectionId: z.string() }),
			run: async ({ grantee, connectionId }) => {
				await running().endpoint.accessGrants.revoke(grantee, connectionId)
				return null
			},
		}),
		/** Ends a consent for a while. */
		'ai.endGrant': method({
			params: z.object({ id: z.string() }),
			run: async ({ id }) => {
				running().endpoint.statementGrants.end(id)
				return null
			},
		}),
		'consent.pending': method({
			params: z.object({}),
			run: async (): Promise<readonly WindowQuestion[]> =>
				running()
					.desk.pending()
					.map(question => ({ ...question, rowNoun: rowNoun(question.connection.driverId) })),
		}),
		/** Shows questions of `ssh` and commands for secrets about a connection in the caller's terminal, until it leaves. */
		'consent.attend': method({
			params: z.object({ connection: z.string() }),
			run: async ({ connection }, { signal }) => {
				const leave = running().desk.attend(connection)
				const { promise, resolve } = Promise.withResolvers<null>()
				using _ = onAbort(signal, () => resolve(null))
				await promise
				leave()
				return null
			},
		}),
		'consent.answer': method({
			params: z.object({
				id: z.string(),
				isApproved: z.boolean(),
				forMinutes: z.int().positive().max(60).exactOptional(),
				/** What `ssh` asks for. */
				text: z.string().max(10_000).exactOptional(),
				/** The user lets this machine remember it. */
				remembers: z.boolean().exactOptional(),
			}),
			run: async ({ id, isApproved, forMinutes, text, remembers }) => {
				const answer = isApproved
					? {
							decision: 'approved' as const,
							...(forMinutes !== undefined && { forMinutes }),
							...(text !== undefined && { text }),
							...(remembers !== undefined && { remembers }),
						}
					: { decision: 'refused' as const }
				running().desk.answer(id, answer)
				return null
			},
		}),
	}
}
