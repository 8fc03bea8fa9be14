import type { Caller } from './caller.ts'
import { clientName } from './client-name.ts'
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
