import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { parseJsonOrUndefined } from '../../base/parse-json.ts'
import type { TokenLevel } from '../api/api.ts'
import { type CommandContext, print, usageError, withHost } from './context.ts'

/** Passes a `roundhouse://pair` link to the running host, which asks the user. */
export async function pairLink(context: CommandContext, link: string): Promise<void> {
	const asked = await withHost(context, host => host.call('pairing.begin', { link }))
	print(
		context,
		asked,
		`${asked.client} asks for a token. Answer in the window, or with: roundhouse pair approve ${asked.id}`,
	)
}

export async function listPairings(context: CommandContext): Promise<void> {
	const pending = await withHost(context, host => host.call('pairing.pending', {}))
	print(
		context,
		pending,
		pending.map(({ id, client }) => `${id}  ${client}`).join('\n') || 'No program asks for a token.',
	)
}

export async function approvePairing(
	context: CommandContext,
	id: string,
	grant: { readonly level: TokenLevel; readonly connections?: readonly string[]; readonly expires: string },
): Promise<void> {
	const { connections, ...others } = grant
	const approved = { id, ...others, ...(connections && { connections }) }
	const { code } = await withHost(context, host => host.call('pairing.approve', approved))
	print(context, { id, code }, code === null ? 'The program has its code.' : `Give the program this code: ${code}`)
}

export async function refusePairing(context: CommandContext, id: string): Promise<void> {
	await withHost(context, host => host.call('pairing.refuse', { id }))
	print(context, { id, refused: true }, 'Refused.')
}

/** The program's side: exchanges its code and verifier, from stdin, for the token. */
export async function exchangePairing(context: CommandContext): Promise<void> {
	const input = z
		.object({ code: z.string(), verifier: z.string() })
		.safeParse(parseJsonOrUndefined(await text(process.stdin)))
	if (!input.success) throw usageError('pair exchange reads one JSON object from stdin: {"code":"…","verifier":"…"}.')
	const created = await withHost(context, host => host.call('pairing.exchange', input.data))
	const { id, token, scopes, connections, expiresAt } = created
	print(context, { id, token, scopes, connections, expiresAt }, token)
}
