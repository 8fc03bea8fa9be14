import { dlopen, getRawPointer } from 'node:ffi'

const { functions } = dlopen(null, {
	syscall: { arguments: ['int64', 'int64', 'int64', 'int64', 'int64', 'int64'], return: 'int64' },
	prctl: { arguments: ['int32', 'uint64', 'uint64', 'uint64', 'uint64'], return: 'int32' },
	fcntl: { arguments: ['int32', 'int32', 'int32'], return: 'int32' },
	setrlimit: { arguments: ['int32', 'pointer'], return: 'int32' },
	execve: { arguments: ['pointer', 'pointer', 'pointer'], return: 'int32' },
})

/**
 * Buffers that must not be garbage-collected, because the kernel reads them by address. The launcher runs for
 * milliseconds.
 */
const pinned: Buffer[] = []

/** Returns the address of a buffer and keeps the buffer alive. */
export function addressOf(buffer: Buffer): bigint {
	pinned.push(buffer)
	return getRawPointer(buffer)
}

/** Returns the address of a C array of 64-bit words. */
export function words(...values: readonly (number | bigint)[]): bigint {
	return addressOf(Buffer.from(BigUint64Array.from(values, BigInt).buffer))
}

export function cString(text: string): bigint {
	return addressOf(Buffer.from(`${text}\0`))
}

/** Returns the address of a C array of strings that ends with a null pointer. */
export function cStrings(texts: readonly string[]): bigint {
	return words(...texts.map(cString), 0)
}

/** Makes a system call with at most five arguments. @returns -1 if it failed */
export function syscall(number: number, ...args: readonly (number | bigint)[]): number {
	const at = (index: number) => BigInt(args[index] ?? 0)
	return Number(functions.syscall(BigInt(number), at(0), at(1), at(2), at(3), at(4)))
}

export function prctl(option: number, ...args: readonly (number | bigint)[]): number {
	const at = (index: number) => BigInt(args[index] ?? 0)
	return functions.prctl(option, at(0), at(1), at(2), at(3))
}

/** Keeps a descriptor open over `execve`. Node sets close-on-exec on all descriptors that it opens or inherits. */
export function keepOnExec(fd: number): void {
	const setFlags = 2
	functions.fcntl(fd, setFlags, 0)
}

/** Sets the soft and the hard limit of a resource to the same value. */
export function setLimit(resource: number, value: number): number {
	return functions.setrlimit(resource, words(value, value))
}

/** Replaces this process. Returns only if it failed. */
export function execve(...pointers: readonly [bigint, bigint, bigint]): void {
	functions.execve(...pointers)
}
