import type { JsonObject } from '@roundhouse/kit'
import { exportErrors } from '../../../exports/errors.ts'
import { readPiece } from '../../../exports/export-file.ts'
import type { McpCall } from '../../protocol/method.ts'
import { answerBytes } from '../framework/fitted.ts'
import type { Services } from '../framework/services.ts'
import { formatUri, type ResourceAddress } from './uri.ts'

type ExportAddress = Extract<ResourceAddress, { readonly kind: 'export' }>

/**
 * Returns a piece of a file that this caller exported, and after it the URI of what follows. `undefined` if there is no
 * such export, or nothing at that byte.
 *
 * @throws DriverError, HostError `export/changed`, `export/hidden_since`
 */
export async function readExportResource(
	address: ExportAddress,
	services: Services,
	call: McpCall,
): Promise<JsonObject | undefined> {
	const { gate, firstUse, clientExports } = services
	const { connectionId, id, from } = address
	const need = { access: 'read', group: 'core' } as const
	const connection = gate.find(connectionId, call.caller, need)
	await firstUse.permit(connection, call)
	gate.requireAllowed(connection, call, need)
	const exported = clientExports.find(call.caller, connectionId, id)
	if (!exported || (from > 0 && from >= exported.file.bytes)) return undefined
	if (exported.hidden !== gate.hiddenMarks(connectionId)) throw exportErrors.make('hidden_since')
	const { file, mimeType } = exported
	const { text, next } = await readPiece(file, from, answerBytes)
	const rest = formatUri({ ...address, from: next })
	const more = `${next} of ${file.bytes} bytes. Read this URI for the next ones; the number at its end is the byte to begin at, for the last rows too.`
	return {
		contents: [
			{ uri: formatUri(address), mimeType, text },
			...(next < file.bytes ? [{ uri: rest, mimeType: 'text/plain', text: more }] : []),
		],
	}
}
