const root = 'roundhouse://connections'

/** A longer URI names nothing of ours and nothing of a driver's. */
export const longestUri = 4096

/** What a URI of ours points at. */
export type ResourceAddress =
	| { readonly kind: 'connections' }
	| { readonly kind: 'schema' | 'tables' | 'history'; readonly connectionId: string }
	| { readonly kind: 'table'; readonly connectionId: string; readonly table: string }

/** `undefined` for a URI that is not one of ours; whether what it names is there is another question. */
export function parseUri(uri: string): ResourceAddress | undefined {
	if (uri === root) return { kind: 'connections' }
	if (!uri.startsWith(`${root}/`) || uri.length > longestUri) return undefined
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
