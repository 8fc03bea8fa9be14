import { messageOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import type { SupportDirectory } from '../../base/support-directory.ts'
import type { ActivityLog } from '../activity/activity-log.ts'
import type { ConnectedClients } from '../activity/connected-clients.ts'
import { AccessGrants } from './access/access-grants.ts'
import { Authenticator } from './access/authentication.ts'
import { requireMethod } from './access/authorization.ts'
import { Lockouts } from './access/lockouts.ts'
import { Rates } from './access/rates.ts'
import type { Tokens } from './access/tokens.ts'
import { CallActivity } from './audit/call-activity.ts'
import { StatementGrants } from './consent/statement-grants.ts'
import { type Exposed, expose, type SeenTool } from './exposed/expose.ts'
import { HandshakePublisher } from './handshake.ts'
import type { Caller, Credentials } from './protocol/caller.ts'
import { type Clock, systemClock } from './protocol/clock.ts'
import { Dispatcher, type DispatcherOptions } from './protocol/dispatcher.ts'
import { ProtocolError, shuttingDown } from './protocol/errors.ts'
import { InFlight } from './protocol/in-flight.ts'
import { LegacySessions } from './protocol/legacy-sessions.ts'
import { discover, type ServerDescription } from './protocol/lifecycle/discover.ts'
import { initialize, ping, setLogLevel } from './protocol/lifecycle/legacy.ts'
import { ResultEncoding } from './protocol/result-encoding.ts'
import { createServices, type HostParts } from './services.ts'
import { Serving } from './serving.ts'
import type { McpSettings } from './settings.ts'
import { HttpServer } from './transport/http-server.ts'
import { type TransportLimits, transportLimits } from './transport/limits.ts'
import { endpointPath } from './wire/handshake-file.ts'

export interface McpEndpointOptions extends HostParts {
	readonly support: SupportDirectory
	readonly tokens: Tokens
	readonly log: Log
	/** 0, or a port in use, lets the kernel pick one. */
	readonly port: number
	readonly server: ServerDescription
	readonly settings?: Partial<McpSettings>
	/** Refuses every request with this reason, independent of the settings. */
	readonly refusal?: string
	/** Log of client activity. */
	readonly activity?: Pick<ActivityLog, 'record'>
	readonly clients?: Pick<ConnectedClients, 'recordRequest'>
	/** Set by tests. */
	readonly clock?: Clock
	readonly limits?: Partial<TransportLimits>
}

/** The running endpoint. */
export interface McpEndpoint {
	readonly url: string
	readonly port: number
	readonly accessGrants: AccessGrants
	readonly statementGrants: StatementGrants
	/** Returns the number of requests in flight, including streams. */
	runningCalls(): number
	/** Returns the number of open legacy sessions. */
	legacySessions(): number
	/** Returns the tools of a token or of the bridge. @throws HostError `token/unknown` */
	toolsFor(tokenId: string): readonly SeenTool[]
	/** Changes settings while it runs. */
	configure(settings: Partial<McpSettings>): void
	/** Cancels running requests, removes the handshake file and waits until every socket is closed. */
	close(): Promise<void>
}

/** Starts the MCP endpoint on the loopback address and publishes its handshake file. */
export async function startMcpEndpoint(options: McpEndpointOptions): Promise<McpEndpoint> {
	const { support, connections, tokens, log, server, clock = systemClock } = options
	const onFault = faultLog(log)
	const serving = new Serving(options.settings, options.refusal)
	const handshake = new HandshakePublisher(support, tokens, clock)
	const authenticator = new Authenticator(tokens, new Lockouts(clock), {
		realm: server.title,
		isRequired: () => serving.settings.authentication,
		isBridgeToken: tokenId => handshake.isBridgeToken(tokenId),
	})
	const requireServed = (caller: Caller) => {
		serving.require()
		authenticator.confirm(caller)
	}

	await using lifetime = new AsyncDisposableStack()
	const { accessGrants, statementGrants, subscription } = await openGrants(options, clock, onFault)
	lifetime.use(subscription)
	const activity = lifetime.use(
		new CallActivity({
			log: options.activity,
			clients: options.clients,
			clock,
			onFault,
			keepsStatements: () => serving.settings.keepStatements,
			nameOf: id => connections.find(id)?.name,
		}),
	)
	const parts = { serving, requireServed, accessGrants, statementGrants, activity, clock }
	const services = createServices(options, parts)
	const exposed = expose(services, { connections, log, onFault })

	const inFlight = new InFlight()
	lifetime.use(
		tokens.onRevoked(tokenId => {
			inFlight.cancelWhere(
				({ caller }) => caller.tokenId === tokenId,
				new ProtocolError('request_cancelled', 'The token was revoked.'),
			)
			accessGrants.forget(tokenId).catch(onFault)
			services.recentQueries.forget(tokenId)
			services.clientExports.forget(tokenId)
		}),
	)
	const rates = new Rates(clock, () => serving.settings)
	const protocol = protocolOf(server, exposed, () => `http://127.0.0.1:${http.port}/`)
	const dispatcher = new Dispatcher({
		...protocol,
		inFlight,
		clock,
		requireServed,
		admit: (caller, { name, method, dropped }) => {
			requireMethod(caller, name)
			return method.isSubscription ? undefined : rates.admit(caller, dropped)
		},
		onEnded: request => activity.ended(request),
		onFault,
	})
	const http = await HttpServer.listen(options.port, {
		limits: { ...transportLimits, ...options.limits },
		clock,
		allowedOrigins: () => serving.settings.allowedOrigins,
		requireServing: () => serving.require(),
		identify: credentials => identify(credentials, authenticator, activity),
		requireRate: caller => rates.require(caller),
		receive: (inbound, reply) => {
			// Checked again after the body arrived, because the client may have delayed it.
			requireServed(inbound.caller)
			dispatcher.receive(inbound, reply)
		},
		proof: challenge => handshake.prove(challenge),
		onFault,
	})
	lifetime.defer(() => http.close())
	await handshake.publish(http.port)
	lifetime.defer(() => handshake.stop())
	// Before the bridge's token is revoked; otherwise its clients would get that as the reason.
	lifetime.defer(() => inFlight.cancelWhere(() => true, shuttingDown('request_cancelled')))
	lifetime.use(exposed)
	lifetime.defer(() => serving.close())

	const running = lifetime.move()
	return {
		url: `http://127.0.0.1:${http.port}${endpointPath}`,
		port: http.port,
		accessGrants,
		statementGrants,
		runningCalls: () => inFlight.size,
		legacySessions: () => protocol.sessions.size,
		toolsFor: id => exposed.toolsFor(tokens.callerOf(id)),
		configure: changed => {
			serving.configure(changed)
			inFlight.endRefused(requireServed)
		},
		close: () => running.disposeAsync(),
	}
}

const faultLog = (log: Log) => (error: unknown) =>
	log.warn(`mcp: ${error instanceof Error ? (error.stack ?? error.message) : messageOf(error)}`)

/** Opens what users granted to clients. Grants end when their connection is changed or removed. */
async function openGrants(
	{ support, connections }: McpEndpointOptions,
	clock: Clock,
	onFault: (error: unknown) => void,
) {
	const accessGrants = await AccessGrants.open(support.file('access-grants.json'), clock)
	const statementGrants = new StatementGrants(clock)
	const endStale = () => {
		statementGrants.retain(connections.list())
		void accessGrants.retain(connections.list()).catch(onFault)
	}
	endStale()
	return { accessGrants, statementGrants, subscription: connections.onChange(endStale) }
}

type Protocol = Pick<DispatcherOptions, 'methods' | 'sessions' | 'encoding' | 'parameterHeaders'>

/** Joins the methods of the protocol with those that clients find. */
function protocolOf(server: ServerDescription, exposed: Exposed, url: () => string): Protocol {
	const sessions = new LegacySessions()
	return {
		methods: new Map([
			['server/discover', discover(server, url)],
			['initialize', initialize(server, sessions)],
			['ping', ping],
			['logging/setLevel', setLogLevel],
			...exposed.methods,
		]),
		sessions,
		encoding: new ResultEncoding(server),
		parameterHeaders: name => exposed.parameterHeaders(name),
	}
}

/** Identifies a caller, and records failed attempts with credentials. @throws ProtocolError */
function identify(credentials: Credentials, authenticator: Authenticator, activity: CallActivity): Caller {
	try {
		return authenticator.identify(credentials)
	} catch (error) {
		const isPresented = credentials.authorization !== undefined
		if (isPresented && error instanceof ProtocolError) activity.failedToAuthenticate(error)
		throw error
	}
}
