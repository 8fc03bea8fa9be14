import type { PastRun } from '../../requests/history.ts'
import type { OfferedTool } from '../../requests/offers.ts'
import type { OpenRequest, SavedRequest } from '../../requests/saved-requests.ts'
import type { Values } from '../../requests/variables.ts'

/** What a user keeps beside a console: saved requests, those that AI clients get as tools, variables and the history. */
export interface RequestMethods {
	/** The saved requests of the connection and of the shared folder. */
	'requests.list'(params: { readonly connection: string }): {
		readonly requests: readonly SavedRequest[]
		/** Why the shared folder cannot be used. */
		readonly fault?: string
	}
	'requests.read'(params: OfRequest): OpenRequest
	/** Saves a new one. `name` may have folders, separated by slashes. */
	'requests.add'(params: Omit<OfRequest, 'path'> & { readonly name: string; readonly text: string }): OpenRequest
	/** Overwrites one. `seen`: the version that the user saw; another version is refused. */
	'requests.write'(
		params: OfRequest & { readonly name: string; readonly text: string; readonly seen: string },
	): OpenRequest
	'requests.rename'(params: OfRequest & { readonly name: string }): OpenRequest
	'requests.renameFolder'(params: OfRequest & { readonly to: string }): null
	'requests.remove'(params: OfRequest): null
	/** The saved requests of a connection that AI clients get as tools. */
	'offers.list'(params: { readonly connection: string }): readonly OfferedEntry[]
	/** Describes a request as a tool: its parameters and the driver's verdict. */
	'offers.look'(params: OfRequest): OfferView
	/** Offers a request as shown (`OfferView.version`), in place of an earlier offer. */
	'offers.make'(params: OfRequest & { readonly seen: string; readonly tool: OfferedTool }): null
	'offers.withdraw'(params: OfRequest): null
	/** The values of `{{name}}` on a connection. */
	'variables.read'(params: { readonly connection: string }): Values
	'variables.write'(params: { readonly connection: string; readonly values: Values }): null
	/** The past runs in the consoles of a connection, the latest first. */
	'history.list'(params: { readonly connection: string }): readonly PastRun[]
	'history.add'(params: { readonly connection: string; readonly run: PastRun }): null
}

/** The place of a saved request. */
export interface OfRequest extends Pick<SavedRequest, 'place' | 'path'> {
	readonly connection: string
}

/** A saved request that is a tool of AI clients. */
export interface OfferedEntry extends Pick<SavedRequest, 'place' | 'path'> {
	readonly name: string
	/** Its text differs from the offered one, so no client gets it. */
	readonly isChanged: boolean
}

export interface OfferView {
	readonly text: string
	readonly version: string
	/** Of its parameters, in order. */
	readonly names: readonly string[]
	readonly access?: 'read' | 'write'
	/** Why it cannot be offered. */
	readonly fault?: string
	/** Its current offer. */
	readonly offer?: OfferedTool
	readonly isChanged?: boolean
}
