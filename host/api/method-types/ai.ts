import type { Manifest } from '@roundhouse/kit/manifest'
import type { ToolGroup } from '@roundhouse/kit/tool-groups'
import type { ActivityEntry, Verdict } from '../../activity/activity-log.ts'
import type { ConnectedClient } from '../../activity/connected-clients.ts'
import type { SetupPlan } from '../../client-setup/setup.ts'
import type { Level, NewToken, Pairing, SeenTool, TokenDraft, TokenInfo } from '../../mcp/index.ts'
import type { PendingQuestion } from '../consent-desk.ts'
import type { PendingShowing } from '../showings.ts'

/** What AI clients may do, what they ask of the user, and what they did. */
export interface AiMethods {
	'ai.grants'(): AiGrants
	/** Withdraws a token's permission for a connection; the next use asks again. */
	'ai.revokeAccess'(params: { readonly grantee: string; readonly connectionId: string }): null
	/** Ends a consent for a while. */
	'ai.endGrant'(params: { readonly id: string }): null
	'consent.pending'(): readonly WindowQuestion[]
	'consent.answer'(params: { readonly id: string; readonly isApproved: boolean; readonly forMinutes?: number }): null
	/** What AI clients offer to show. */
	'showings.pending'(): readonly PendingShowing[]
	/** The user has answered: the offer is removed. `null` if another window took it. */
	'showings.take'(params: { readonly id: string }): PendingShowing | null
	/** Shows a `roundhouse://pair` link to the user. */
	'pairing.begin'(params: { readonly link: string }): PendingPairing
	'pairing.pending'(): readonly PendingPairing[]
	/** Approves. The user copies the code if the program gave no address for it. */
	'pairing.approve'(params: {
		readonly id: string
		readonly level: TokenLevel
		readonly connections?: readonly string[]
		readonly expires?: string
	}): { readonly code: string | null }
	'pairing.refuse'(params: { readonly id: string }): null
	'pairing.exchange'(params: { readonly code: string; readonly verifier: string }): NewToken
	'setup.list'(): {
		readonly clients: readonly {
			readonly id: string
			readonly name: string
			readonly path: string
			readonly isInstalled: boolean
			/** An address that the client opens to add Roundhouse; without secrets. */
			readonly link: string | null
		}[]
		/** For other clients. */
		readonly snippet: string
	}
	/** Returns the planned change; nothing is written. */
	'setup.plan'(params: { readonly client: string; readonly kind: 'install' | 'uninstall' }): SetupPlan
	/** Makes the shown change; refused if the file has changed since. */
	'setup.apply'(params: {
		readonly client: string
		readonly kind: 'install' | 'uninstall'
		readonly before: string
	}): null
	/** Runs the whole path as a client would. */
	'setup.test'(): { readonly name: string; readonly version: string }
	/** The latest first. */
	'activity.list'(): readonly ActivityEntry[]
	/** Verifies the log's hash chain on disk. */
	'activity.verify'(): Verdict
	'activity.clients'(): readonly ConnectedClient[]
	'tokens.create'(params: TokenDraft): NewToken
	'tokens.list'(): readonly TokenInfo[]
	/** What a client with this token sees, and what each tool costs a model; `bridge` stands for clients without one. */
	'tokens.tools'(params: { readonly id: string }): Sight
	/** Sets its groups of tools, from its next request on. */
	'tokens.setGroups'(params: { readonly id: string; readonly groups: readonly ToolGroup[] }): Sight
	'tokens.revoke'(params: { readonly id: string }): null
}

export type TokenLevel = Level
export type { NewToken, TokenDraft }

/** The tool groups of a client and the tools in them. */
export interface Sight {
	readonly groups: readonly ToolGroup[]
	readonly tools: readonly SeenTool[]
}

/** A question for the window, with the engine's term for rows. */
export type WindowQuestion = PendingQuestion & Pick<Manifest, 'rowNoun'>

type PendingPairing = ReturnType<Pairing['pending']>[number]

/** Lasting permissions of the user. */
export interface AiGrants {
	readonly access: readonly {
		readonly grantee: string
		readonly connectionId: string
		readonly token: string
		readonly connection: string
		readonly grantedAt: string
	}[]
	readonly statements: readonly {
		readonly id: string
		readonly token: string
		readonly client: string
		readonly connection: string
		/** The kind of statement that is allowed, for example `POST /books/_update`. */
		readonly target: string
		/** How many rows it still covers. */
		readonly rowsLeft: number
		readonly expiresAt: string
	}[]
}
