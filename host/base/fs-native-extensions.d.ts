/** The part that is used here; the package brings no types. */
declare module 'fs-native-extensions' {
	/** Locks a range of an open file without waiting; `false` where somebody else holds it. @throws Error of the system */
	export function tryLock(fd: number, offset: number, length: number): boolean
}
