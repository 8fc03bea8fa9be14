import { isJsonObject } from '@roundhouse/kit'
import { logLevelRule, logLevels } from '../../wire/log-levels.ts'
import { isLegacyVersion } from '../../wire/versions.ts'
import { unsupportedVersion } from '../dispatcher.ts'
import { ProtocolError } from '../errors.ts'
import type { LegacySessions } from '../legacy-sessions.ts'
import { readClientInfo } from '../meta.ts'
import type { Method } from '../method.ts'
import { complete } from '../outcome.ts'
import { capabilities, instructions, type ServerDescription } from './discover.ts'

/** Opens a legacy session in the requested version (contract, "Legacy session"). */
export function initialize(server: ServerDescription, sessions: LegacySessions): Method {
	const { name, title, version } = server
	return {
		eras: ['legacy'],
		handle: ({ protocolVersion, clientInfo, capabilities: declared }, { caller }) => {
			if (typeof protocolVersion !== 'string') {
				throw new ProtocolError('invalid_params', '`protocolVersion` must be a string.')
			}
			if (!isLegacyVersion(protocolVersion)) throw unsupportedVersion(protocolVersion)
			const session = sessions.create(caller, {
				version: protocolVersion,
				client: readClientInfo(clientInfo),
				clientCapabilities: isJsonObject(declared) ? declared : {},
			})
			return {
				...complete({
					protocolVersion,
					capabilities: capabilities('legacy'),
					serverInfo: { name, title, version },
					instructions,
				}),
				headers: { 'Mcp-Session-Id': session.id },
			}
		},
	}
}

export const ping: Method = { eras: ['legacy'], handle: () => complete({}) }

/** A no-op: this server sends no log messages. */
export const setLogLevel: Method = {
	eras: ['legacy'],
	handle: ({ level }) => {
		if (logLevels.includes(level)) return complete({})
		throw new ProtocolError('invalid_params', logLevelRule)
	},
}
