/** The part that is used here. The package has no types. */
declare module 'fs-native-extensions' {
	/** Locks a range of an open file without waiting. Returns `false` if it is held. @throws Error of the system */
	export function tryLock(fd: number, offset: number, length: number): boolean
}
