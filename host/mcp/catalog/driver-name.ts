import type { Manifest } from '@roundhouse/kit/manifest'

/** The name on the wire of what a driver brings: its id and its own name. */
export function driverName(manifest: Manifest, name: string): string {
	return `${manifest.id.replaceAll('-', '_')}_${name}`
}
