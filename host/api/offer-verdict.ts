import type { Json, Statement } from '@roundhouse/kit'
import { type Manifest, wireName } from '@roundhouse/kit/manifest'
import { messageOf } from '../../base/errors.ts'
import type { Sessions } from '../connections/sessions.ts'
import { coreToolNames, presetOf, withValues } from '../mcp/index.ts'
import { offerErrors } from '../requests/errors.ts'
import type { OfferedTool, OfferParameter } from '../requests/offers.ts'
import { soleStatement } from './methods/judge.ts'
import type { CallContext } from './methods/method.ts'

/** Whether a saved request can be a tool of AI clients: the driver's verdict, its parameters and its name. */

export interface OfferView {
	readonly text: string
	readonly version: string
	/** Of its parameters, in order. */
	readonly names: readonly string[]
	readonly access?: 'read' | 'write'
	/** Why it cannot be offered. */
	readonly fault?: string
	/** Its current offer. */
	readonly offer?: OfferedTool
	readonly isChanged?: boolean
}

const probe = (names: readonly string[]) => Object.fromEntries(names.map(name => [name, 'x']))

interface JudgedRequest {
	readonly sessions: Sessions
	readonly connection: string
	readonly text: string
}

/** The driver's verdict, or why it cannot be offered. */
export async function judged(
	request: JudgedRequest,
	names: readonly string[],
	context: CallContext,
): Promise<Pick<OfferView, 'access' | 'fault'>> {
	try {
		const { access } = await verdictOn(request, probe(names), context)
		return { access }
	} catch (error) {
		return { fault: messageOf(error) }
	}
}

const cannot = (reason: string) => offerErrors.make('cannot', { reason })

/** Returns the driver's verdict on the request with these values. @throws DriverError; HostError `offer/cannot` */
async function verdictOn(
	request: JudgedRequest,
	values: Readonly<Record<string, Json>>,
	context: CallContext,
): Promise<Statement & { readonly access: 'read' | 'write' }> {
	const session = await request.sessions.open(request.connection, context)
	const { text } = await withValues(session, { text: request.text, values }, context)
	const notOne = () => cannot('it holds several statements, or none.')
	const verdict = await soleStatement(session, { text }, context, notOne)
	if (verdict.fault) throw cannot(verdict.fault.message)
	const { access } = verdict
	if (access === 'destructive') throw cannot('it may destroy data.')
	return { ...verdict, access, text }
}

/** Returns the verdict, which must be the same for all values a client can choose. @throws HostError `offer/cannot` */
export async function sameVerdict(
	request: JudgedRequest,
	parameters: readonly OfferParameter[],
	context: CallContext,
): Promise<'read' | 'write'> {
	const plain = Object.fromEntries(parameters.map(parameter => [parameter.name, examplesOf(parameter)[0] ?? 'x']))
	const { access } = await verdictOn(request, plain, context)
	for (const parameter of parameters) {
		for (const example of examplesOf(parameter)) {
			const other = await verdictOn(request, { ...plain, [parameter.name]: example }, context)
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

/** @throws HostError `offer/name_taken` if a core tool or a driver's tool has the name */
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
		throw cannot('its parameters are not those of the statement.')
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
