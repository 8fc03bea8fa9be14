import type { JsonObject } from '@roundhouse/kit'
import { decode } from '@roundhouse/kit'
import type { Manifest } from '@roundhouse/kit/manifest'
import type { Round } from '../../consent/rounds.ts'
import { complete, type Outcome } from '../../protocol/outcome.ts'
import { isAsk, toInputRequired } from '../framework/driver-ask.ts'
import { driverContext, driverOptions } from '../framework/driver-context.ts'
import type { InstalledDrivers } from '../framework/installed-drivers.ts'
import { driverOf, type Services } from '../framework/services.ts'
import { longestUri } from './uri.ts'
import { templateTest } from './uri-template.ts'

/** Of a driver's resources we know nothing but that they are read from something alive. */
const timeToLiveMs = 5_000

export function listDriverResources(drivers: InstalledDrivers): readonly JsonObject[] {
	return drivers.installed().flatMap(({ resources }) => resources.map(resource => ({ ...resource }) as JsonObject))
}

export function listDriverTemplates(drivers: InstalledDrivers): readonly JsonObject[] {
	return drivers
		.installed()
		.flatMap(({ resourceTemplates }) => resourceTemplates.map(template => ({ ...template }) as JsonObject))
}

/** The driver that brings this resource. */
export function ownerOf(uri: string, drivers: InstalledDrivers): Manifest | undefined {
	if (uri.length > longestUri) return undefined
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
	driverId: string,
	uri: string,
	round: Round,
	services: Services,
): Promise<Outcome> {
	const driver = await driverOf(driverId, round.call, services)
	const params = { uri, args: '{}', context: driverContext(round) }
	const encoded = await driver.call('readResource', params, driverOptions(round.call))
	const outcome = decode(encoded)
	if (isAsk(outcome)) return toInputRequired(outcome, round, services)
	const contents = outcome.contents.map(content => ({ ...content }) as JsonObject)
	return complete({ contents }, { ttlMs: timeToLiveMs, cacheScope: 'private' })
}
