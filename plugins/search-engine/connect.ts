import type { Call, DriverContext, Settings } from '@roundhouse/kit'
import { permittedOnly } from '@roundhouse/kit/http'
import { SearchConnection } from './connection.ts'
import { accessOfOutgoing } from './console/outgoing.ts'
import { refuseExpensive } from './cost/cost-guard.ts'
import { OpenSearches } from './cost/long-contexts.ts'
import { type ConnectionPlan, readSettings } from './settings.ts'
import { ClusterIdentity } from './transport/cluster-identity.ts'
import type { ClusterNode } from './transport/hosts.ts'
import { identify, productOf } from './transport/product.ts'
import { connectorFor } from './transport/tls.ts'
import { type CheckRequest, Transport } from './transport/transport.ts'

/** Opens a connection: reads the form, finds a reachable node, and checks that it is Elasticsearch. */
export async function connect(
	settings: Settings,
	context: Pick<DriverContext, 'connect' | 'permitted' | 'costLimitRows'>,
	call: Call,
): Promise<SearchConnection> {
	const plan = readSettings(settings)
	const { nodes, credentials, headers, requestTimeoutMs } = plan
	const connector = connectorFor(plan.tls, plan.connectTimeoutMs, context.connect)
	const identity = new ClusterIdentity()
	const guard = ({ prefix }: ClusterNode) =>
		permittedOnly(context.permitted, request => accessOfOutgoing(request, prefix, identity.engine))
	const openSearches = new OpenSearches()
	const checkRequest: CheckRequest = async (request, asking, signal) => {
		const limitRows = context.costLimitRows()
		openSearches.admit(request, limitRows)
		await refuseExpensive(request, { limitRows, transport: asking, signal })
	}
	const transport: Transport = new Transport({
		nodes,
		credentials,
		headers,
		connect: connector,
		requestTimeoutMs,
		guard,
		checkRequest,
		checkNode: answer => identity.accept(productOf(answer, transport)),
		vectors: () => identity.vectors,
	})
	try {
		const product = await identify(transport, plan.connectTimeoutMs, call.signal)
		identity.accept(product)
		return new SearchConnection(transport, { product, identity, notices: noticesOf(plan), timeZone: plan.timeZone })
	} catch (error) {
		await transport.close()
		throw error
	}
}

/** Notices about weak security of the connection, shown to the user. */
function noticesOf({ tls, credentials }: ConnectionPlan): string[] {
	if (tls.sslMode === 'Disabled') {
		return credentials.authorization === undefined ? [] : ['TLS is off: the credential is sent unencrypted.']
	}
	const isPinned = tls.certFingerprint.trim() !== ''
	const isVerified = tls.sslMode.startsWith('Verify') && !tls.skipTlsVerify
	return isVerified || isPinned ? [] : ['TLS verification is off: another server could impersonate the cluster.']
}
