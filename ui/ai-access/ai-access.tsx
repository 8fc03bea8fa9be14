import type { JSX } from 'solid-js'
import { OpensTogether } from '../state/opening.tsx'
import { ClientSetup } from './client-setup.tsx'
import { ExportsOfClients } from './exports.tsx'
import { Grants } from './grants.tsx'
import { Server } from './server.tsx'
import { Tokens } from './tokens.tsx'

/** Settings > AI access: the endpoint, tokens and lasting permissions. */
export function AiAccess(): JSX.Element {
	return (
		<OpensTogether>
			<Server />
			<ClientSetup />
			<Tokens />
			<ExportsOfClients />
			<Grants />
		</OpensTogether>
	)
}
