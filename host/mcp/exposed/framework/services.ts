import type { Sessions } from '../../../connections/sessions.ts'
import type { DriverProcess } from '../../../driver-runtime/driver-process.ts'
import type { ExportFolder } from '../../../exports/export-folder.ts'
import type { KeptChanges } from '../../../undo/kept-changes.ts'
import type { ConnectionGate } from '../../access/connection-gate.ts'
import type { Consent } from '../../consent/consent.ts'
import type { FirstUse } from '../../consent/first-use.ts'
import type { Rehearsals } from '../../consent/rehearsals.ts'
import type { RequestStates } from '../../consent/request-state.ts'
import type { Clock } from '../../protocol/clock.ts'
import type { McpCall } from '../../protocol/method.ts'
import type { ClientExports } from './client-exports.ts'
import type { DriverDirectory } from './driver-directory.ts'
import type { OfferedRequests } from './offered-requests.ts'
import type { RecentQueries } from './recent-queries.ts'
import type { SaidNotices } from './said-notices.ts'
import type { ShowDesk } from './showing.ts'

/** The services that tools, resources and prompts use. */
export interface Services {
	readonly gate: ConnectionGate
	readonly sessions: Sessions
	readonly drivers: DriverDirectory
	readonly firstUse: FirstUse
	readonly consent: Consent
	readonly states: RequestStates
	readonly rehearsals: Rehearsals
	readonly recentQueries: RecentQueries
	readonly saidNotices: SaidNotices
	readonly exports: ExportFolder
	readonly clientExports: ClientExports
	readonly keptChanges: KeptChanges
	readonly showDesk: ShowDesk
	readonly offers: OfferedRequests
	readonly clock: Clock
}

/** Returns a driver's process. Starts it if necessary, and then checks again whether the caller is served. */
export async function driverOf(driverId: string, call: McpCall, { drivers, gate }: Services): Promise<DriverProcess> {
	const driver = await drivers.process(driverId)
	gate.requireServed(call)
	return driver
}
