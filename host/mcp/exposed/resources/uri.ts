const root = 'roundhouse://connections'

/** Upper limit of a URI of the core or of a driver. */
export const maxUriLength = 4096

/** The target of a core URI. */
export type ResourceAddress =
	| { readonly kind: 'connections' }
	| { readonly kind: 'schema' | 'tables' | 'history'; readonly connectionId: string }
	| { readonly kind: 'table'; readonly connectionId: string; readonly table: string }
	/** A file that the client exported, from this byte on. */
	| { readonly kind: 'export'; readonly connectionId: string; readonly id: string; readonly from: number }

/** Parses a core URI, or returns `undefined`. Does not check whether the target exists. */
export function parseUri(uri: string): ResourceAddress | undefined {
	if (uri === root) return { kind: 'connections' }
	if (!uri.startsWith(`${root}/`) || uri.length > maxUriLength) return undefined
	const [connectionId, kind, name, from, ...rest] = uri
		.slice(root.length + 1)
		.split('/')
		.map(decode)
	if (!connectionId || rest.length > 0) return undefined
	if (kind === 'exports' && name && /^\d{1,15}$/.test(from ?? '0')) {
		return { kind: 'export', connectionId, id: name, from: Number(from ?? 0) }
	}
	if (from !== undefined) return undefined
	if (kind === 'tables' && name) return { kind: 'table', connectionId, table: name }
	const isKnown = kind === 'schema' || kind === 'tables' || kind === 'history'
	return isKnown && name === undefined ? { kind, connectionId } : undefined
}

export function formatUri(address: ResourceAddress): string {
	if (address.kind === 'connections') return root
	const connection = `${root}/${encodeURIComponent(address.connectionId)}`
	if (address.kind === 'table') return `${connection}/tables/${encodeURIComponent(address.table)}`
	if (address.kind !== 'export') return `${connection}/${address.kind}`
	const file = `${connection}/exports/${address.id}`
	return address.from === 0 ? file : `${file}/${address.from}`
}

function decode(segment: string): string | undefined {
	try {
		return decodeURIComponent(segment)
	} catch {
		return undefined
	}
}
