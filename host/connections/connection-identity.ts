import { createHash } from 'node:crypto'
import type { SavedConnection } from './connection-fields.ts'

/**
 * Returns a digest of a connection: its id, name, driver, settings, the version of its secrets, what gives them, its proxy and its tunnel. Consent
 * of the user (a statement, a grant, a review) is bound to this digest, because the id stays the same when a connection
 * is changed to another server.
 */
export function identityOf(connection: SavedConnection): string {
	const { id, name, driverId, settings, secretKeys, secretsVersion, isSample, proxy, ssh, secretSources } = connection
	const secrets = [[...secretKeys].sort(), secretsVersion ?? null]
	const sorted = (members: object) => Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1))
	const way = [proxy ?? null, ssh ?? null]
	const parts = [id, name, driverId, sorted(settings), ...secrets, isSample, ...way, ...sorted(secretSources)]
	return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

/**
 * Returns a digest of where a connection leads. Its name, its secrets and its policies may change. Behind a tunnel or a
 * proxy, the same host is another one.
 */
export function placeOf({ driverId, settings, isSample, proxy, ssh }: SavedConnection): string {
	const sorted = Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1))
	return createHash('sha256')
		.update(JSON.stringify([driverId, sorted, isSample, proxy ?? null, ssh ?? null]))
		.digest('base64url')
}
