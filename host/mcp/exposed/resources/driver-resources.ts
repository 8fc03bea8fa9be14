import type { JsonObject } from '@roundhouse/kit'
import type { Manifest } from '@roundhouse/kit/manifest'
import { decodeAnswer } from '../../access/decode-answer.ts'
import type { Round } from '../../consent/rounds.ts'
import { complete, type Outcome } from '../../protocol/outcome.ts'
import { fittedTexts } from '../framework/driver-answer.ts'
import { isAsk, toInputRequired } from '../framework/driver-ask.ts'
import { driverContext, driverOptions } from '../framework/driver-context.ts'
import type { DriverDirectory } from '../framework/driver-directory.ts'
import { answerBytes } from '../framework/fitted.ts'
import { driverOf, type Services } from '../framework/services.ts'
import { maxUriLength } from './uri.ts'
import { templateTest } from './uri-template.ts'

/** Cache lifetime of drivers' resources, which are live data of an unknown kind. */
const timeToLiveMs = 5_000

export function listDriverResources(drivers: DriverDirectory): readonly JsonObject[] {
	return drivers.installed().flatMap(({ resources }) => resources.map(resource => ({ ...resource }) as JsonObject))
}

export function listDriverTemplates(drivers: DriverDirectory): readonly JsonObject[] {
	return drivers
		.installed()
		.flatMap(({ resourceTemplates }) => resourceTemplates.map(template => ({ ...template }) as JsonObject))
}

/** Returns the driver that provides a resource. */
export function ownerOf(uri: string, drivers: DriverDirectory): Manifest | undefined {
	if (uri.length > maxUriLength) return undefined
	return drivers
		.installed()
		.find(
			({ resources, resourceTemplates }) =>
				resources.some(resource => resource.uri === uri) ||
				resourceTemplates.some(({ uriTemplate }) => templateTest(uriTemplate)(uri)),
		)
}

/** @throws ProtocolError, DriverError, HostError */
export async function readDriverResource(
	{ owner, uri }: { readonly owner: Manifest; readonly uri: string },
	round: Round,
	services: Services,
): Promise<Outcome> {
	const driver = await driverOf(owner.id, round.call, services)
	const params = { uri, args: '{}', context: driverContext(round) }
	const encoded = await driver.call('readResource', params, driverOptions(round.call))
	const outcome = decodeAnswer('readResource', encoded, driver)
	if (isAsk(outcome)) return toInputRequired(outcome, round, { states: services.states, driver: owner })
	const all = outcome.contents.map(content => ({ ...content }) as JsonObject)
	const contents = fittedTexts(all, answerBytes)
	return complete({ contents }, { ttlMs: timeToLiveMs, cacheScope: 'private' })
}
