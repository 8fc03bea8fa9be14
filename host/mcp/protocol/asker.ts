import type { Caller } from './caller.ts'
import type { ClientInfo } from './meta.ts'

/** Who asks, as far as a person can recognise it. */
export interface Asker {
	/** The name the client gave itself, which proves nothing, and the token's name, which does. */
	readonly client: string
	readonly token: string
}

export function askerOf({
	client,
	caller,
}: {
	readonly client: ClientInfo | undefined
	readonly caller: Caller
}): Asker {
	return { client: clientName(client), token: caller.name }
}

const longest = 60

/**
 * What a client calls itself, as it may stand in quotes between words of ours: without quotes of its own, with which it
 * could end ours and go on in our voice, and no longer than a name is.
 */
export function clientName(client: ClientInfo | undefined): string {
	const claimed = (client?.title || client?.name || '').replaceAll(/[\p{Pi}\p{Pf}"'`´„‚]/gu, '').trim()
	if (claimed === '') return 'Unknown client'
	return claimed.length > longest ? `${claimed.slice(0, longest)}…` : claimed
}
