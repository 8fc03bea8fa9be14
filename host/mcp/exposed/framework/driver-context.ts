import { stringifyJson } from '@roundhouse/kit'
import type { CallOptions } from '../../../driver-runtime/driver-calls.ts'
import type { Round } from '../../consent/rounds.ts'
import type { McpCall } from '../../protocol/method.ts'

/** Returns the context of a call for the driver, in the wire format (plugins/kit/api/mcp.ts, `ToolCall`). */
export function driverContext({ call, inputResponses, resumed }: Round): string {
	return stringifyJson({
		clientCapabilities: call.clientCapabilities,
		inputResponses,
		...(resumed?.purpose === 'driver' && resumed.state !== undefined && { state: resumed.state }),
	})
}

/** Forwards the client's cancellation to a driver, and the driver's progress to the client in the driver's unit. */
export function driverOptions(call: McpCall): CallOptions {
	return {
		signal: call.signal,
		onProgress: ({ done, total, message }) =>
			call.progress({
				progress: done,
				...(total !== undefined && { total }),
				...(message !== undefined && { message }),
			}),
	}
}
