/// <reference path="./fs-native-extensions.d.ts" />
import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { tryLock } from 'fs-native-extensions'

/**
 * A lock of the kernel's on a file. It goes when its process does, however that ends, so what lies on the disk decides
 * nothing: an empty file, a stale one and one that names a process of today all lock alike. (A file that says who holds
 * it cannot do that: two that find its holder dead both take it over, and a number is soon another process's.)
 */
export interface FileLock extends Disposable {
	readonly path: string
}

/** Beyond all that is ever written: Windows lets nobody read a byte that is locked. */
const lockedByte = 1 << 20
const pollMs = 50

/** Takes the lock, or returns `undefined` where somebody holds it. @throws Error where the file cannot be opened */
export function tryFileLock(path: string): FileLock | undefined {
	for (;;) {
		const fd = openSync(path, 'a+', 0o600)
		let isTaken = false
		try {
			if (!tryLock(fd, lockedByte, 1)) return undefined
			// The one who held it may have removed the file after we opened it; that lock keeps nobody out.
			if (!isStillThere(fd, path)) continue
			noteHolder(fd)
			isTaken = true
			return { path, [Symbol.dispose]: () => release(fd, path) }
		} finally {
			if (!isTaken) closeSync(fd)
		}
	}
}

/** Takes the lock as soon as it is free; `undefined` where it is not within `waitMs`. */
export async function fileLock(path: string, waitMs: number): Promise<FileLock | undefined> {
	for (const deadline = Date.now() + waitMs; ; await sleep(pollMs)) {
		const lock = tryFileLock(path)
		if (lock || Date.now() >= deadline) return lock
	}
}

/** The process that took the lock last, for a word to the person; nothing is decided by it. */
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
		// A full disk: the lock holds all the same.
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
