import { type Json, parameterPlaces, type Statement } from '@roundhouse/kit'
import { type Manifest, wireName } from '@roundhouse/kit/manifest'
import { messageOf } from '../base/errors.ts'
import type { Sessions } from '../connections/sessions.ts'
import { coreToolNames, presetOf, withValues } from '../mcp/index.ts'
import { offerErrors } from '../requests/errors.ts'
import type { OfferParameter } from '../requests/offers.ts'
import type { OfferView } from './api.ts'
import type { CallContext } from './methods/method.ts'

/** Whether a saved request can be a tool of AI clients: what its driver says of it, its parameters, and its name. */

/** The names of its parameters, each once. */
export function namesIn(text: string): readonly string[] {
	return [...new Set(parameterPlaces(text).flatMap(({ name }) => (name === undefined ? [] : [name])))]
}

const probe = (names: readonly string[]) => Object.fromEntries(names.map(name => [name, 'x']))

/** What the driver says of it, or why it cannot be offered. */
export async function judged(
	sessions: Sessions,
	connection: string,
	text: string,
	names: readonly string[],
	context: CallContext,
): Promise<Pick<OfferView, 'access' | 'fault'>> {
	try {
		const { access } = await verdictOn(sessions, connection, text, probe(names), context)
		return { access }
	} catch (error) {
		return { fault: messageOf(error) }
	}
}

const cannot = (reason: string) => offerErrors.make('cannot', { reason })

/** What the driver says of the request with these values in it. @throws DriverError; HostError `offer/cannot` */
async function verdictOn(
	sessions: Sessions,
	connection: string,
	text: string,
	values: Readonly<Record<string, Json>>,
	context: CallContext,
): Promise<Statement & { readonly access: 'read' | 'write' }> {
	const session = await sessions.open(connection, context)
	const bound = await withValues(session, text, values, context)
	const [verdict, ...others] = await session.call('analyse', { text: bound }, context)
	if (!verdict || others.length > 0) throw cannot('it holds several statements, or none.')
	if (verdict.fault) throw cannot(verdict.fault.message)
	const { access } = verdict
	if (access === 'destructive') throw cannot('it may destroy data.')
	return { ...verdict, access, text: bound }
}

/** The verdict, which is the same for all that a client can choose. @throws HostError `offer/cannot` */
export async function sameVerdict(
	sessions: Sessions,
	connection: string,
	text: string,
	parameters: readonly OfferParameter[],
	context: CallContext,
): Promise<'read' | 'write'> {
	const plain = Object.fromEntries(parameters.map(parameter => [parameter.name, examplesOf(parameter)[0] ?? 'x']))
	const { access } = await verdictOn(sessions, connection, text, plain, context)
	for (const parameter of parameters) {
		for (const example of examplesOf(parameter)) {
			const other = await verdictOn(sessions, connection, text, { ...plain, [parameter.name]: example }, context)
			if (other.access !== access) throw cannot(`what it does depends on ${parameter.name}.`)
		}
	}
	return access
}

function examplesOf(parameter: OfferParameter): readonly Json[] {
	const { type, choices = [], default: spelt } = parameter
	const preset = spelt === undefined ? [] : [presetOf(parameter, spelt)]
	if (type === 'choice') return choices
	if (type === 'boolean') return [true, false]
	return [...preset, type === 'text' ? 'x' : 1]
}

/** @throws HostError `offer/name_taken` where a tool of ours or of a driver has the name */
export function requireFree(name: string, drivers: readonly Manifest[]): void {
	const isTaken =
		coreToolNames.has(name) || drivers.some(driver => driver.tools.some(tool => wireName(driver, tool.name) === name))
	if (isTaken) throw offerErrors.make('name_taken', { name })
}

const spellings = {
	number: /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/,
	integer: /^-?(?:0|[1-9]\d*)$/,
	boolean: /^(?:true|false)$/,
} as const

const notOfType = {
	number: 'no number',
	integer: 'no whole number',
	boolean: 'neither true nor false',
	choice: 'none of the choices',
} as const

/** @throws HostError `offer/cannot` */
export function requireFitting(parameters: readonly OfferParameter[], names: readonly string[]): void {
	const given = parameters.map(({ name }) => name)
	if (given.length !== names.length || !names.every(name => given.includes(name))) {
		throw cannot('its parameters are not those of the request.')
	}
	for (const { name, type, choices = [], default: spelt } of parameters) {
		if (type === 'choice' && (choices.length === 0 || new Set(choices).size < choices.length)) {
			throw cannot(`${name} needs choices, each of them once.`)
		}
		if (spelt === undefined || type === 'text') continue
		const fits = type === 'choice' ? choices.includes(spelt) : spellings[type].test(spelt)
		if (!fits) throw cannot(`"${spelt}", which ${name} is where it is left out, is ${notOfType[type]}.`)
	}
}
