import fs from 'node:fs'
import { types } from 'node:util'

// Captured before a driver's module can replace them.
const { apply, get } = Reflect
const { isUint8Array } = types
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

const takesTwoPaths = /^(copyFile|cp|link|rename|symlink)/

/**
 * Hands paths to the functions of `fs` as strings. Node checks a path of bytes for a null byte, then reads options, whose
 * getters can change the bytes: the permission model normalizes `/other/file\0/../../own/file`, and the system opens
 * `/other/file`.
 */
export function fixPaths(): void {
	for (const owner of [fs, fs.promises]) {
		for (const name of Object.keys(owner)) {
			const own: unknown = get(owner, name)
			// Classes are constructed; their streams open files by `fs.open`.
			if (typeof own !== 'function' || /^[A-Z]/.test(name)) continue
			const takesTwo = takesTwoPaths.test(name)
			const fixed = function (this: unknown, ...args: unknown[]) {
				if (args.length > 0) args[0] = fixedPath(args[0])
				if (args.length > 1 && takesTwo) args[1] = fixedPath(args[1])
				return apply(own, this, args)
			}
			Object.defineProperties(fixed, Object.getOwnPropertyDescriptors(own))
			Object.defineProperty(owner, name, { value: fixed })
		}
	}
}

/** A driver can replace the decoder. The result is still a string, so it cannot change after the check. */
function fixedPath(path: unknown): unknown {
	return isUint8Array(path) ? `${decoder.decode(path)}` : path
}
