import { type Ask, isJsonObject, type JsonObject, type MissingCapability } from '@roundhouse/kit'
import type { Manifest } from '@roundhouse/kit/manifest'
import { canElicit } from '../../consent/elicitation.ts'
import { bindingOf, type StateContent } from '../../consent/request-state.ts'
import type { Round } from '../../consent/rounds.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { InputRequired } from '../../protocol/outcome.ts'
import { driverQuestion } from './driver-question.ts'
import type { Services } from './services.ts'

/** The client capability that each request needs (MCP 2026-07-28, "Multi round-trip requests"). */
const capabilityOf: ReadonlyMap<string, string> = new Map([
	['elicitation/create', 'elicitation'],
	['sampling/createMessage', 'sampling'],
	['roots/list', 'roots'],
])

/** Whether a driver asks instead of answering. The wire's schema has checked that its answer is an object. */
export function isAsk(outcome: object): outcome is Ask {
	return 'ask' in outcome
}

/** @throws ProtocolError `missing_capability` if the driver requires a missing capability */
export function refuseMissing<T extends object>(outcome: T | MissingCapability): asserts outcome is T {
	if ('missingCapability' in outcome) throw missing(outcome.missingCapability)
}

interface AskOptions extends Pick<Services, 'states'> {
	/** The driver that asks. */
	readonly driver: Pick<Manifest, 'displayName'>
	readonly isConsented?: boolean
}

/**
 * Converts a driver's question into an outcome with a signed state, which also records the user's consent to the call.
 * A driver is not trusted to respect the client's capabilities, so they are checked.
 * @throws ProtocolError `missing_capability`, `internal_error`
 */
export async function toInputRequired(
	{ ask, state }: Ask,
	round: Round,
	{ states, driver, isConsented = false }: AskOptions,
): Promise<InputRequired> {
	const { call } = round
	if (call.era === 'legacy') throw missing({}, 'This call asks questions, which needs a client of revision 2026-07-28.')
	const requests = Object.entries(ask)
	if (requests.length === 0 && state === undefined) throw new ProtocolError('internal_error')
	for (const [, { method }] of requests) {
		const capability = capabilityOf.get(method)
		if (capability === undefined) throw new ProtocolError('internal_error')
		const isThere = capability === 'elicitation' ? canElicit(call) : isJsonObject(call.clientCapabilities[capability])
		if (!isThere) throw missing({ [capability]: {} })
	}
	const remembered: StateContent | undefined =
		state === undefined && !isConsented
			? undefined
			: { purpose: 'driver', isConsented, ...(state !== undefined && { state }) }
	return {
		kind: 'input_required',
		inputRequests: Object.fromEntries(
			requests.map(([key, request]) => [key, driverQuestion(driver.displayName, request)]),
		),
		...(remembered && { requestState: await states.sign(bindingOf(round), remembered) }),
	}
}

function missing(requiredCapabilities: JsonObject, message?: string): ProtocolError {
	const names = Object.keys(requiredCapabilities).join(', ')
	return new ProtocolError('missing_capability', message ?? `The client lacks the capability ${names}.`, {
		data: { requiredCapabilities },
	})
}
