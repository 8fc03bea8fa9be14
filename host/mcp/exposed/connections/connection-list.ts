import type { JsonObject } from '@roundhouse/kit'
import type { Sessions } from '../../../connections/sessions.ts'
import type { ConnectionGate } from '../../access/connection-gate.ts'
import type { Caller } from '../../protocol/caller.ts'

/** Returns the connections that a caller may see, with their state and policy. */
export function connectionList(caller: Caller, gate: ConnectionGate, sessions: Sessions): JsonObject {
	return {
		connections: gate.visible(caller).map(({ id, name, driverId, externalAccess, aiPolicy }) => ({
			id,
			name,
			driver: driverId,
			status: sessions.state(id).status,
			external_access: externalAccess,
			ai_policy: aiPolicy,
		})),
	}
}
