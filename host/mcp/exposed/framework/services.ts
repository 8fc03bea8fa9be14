import type { Sessions } from '../../../connections/sessions.ts'
import type { ConnectionGate } from '../../access/connection-gate.ts'
import type { Consent } from '../../consent/consent.ts'
import type { FirstUse } from '../../consent/first-use.ts'
import type { RequestStates } from '../../consent/request-state.ts'
import type { Clock } from '../../protocol/clock.ts'
import type { InstalledDrivers } from './installed-drivers.ts'
import type { RecentQueries } from './recent-queries.ts'

/** What tools, resources and prompts work with. */
export interface Services {
	readonly gate: ConnectionGate
	readonly sessions: Sessions
	readonly drivers: InstalledDrivers
	readonly firstUse: FirstUse
	readonly consent: Consent
	readonly states: RequestStates
	readonly recentQueries: RecentQueries
	readonly clock: Clock
}
