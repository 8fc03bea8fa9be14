import { type Manifest, wireName } from '@roundhouse/kit/manifest'
import { pluginErrors } from './errors.ts'

/** Returns the wire names of a driver's tools and prompts, and the URI schemes of its resources. */
function namesOf(manifest: Manifest): readonly string[] {
	const uris = [
		...manifest.resources.map(({ uri }) => uri),
		...manifest.resourceTemplates.map(({ uriTemplate }) => uriTemplate),
	]
	return [
		...[...manifest.tools, ...manifest.prompts].map(({ name }) => wireName(manifest, name)),
		...new Set(uris.map(uri => `${uri.split(':')[0]}:`)),
	]
}

/**
 * Refuses a driver with a wire name that is already in use. Two ids can produce the same name (`a-b` with `c`, `a` with
 * `b_c`).
 * @throws HostError `plugin/name_taken`
 */
export function refuseTakenNames(
	manifest: Manifest,
	installed: readonly Manifest[],
	coreToolNames: ReadonlySet<string>,
): void {
	const owners = new Map([...coreToolNames].map(name => [name, 'Roundhouse itself']))
	for (const other of installed) {
		if (other.id !== manifest.id) for (const name of namesOf(other)) owners.set(name, other.displayName)
	}
	for (const name of namesOf(manifest)) {
		const owner = owners.get(name)
		if (owner) throw pluginErrors.make('name_taken', { driver: manifest.displayName, name, owner })
		owners.set(name, 'the driver itself')
	}
}
