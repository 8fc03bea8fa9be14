import { DriverError } from '@roundhouse/kit'
import { type Engine, isAtLeast, leastEngine, type Product, vectorHabitOf } from './product.ts'
import type { VectorHabit } from './whole-source.ts'

/**
 * The cluster of a connection. All its hosts must belong to it, because a consent for one cluster must not take effect
 * on another.
 */
export class ClusterIdentity {
	#clusterUuid: string | undefined
	#engine: Engine | undefined
	#vectors: VectorHabit = 'unknown'

	/** The least engine of all nodes that answered, because the next request may reach any of them. */
	get engine(): Engine {
		return this.#engine ?? leastEngine
	}

	/** What the node that was accepted last does with vectors. */
	get vectors(): VectorHabit {
		return this.#vectors
	}

	/** Accepts a node of this cluster. The first one determines the cluster. @throws DriverError for any other */
	accept(product: Pick<Product, 'clusterUuid' | 'engine' | 'version' | 'isVersionKnown'>): void {
		const { clusterUuid, engine } = product
		if (this.#engine === undefined) this.#clusterUuid = clusterUuid
		else if (clusterUuid !== this.#clusterUuid) throw otherCluster()
		this.#engine = this.#engine === undefined ? engine : lesserOf(this.#engine, engine)
		this.#vectors = vectorHabitOf(product)
	}
}

function lesserOf(one: Engine, other: Engine): Engine {
	const { version } = isAtLeast(one.version, ...other.version) ? other : one
	return {
		version,
		isOpenSource: one.isOpenSource || other.isOpenSource,
		isServerless: one.isServerless || other.isServerless,
	}
}

function otherCluster(): DriverError {
	return new DriverError(
		'not_connected',
		'Connection failed: this host belongs to another cluster than the first one (its cluster_uuid differs). Enter the hosts of one cluster only, and make another connection for this one.',
	)
}
