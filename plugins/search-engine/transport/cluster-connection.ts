import type { Engine } from './product.ts'
import type { Transport } from './transport.ts'

/** How a cluster is reached, and what its engine certainly is. */
export interface ClusterConnection {
	readonly transport: Transport
	readonly engine: Engine
}
