/// <reference path="./fs-native-extensions.d.ts" />
import {
	closeSync,
	constants,
	fstatSync,
	ftruncateSync,
	openSync,
	readFileSync,
	rmSync,
	statSync,
	writeSync,
} from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { tryLock } from 'fs-native-extensions'

/**
 * A kernel lock on a file. The kernel releases the lock when the process that holds it ends, even after a crash. The
 * content of the file is irrelevant: an empty or stale file can also be locked. A file that contains the process id of
 * the holder is not a safe lock. Two processes could find the holder dead and both take the lock, and the system reuses
 * process ids.
 */
export interface FileLock extends Disposable {
	readonly path: string
}

/** An offset beyond all written bytes, because on Windows other processes cannot read a locked byte. */
const lockedByte = 1 << 20
const pollMs = 50
/**
 * As `a+`, without following a link: the file is emptied, and a folder may be one that others write too, for example a
 * registry in a shared Git repository. Windows has no such flag.
 */
const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)

/** Takes the lock, or returns `undefined` if it is held. @throws Error if the file cannot be opened */
export function tryFileLock(path: string): FileLock | undefined {
	for (;;) {
		const fd = openSync(path, flags, 0o600)
		let isTaken = false
		try {
			if (!tryLock(fd, lockedByte, 1)) return undefined
			// The last holder may have removed the file after this process opened it. A lock on a removed file does not
			// exclude other processes.
			if (!isStillThere(fd, path)) continue
			noteHolder(fd)
			isTaken = true
			return { path, [Symbol.dispose]: () => release(fd, path) }
		} finally {
			if (!isTaken) closeSync(fd)
		}
	}
}

/** Takes the lock as soon as it is free, or returns `undefined` if that takes longer than `waitMs`. */
export async function fileLock(path: string, waitMs: number): Promise<FileLock | undefined> {
	for (const deadline = Date.now() + waitMs; ; await sleep(pollMs)) {
		const lock = tryFileLock(path)
		if (lock || Date.now() >= deadline) return lock
	}
}

/**
 * Returns the id of the process that last acquired the lock, or `undefined` if unknown. Use it only in messages, never
 * for decisions.
 */
export function lastHolder(path: string): number | undefined {
	try {
		return Number.parseInt(readFileSync(path, 'utf8'), 10) || undefined
	} catch {
		return undefined
	}
}

function noteHolder(fd: number): void {
	try {
		ftruncateSync(fd)
		writeSync(fd, `${process.pid}\n`)
	} catch {
		// The disk is full. The lock holds anyway.
	}
}

function isStillThere(fd: number, path: string): boolean {
	const ours = fstatSync(fd, { bigint: true })
	const there = statSync(path, { bigint: true, throwIfNoEntry: false })
	return there?.ino === ours.ino && there.dev === ours.dev
}

function release(fd: number, path: string): void {
	try {
		rmSync(path, { force: true })
	} finally {
		closeSync(fd)
	}
}
