import type { HiddenColumns } from '@roundhouse/kit'
import type { SavedConnections } from '../connections/saved-connections.ts'
import type { Sessions } from '../connections/sessions.ts'
import { ExportFolder } from '../exports/export-folder.ts'
import type { KeptChanges } from '../undo/kept-changes.ts'
import type { AccessGrants } from './access/access-grants.ts'
import { ConnectionGate } from './access/connection-gate.ts'
import type { CallActivity } from './audit/call-activity.ts'
import { Consent } from './consent/consent.ts'
import { FirstUse } from './consent/first-use.ts'
import { type ConsentDesk, unattendedDesk } from './consent/question.ts'
import { Rehearsals } from './consent/rehearsals.ts'
import { RequestStates } from './consent/request-state.ts'
import type { StateFile } from './consent/state-file.ts'
import type { StatementGrants } from './consent/statement-grants.ts'
import { ClientExports } from './exposed/framework/client-exports.ts'
import type { DriverDirectory } from './exposed/framework/driver-directory.ts'
import { noOffers, type OfferedRequests } from './exposed/framework/offered-requests.ts'
import { RecentQueries } from './exposed/framework/recent-queries.ts'
import { SaidNotices } from './exposed/framework/said-notices.ts'
import type { Services } from './exposed/framework/services.ts'
import { noWindow, type ShowDesk } from './exposed/framework/showing.ts'
import type { Caller } from './protocol/caller.ts'
import type { Clock } from './protocol/clock.ts'
import type { Serving } from './serving.ts'

/** The parts of the host that tools, resources and prompts use. */
export interface HostParts {
	readonly connections: SavedConnections
	readonly sessions: Sessions
	readonly drivers: DriverDirectory
	/** Saved requests that users offer as tools. Default: none. */
	readonly offers?: OfferedRequests
	/** Asks the user. Without it, calls that need consent are refused. */
	readonly desk?: ConsentDesk
	/** Shows the user what a client wants to open. */
	readonly showDesk?: ShowDesk
	/** Columns that the administrator of the machine hides from all clients. Default: none. */
	readonly hiddenByPolicy?: readonly HiddenColumns[]
	/** Keeps what changes of clients replace. */
	readonly keptChanges: KeptChanges
	/** Where a yes of the user outlives the host. Default: it ends with the host. */
	readonly stateFile?: StateFile
	/** The folder for exports. Default: exports are refused. */
	readonly exports?: ExportFolder
}

interface EndpointParts {
	readonly serving: Serving
	readonly requireServed: (caller: Caller) => void
	readonly accessGrants: AccessGrants
	readonly statementGrants: StatementGrants
	readonly activity: CallActivity
	readonly clock: Clock
}

export function createServices(host: HostParts, endpoint: EndpointParts): Services {
	const { connections, sessions, drivers, offers = noOffers, desk = unattendedDesk, showDesk = noWindow } = host
	const { exports = new ExportFolder(() => ({ folder: '', asks: true })) } = host
	const { serving, requireServed, accessGrants, statementGrants, activity, clock } = endpoint
	const gate = new ConnectionGate({
		connections,
		sessions,
		grants: accessGrants,
		requireServed,
		costLimitRows: () => serving.settings.costLimitRows,
		hiddenByPolicy: host.hiddenByPolicy ?? [],
	})
	const states = new RequestStates(clock, host.stateFile)
	const consent = new Consent({
		gate,
		states,
		desk,
		grants: statementGrants,
		alsoAskInWindow: () => serving.settings.alsoAskInWindow,
		onConsented: (statement, call) => activity.recordWriteStart(statement, call),
	})
	return {
		gate,
		sessions,
		drivers,
		firstUse: new FirstUse({ gate, grants: accessGrants, desk, clock }),
		consent,
		states,
		rehearsals: new Rehearsals(clock),
		recentQueries: new RecentQueries(),
		saidNotices: new SaidNotices(clock),
		exports,
		clientExports: new ClientExports(),
		keptChanges: host.keptChanges,
		showDesk,
		offers,
		clock,
	}
}
