/** Files and folders beyond its own that a driver's process may use, as real paths; fixed when it starts. */
export interface Grants {
	readonly read: readonly string[]
	readonly readWrite: readonly string[]
}

export const noGrants: Grants = { read: [], readWrite: [] }

export function hasGrants({ read, readWrite }: Grants): boolean {
	return read.length + readWrite.length > 0
}

/** One text for each set, whatever the order it was named in. */
export function markOf({ read, readWrite }: Grants): string {
	return JSON.stringify([read.toSorted(), readWrite.toSorted()])
}

/** The grants in Node's own words. A folder means all that is in it. */
export function flagsOfGrants({ read, readWrite }: Grants): readonly string[] {
	return [
		...[...read, ...readWrite].map(path => `--allow-fs-read=${path}`),
		...readWrite.map(path => `--allow-fs-write=${path}`),
	]
}
