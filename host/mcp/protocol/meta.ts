import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { metaKeys } from '../wire/meta-keys.ts'
import { modernVersion } from '../wire/versions.ts'
import { ProtocolError } from './errors.ts'
import { isRequestId, type RequestId } from './message.ts'
import { printable } from './printable.ts'

const { protocolVersion: versionKey, clientCapabilities: capabilitiesKey, clientInfo: clientInfoKey } = metaKeys

export interface ClientInfo {
	readonly name: string
	readonly title?: string
	readonly version: string
}

/** The `params._meta` of a modern request. */
export interface ModernMeta {
	readonly era: 'modern'
	readonly version: string
	readonly clientCapabilities: JsonObject
	readonly client: ClientInfo | undefined
}

/**
 * Determines the era and reads the modern `_meta` (contract, "`params._meta`" and "Versioning" 4).
 *
 * A request without the version key is legacy, unless its `MCP-Protocol-Version` header names the modern revision. Then
 * the key is missing in the sense of the contract.
 * @throws ProtocolError `invalid_params`
 */
export function readMeta(
	params: JsonObject,
	versionHeader: string | undefined,
): ModernMeta | { readonly era: 'legacy' } {
	const meta = metaOf(params)
	const version = meta[versionKey]
	if (version === undefined && versionHeader !== modernVersion) return { era: 'legacy' }
	if (typeof version !== 'string' || version === '') {
		throw new ProtocolError('invalid_params', `\`_meta\` needs "${versionKey}", for example "${modernVersion}".`)
	}
	const clientCapabilities = meta[capabilitiesKey]
	if (!isJsonObject(clientCapabilities)) {
		throw new ProtocolError('invalid_params', `\`_meta\` needs "${capabilitiesKey}", an object; {} is valid.`)
	}
	return { era: 'modern', version, clientCapabilities, client: readClientInfo(meta[clientInfoKey]) }
}

/** Returns the version in the body of a notification, where it is optional. */
export function claimedVersion(params: JsonObject): string | undefined {
	const version = metaOf(params)[versionKey]
	return typeof version === 'string' ? version : undefined
}

/** @throws ProtocolError `invalid_params` */
export function readProgressToken(params: JsonObject): RequestId | undefined {
	const token = metaOf(params).progressToken
	if (token === undefined || isRequestId(token)) return token
	throw new ProtocolError(
		'invalid_params',
		'`_meta.progressToken` is a string or an integer of at most 1000 characters.',
	)
}

/** Reads the client's names, which are for display only. Invalid or invisible parts are dropped, not refused. */
export function readClientInfo(value: Json | undefined): ClientInfo | undefined {
	if (!isJsonObject(value) || typeof value.name !== 'string') return undefined
	const { name, title, version } = value
	return {
		name: printable(name.slice(0, 200)),
		version: typeof version === 'string' ? printable(version.slice(0, 100)) : '',
		...(typeof title === 'string' && { title: printable(title.slice(0, 200)) }),
	}
}

const noMeta: JsonObject = Object.freeze({})

function metaOf(params: JsonObject): JsonObject {
	const meta = params._meta
	if (meta === undefined) return noMeta
	if (isJsonObject(meta)) return meta
	throw new ProtocolError('invalid_params', '`_meta` is an object.')
}
