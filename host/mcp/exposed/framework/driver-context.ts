import { stringifyJson } from '@roundhouse/kit'
import type { Round } from '../../consent/rounds.ts'
import type { McpCall } from '../../protocol/method.ts'

/** What a driver gets beside the arguments, as the wire carries it (plugins/kit/api/driver.ts, `ToolCall`). */
export function driverContext({ inputResponses, resumed }: Round, { clientCapabilities }: McpCall): string {
	return stringifyJson({
		clientCapabilities,
		inputResponses,
		...(resumed?.purpose === 'driver' && resumed.state !== undefined && { state: resumed.state }),
	})
}

/** Hands a driver's progress to the client; the unit is the driver's. */
export function forwardProgress(call: McpCall) {
	return ({ done, total, message }: { done: number; total?: number; message?: string }) =>
		call.progress({ progress: done, ...(total !== undefined && { total }), ...(message !== undefined && { message }) })
}
