import type { ActivityLog } from '../activity/activity-log.ts'
import type { ConnectedClients } from '../activity/connected-clients.ts'
import { messageOf } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { SupportDirectory } from '../base/support-directory.ts'
import type { SavedConnections } from '../connections/saved-connections.ts'
import type { Sessions } from '../connections/sessions.ts'
import { ExportFolder } from '../exports/export-folder.ts'
import { AccessGrants } from './access/access-grants.ts'
import { Authenticator } from './access/authentication.ts'
import { requireMethod } from './access/authorization.ts'
import { ConnectionGate } from './access/connection-gate.ts'
import { Lockouts } from './access/lockouts.ts'
import { Rates } from './access/rates.ts'
import type { Tokens } from './access/tokens.ts'
import { CallActivity } from './audit/call-activity.ts'
import { Consent } from './consent/consent.ts'
import { FirstUse } from './consent/first-use.ts'
import { type ConsentDesk, nobody } from './consent/question.ts'
import { RequestStates } from './consent/request-state.ts'
import { StatementGrants } from './consent/statement-grants.ts'
import { expose, type SeenTool } from './exposed/expose.ts'
import type { InstalledDrivers } from './exposed/framework/installed-drivers.ts'
import { noOffers, type OfferedRequests } from './exposed/framework/offered-requests.ts'
import { RecentQueries } from './exposed/framework/recent-queries.ts'
import { noWindow, type ShowDesk } from './exposed/framework/showing.ts'
import { HandshakePublisher } from './handshake.ts'
import type { Caller } from './protocol/caller.ts'
import { type Clock, systemClock } from './protocol/clock.ts'
import { Dispatcher } from './protocol/dispatcher.ts'
import { ProtocolError } from './protocol/errors.ts'
import { InFlight } from './protocol/in-flight.ts'
import { LegacySessions } from './protocol/legacy-sessions.ts'
import { discover, type ServerDescription } from './protocol/lifecycle/discover.ts'
import { initialize, ping, setLogLevel } from './protocol/lifecycle/legacy.ts'
import type { Methods } from './protocol/method.ts'
import { ResultEncoding } from './protocol/result-encoding.ts'
import { defaultSettings, type McpSettings } from './settings.ts'
import { HttpServer } from './transport/http-server.ts'
import { type TransportLimits, transportLimits } from './transport/limits.ts'
import { endpointPath } from './wire/handshake-file.ts'

export interface McpEndpointOptions {
	readonly support: SupportDirectory
	readonly connections: SavedConnections
	readonly sessions: Sessions
	readonly drivers: InstalledDrivers
	readonly tokens: Tokens
	/** Saved requests that persons offer as tools; none where it is left out. */
	readonly offers?: OfferedRequests
	readonly log: Log
	/** 0 for one of the kernel's choice; so is a port that is taken. */
	readonly port: number
	readonly server: ServerDescription
	readonly settings?: Partial<McpSettings>
	/** Why nobody is served, whatever the settings say. */
	readonly refusal?: string
	/** Asks the person at the machine; without one nobody can be asked, and what needs asking is refused. */
	readonly desk?: ConsentDesk
	/** Tells the person at the machine of what a client wants to show. */
	readonly showDesk?: ShowDesk
	/** Where files go that clients ask for; nowhere where it is left out. */
	readonly exports?: ExportFolder
	/** Where it is written down what clients did, and who is there. */
	readonly activity?: Pick<ActivityLog, 'record'>
	readonly clients?: Pick<ConnectedClients, 'saw'>
	/** For tests. */
	readonly clock?: Clock
	readonly limits?: Partial<TransportLimits>
}

/** The running endpoint. */
export interface McpEndpoint {
	readonly url: string
	readonly port: number
	readonly accessGrants: AccessGrants
	readonly statementGrants: StatementGrants
	/** Requests that wait for their answer, streams among them. */
	runningCalls(): number
	/** What a client with this token sees, or one that comes over the bridge. @throws HostError `token/unknown` */
	toolsFor(tokenId: string): readonly SeenTool[]
	/** Changes settings while it runs. */
	configure(settings: Partial<McpSettings>): void
	/** Cancels what is running, takes the handshake file away and waits until every socket is closed. */
	close(): Promise<void>
}

/** Starts the MCP endpoint on the loopback address and publishes its handshake file. */
export async function startMcpEndpoint(options: McpEndpointOptions): Promise<McpEndpoint> {
	const {
		support,
		connections,
		sessions,
		drivers,
		tokens,
		log,
		server,
		desk = nobody,
		clock = systemClock,
		offers = noOffers,
	} = options
	let settings: McpSettings = { ...defaultSettings, ...options.settings }
	let isClosing = false
	const onFault = (error: unknown) =>
		log.warn(`mcp: ${error instanceof Error ? (error.stack ?? error.message) : messageOf(error)}`)

	await using lifetime = new AsyncDisposableStack()
	const accessGrants = await AccessGrants.open(support.file('access-grants.json'), clock)
	const statementGrants = new StatementGrants(clock)
	const states = new RequestStates(clock)
	let handshake: HandshakePublisher | undefined
	const authenticator = new Authenticator(tokens, new Lockouts(clock), {
		realm: server.title,
		isRequired: () => settings.authentication,
		isBridgeToken: tokenId => handshake?.isBridgeToken(tokenId) ?? false,
	})
	const requireServing = () => {
		if (isClosing) throw new ProtocolError('unavailable')
		if (options.refusal !== undefined) throw new ProtocolError('server_disabled', options.refusal)
		if (!settings.enabled) throw new ProtocolError('server_disabled')
	}
	const requireServed = (caller: Caller) => {
		requireServing()
		authenticator.confirm(caller)
	}
	const hasReadOnlySessions = (driverId: string) =>
		drivers.installed().some(({ id, hasReadOnlySessions: has }) => id === driverId && has)
	const costLimitRows = () => settings.costLimitRows
	const gate = new ConnectionGate(
		connections,
		sessions,
		accessGrants,
		requireServed,
		hasReadOnlySessions,
		costLimitRows,
	)
	const activity = lifetime.use(new CallActivity(options.activity, options.clients, clock, onFault))
	const firstUse = new FirstUse(gate, accessGrants, desk, clock)
	const consent = new Consent({
		gate,
		states,
		desk,
		grants: statementGrants,
		alsoAskInWindow: () => settings.alsoAskInWindow,
		onConsented: (statement, call) => activity.beginsToWrite(statement, call),
	})
	const recentQueries = new RecentQueries()
	const { exports = new ExportFolder(() => ({ folder: '', asks: true })), showDesk = noWindow } = options
	const services = {
		gate,
		sessions,
		firstUse,
		consent,
		recentQueries,
		exports,
		showDesk,
		clock,
		states,
		drivers,
		offers,
	}
	const exposed = expose(services, { connections, log, onFault })
	const legacySessions = new LegacySessions()
	const methods: Methods = new Map([
		['server/discover', discover(server, () => `http://127.0.0.1:${http.port}/`)],
		['initialize', initialize(server, legacySessions)],
		['ping', ping],
		['logging/setLevel', setLogLevel],
		...exposed.methods,
	])

	const inFlight = new InFlight()
	lifetime.use(
		tokens.onRevoked(tokenId => {
			inFlight.cancelWhere(
				call => call.caller.tokenId === tokenId,
				() => new ProtocolError('request_cancelled', 'The token was revoked.'),
			)
			accessGrants.forget(tokenId).catch(onFault)
			recentQueries.forget(tokenId)
		}),
	)
	const rates = new Rates(clock, () => settings)
	const dispatcher = new Dispatcher({
		methods,
		sessions: legacySessions,
		inFlight,
		admit: (caller, name, { isSubscription }, dropped) => {
			requireMethod(caller, name)
			return isSubscription ? undefined : rates.admit(caller, dropped)
		},
		clock,
		encoding: new ResultEncoding(server),
		parameterHeaders: name => exposed.parameterHeaders(name),
		requireServed,
		onEnded: request => activity.ended(request),
		onFault,
	})

	const http = await HttpServer.listen(options.port, {
		limits: { ...transportLimits, ...options.limits },
		clock,
		allowedOrigins: () => settings.allowedOrigins,
		requireServing,
		identify: credentials => {
			try {
				return authenticator.identify(credentials)
			} catch (error) {
				const isPresented = credentials.authorization !== undefined
				if (isPresented && error instanceof ProtocolError) activity.failedToAuthenticate(error)
				throw error
			}
		},
		requireRate: caller => rates.require(caller),
		receive: (inbound, reply) => {
			// Once more when the body is here: its sender may have kept it back.
			requireServed(inbound.caller)
			dispatcher.receive(inbound, reply)
		},
		proof: challenge => handshake?.prove(challenge) ?? {},
		onFault,
	})
	lifetime.defer(() => http.close())
	handshake = await HandshakePublisher.publish(support, tokens, clock, http.port)
	const published = handshake
	lifetime.defer(() => published.stop())
	// Before the bridge's token goes, or its clients would be told that it was revoked.
	lifetime.defer(() =>
		inFlight.cancelWhere(
			() => true,
			() => new ProtocolError('request_cancelled', 'Roundhouse is shutting down.'),
		),
	)
	lifetime.use(exposed)
	lifetime.defer(() => {
		isClosing = true
	})

	const running = lifetime.move()
	return {
		url: `http://127.0.0.1:${http.port}${endpointPath}`,
		port: http.port,
		accessGrants,
		statementGrants,
		runningCalls: () => inFlight.size,
		toolsFor: id => exposed.toolsFor(tokens.callerOf(id)),
		configure: changed => {
			settings = { ...settings, ...changed }
			inFlight.lookAgain(requireServed)
		},
		close: () => running.disposeAsync(),
	}
}
