import { cutText } from '@roundhouse/kit'
import type { Caller } from './caller.ts'
import type { ClientInfo } from './meta.ts'

/** Identifies the client in a question to the user. */
export interface Asker {
	/** `client` is the name that the client claims, and is not verified. `token` is the name of its token. */
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

const maxLength = 60

/**
 * Returns the name that a client claims, for use in quotes within a message. Removes quotation marks, with which the
 * client could close the quotes and forge text of Roundhouse. Limits the length.
 */
export function clientName(client: ClientInfo | undefined): string {
	const claimed = (client?.title || client?.name || '').replaceAll(/[\p{Pi}\p{Pf}"'`´„‚]/gu, '').trim()
	if (claimed === '') return 'Unknown client'
	return cutText(claimed, maxLength)
}
