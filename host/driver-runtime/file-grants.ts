/** Files and folders that a driver's process may use beyond the driver's folder, as real paths. Fixed at its start. */
export interface FileGrants {
	readonly read: readonly string[]
	readonly readWrite: readonly string[]
}

export const noGrants: FileGrants = { read: [], readWrite: [] }

export function hasGrants({ read, readWrite }: FileGrants): boolean {
	return read.length + readWrite.length > 0
}

/** Returns a key of the set that does not depend on the order of the paths. */
export function grantsKey({ read, readWrite }: FileGrants): string {
	return JSON.stringify([read.toSorted(), readWrite.toSorted()])
}
