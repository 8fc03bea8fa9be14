import { isJsonObject, type JsonObject } from '@roundhouse/kit/json'
import { metaKeys } from '../wire/meta-keys.ts'
import { isLegacyVersion, type LegacyVersion, modernVersion, newestLegacyVersion } from '../wire/versions.ts'

/**
 * Translates between a client of a legacy revision and the host. The bridge uses the modern revision to the host. That
 * revision has no sessions, so a restart of the host and its session limit do not affect the client.
 */

/** A client that has sent `initialize`. */
export interface LegacyClient {
	readonly version: LegacyVersion
	/** What a modern request says about its client. */
	readonly meta: JsonObject
}

/** Methods of the modern revision that a legacy client cannot call (contract, "Methods"). */
export const modernMethods: ReadonlySet<string | undefined> = new Set(['server/discover', 'subscriptions/listen'])

/** Members that results of the modern revision have and legacy results do not (contract, "Result envelope"). */
const modernMembers = ['resultType', 'ttlMs', 'cacheScope']
const modernMetaMembers = [metaKeys.serverInfo]

/** Members of a question's params that the client's revision does not know. */
const unknownInQuestion: Readonly<Record<LegacyVersion, readonly string[]>> = {
	'2025-11-25': [],
	'2025-06-18': ['mode'],
}

/**
 * Reads the params of `initialize`. On stdio, clients of any revision may begin with it, and they accept the version in
 * the answer. So the newest legacy version replaces an unknown one.
 */
export function readLegacyClient({ protocolVersion, capabilities, clientInfo }: JsonObject): LegacyClient {
	return {
		version: isLegacyVersion(protocolVersion) ? protocolVersion : newestLegacyVersion,
		meta: {
			[metaKeys.protocolVersion]: modernVersion,
			[metaKeys.clientCapabilities]: isJsonObject(capabilities) ? capabilities : {},
			...(isJsonObject(clientInfo) && { [metaKeys.clientInfo]: clientInfo }),
		},
	}
}

/** Converts the result of `server/discover` into that of `initialize`. */
export function initializeResult(discovered: JsonObject, { version }: LegacyClient): JsonObject {
	const { extensions: _, resources, ...capabilities } = objectIn(discovered, 'capabilities')
	const { name, title, version: serverVersion } = objectIn(objectIn(discovered, '_meta'), metaKeys.serverInfo)
	return defined({
		protocolVersion: version,
		capabilities: {
			...capabilities,
			...(isJsonObject(resources) && { resources: { ...resources, subscribe: false } }),
		},
		serverInfo: defined({ name, title, version: serverVersion }),
		instructions: discovered.instructions,
	})
}

/** Converts a legacy request into a modern one. A malformed request is unchanged, so that the host refuses it. */
export function toModern(request: JsonObject, { meta }: LegacyClient, more: JsonObject = {}): JsonObject {
	const { params = {} } = request
	if (!isJsonObject(params) || !(params._meta === undefined || isJsonObject(params._meta))) return request
	return { ...request, params: { ...params, ...more, _meta: { ...params._meta, ...meta } } }
}

/** Removes what a legacy result does not have. */
export function toLegacy(result: JsonObject): JsonObject {
	const { _meta, ...members } = without(result, modernMembers)
	if (!isJsonObject(_meta)) return members
	const meta = without(_meta, modernMetaMembers)
	return Object.keys(meta).length > 0 ? { ...members, _meta: meta } : members
}

/** Questions of the host by their key. */
export type Questions = Readonly<Record<string, { readonly method: string; readonly params: JsonObject }>>

/** Returns the questions of an `input_required` result, as requests of the client's revision; else `undefined`. */
export function questionsIn(result: JsonObject, { version }: LegacyClient): Questions | undefined {
	if (result.resultType !== 'input_required') return undefined
	// The host has checked each question.
	const asked = objectIn(result, 'inputRequests') as unknown as Questions
	return Object.fromEntries(
		Object.entries(asked).map(([key, { method, params }]) => [
			key,
			{ method, params: without(params, unknownInQuestion[version]) },
		]),
	)
}

function without(object: JsonObject, names: readonly string[]): JsonObject {
	return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
}

function objectIn(object: JsonObject, name: string): JsonObject {
	const value = object[name]
	return isJsonObject(value) ? value : {}
}

/** Leaves out members without a value. */
function defined(object: Readonly<Record<string, JsonObject[string] | undefined>>): JsonObject {
	return Object.fromEntries(
		Object.entries(object).filter((member): member is [string, JsonObject[string]] => member[1] !== undefined),
	)
}
