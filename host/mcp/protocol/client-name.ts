import type { ClientInfo } from './meta.ts'

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
