const root = 'roundhouse://connections'

/** Upper limit of a URI of the core or of a driver. */
export const maxUriLength = 4096

/** The target of a core URI. */
export type ResourceAddress =
	| { readonly kind: 'connections' }
	| { readonly kind: 'schema' | 'tables' | 'history'; readonly connectionId: string }
	| { readonly kind: 'table'; readonly connectionId: string; readonly table: string }

/** Parses a core URI, or returns `undefined`. Does not check whether the target exists. */
export function parseUri(uri: string): ResourceAddress | undefined {
	if (uri === root) return { kind: 'connections' }
	if (!uri.startsWith(`${root}/`) || uri.length > maxUriLength) return undefined
	const [connectionId, kind, table, ...rest] = uri
		.slice(root.length + 1)
		.split('/')
		.map(decode)
	if (!connectionId || rest.length > 0) return undefined
	if (kind === 'tables' && table) return { kind: 'table', connectionId, table }
	const isKnown = kind === 'schema' || kind === 'tables' || kind === 'history'
	return isKnown && table === undefined ? { kind, connectionId } : undefined
}

export function formatUri(address: ResourceAddress): string {
	if (address.kind === 'connections') return root
	const connection = `${root}/${encodeURIComponent(address.connectionId)}`
	return address.kind === 'table'
		? `${connection}/tables/${encodeURIComponent(address.table)}`
		: `${connection}/${address.kind}`
}

function decode(segment: string): string | undefined {
	try {
		return decodeURIComponent(segment)
	} catch {
		return undefined
	}
}
