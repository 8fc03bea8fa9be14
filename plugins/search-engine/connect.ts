import type { Call, DriverContext, Settings } from '@roundhouse/kit'
import { permittedOnly } from '@roundhouse/kit/http'
import { SearchConnection } from './connection.ts'
import { accessOfOutgoing } from './console/outgoing.ts'
import { refuseExpensive } from './cost/cost-guard.ts'
import { type ConnectionPlan, readSettings } from './settings.ts'
import type { ClusterNode } from './transport/hosts.ts'
import { identify } from './transport/product.ts'
import { connectorFor } from './transport/tls.ts'
import { type Appraise, Transport } from './transport/transport.ts'

/** Opens a connection: reads the form, reaches a node, and checks that it is Elasticsearch. */
export async function connect(
	settings: Settings,
	context: Pick<DriverContext, 'connect' | 'permitted' | 'costLimitRows'>,
	call: Call,
): Promise<SearchConnection> {
	const plan = readSettings(settings)
	const { nodes, credentials, headers, requestTimeoutMs } = plan
	const connector = connectorFor(plan.tls, plan.connectTimeoutMs, context.connect)
	const guard = ({ prefix }: ClusterNode) =>
		permittedOnly(context.permitted, request => accessOfOutgoing(request, prefix))
	const appraise: Appraise = (request, asking, signal) =>
		refuseExpensive(request, context.costLimitRows(), asking, signal)
	const transport = new Transport({
		nodes,
		credentials,
		headers,
		connect: connector,
		requestTimeoutMs,
		guard,
		appraise,
	})
	try {
		const product = await identify(transport, plan.connectTimeoutMs, call.signal)
		return new SearchConnection(transport, product, noticesOf(plan))
	} catch (error) {
		await transport.close()
		throw error
	}
}

/** What weakens the connection, said where the person sees it. */
function noticesOf({ tls, credentials }: ConnectionPlan): string[] {
	if (tls.sslMode === 'Disabled') {
		return credentials.authorization === undefined ? [] : ['TLS is off: the credential travels in the clear.']
	}
	const isPinned = tls.certFingerprint.trim() !== ''
	const isVerified = tls.sslMode.startsWith('Verify') && !tls.skipTlsVerify
	return isVerified || isPinned ? [] : ['TLS verification is off: any server could answer in place of the cluster.']
}
