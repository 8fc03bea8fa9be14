import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { addressOf, keepOnExec, syscall, words } from './libc.ts'
import { launcherSyscalls } from './syscalls.ts'

/** Rights on files and folders (`linux/landlock.h`). Not granted: links, devices, sockets, pipes. */
const right = {
	execute: 1 << 0,
	writeFile: 1 << 1,
	readFile: 1 << 2,
	readFolder: 1 << 3,
	removeFolder: 1 << 4,
	removeFile: 1 << 5,
	makeFolder: 1 << 7,
	makeFile: 1 << 8,
	moveBetweenFolders: 1 << 13,
	truncate: 1 << 14,
} as const
const read = right.readFile | right.readFolder
const readWrite =
	read |
	right.writeFile |
	right.removeFolder |
	right.removeFile |
	right.makeFolder |
	right.makeFile |
	right.moveBetweenFolders |
	right.truncate
/** The rights that a rule on a plain file may have. */
const onFiles = right.execute | right.writeFile | right.readFile | right.truncate

/** Rights on files by version of Landlock. Versions after the last entry support at least its rights. */
const knownRights = [0, 0x1fff, 0x3fff, 0x7fff, 0x7fff, 0xffff]

/** Version 1 cannot move a file between folders, and `rename` within the scratch folder needs that. */
const oldestVersion = 2

/** `O_PATH`: a descriptor that refers to a file without opening it. */
const onlyPath = 0x200000
const closeOnExec = 0x80000

export interface LandlockRule {
	readonly path: string
	readonly rights: number
	/** Whether the path may be missing on a system. */
	readonly isOptional?: boolean
}

/** Returns the rules for the files that Node needs, and for the granted ones. */
export function rulesFor(spec: {
	readonly read: readonly string[]
	readonly readWrite: readonly string[]
}): LandlockRule[] {
	return [
		...mappedFiles().map(path => {
			const isStarted = path === process.execPath || /\/(ld-|ld\.so|ld64)[^/]*$/.test(path)
			return { path, rights: isStarted ? right.readFile | right.execute : right.readFile, isOptional: true }
		}),
		...['/etc/ld.so.cache', '/etc/localtime', '/dev/urandom'].map(path => ({
			path,
			rights: right.readFile,
			isOptional: true,
		})),
		{ path: '/dev/null', rights: right.readFile | right.writeFile },
		...spec.read.flatMap(path => [{ path, rights: read }, ...packageFilesAbove(path)]),
		...spec.readWrite.map(path => ({ path, rights: readWrite })),
	]
}

/** Returns the files that the dynamic loader mapped into this process. Their paths differ between systems. */
function mappedFiles(): string[] {
	return [...new Set(readFileSync('/proc/self/maps', 'utf8').match(/(?<= )\/\S.*$/gm))]
}

/**
 * Node looks for a package.json in all parent folders of a module. It fails at an unreadable one, not at a missing one.
 */
function packageFilesAbove(path: string): LandlockRule[] {
	const parent = dirname(path)
	const own = { path: join(parent, 'package.json'), rights: right.readFile, isOptional: true }
	return parent === dirname(parent) ? [own] : [own, ...packageFilesAbove(parent)]
}

/**
 * Restricts this process to the files of the rules, also after `execve`. Restricts network and signals too if the
 * kernel supports it. Rules bind inodes: a file that another program replaces by a rename loses its rule until the next
 * start.
 * @throws Error that names the step that failed
 */
export function restrictFiles(rules: readonly LandlockRule[]): void {
	const version = syscall(launcherSyscalls.landlock_create_ruleset, 0, 0, 1)
	if (version < oldestVersion) throw new Error(`Landlock has version ${version}, not ${oldestVersion} or newer`)
	const known = knownRights[Math.min(version, knownRights.length - 1)] ?? 0
	// Handled rights: files; TCP bind and connect; abstract Unix sockets and signals to others.
	const attribute = words(known, 0b11, 0b11)
	const attributeBytes = version >= 6 ? 24 : version >= 4 ? 16 : 8
	const ruleset = need(
		'create a ruleset',
		syscall(launcherSyscalls.landlock_create_ruleset, attribute, attributeBytes, 0),
	)
	for (const rule of rules) addRule(ruleset, rule, known)
	addRule(ruleset, { path: ownStatistics(), rights: right.readFile }, known)
	need('restrict the process', syscall(launcherSyscalls.landlock_restrict_self, ruleset, 0))
	closeSync(ruleset)
}

function addRule(ruleset: number, { path, rights, isOptional = false }: LandlockRule, known: number): void {
	let fd: number
	try {
		fd = openSync(path, onlyPath | closeOnExec)
	} catch (error) {
		if (isOptional) return
		throw error
	}
	const possible = fstatSync(fd).isDirectory() ? rights : rights & onFiles
	// `struct landlock_path_beneath_attr`, a packed struct.
	const attribute = Buffer.alloc(12)
	attribute.writeBigUInt64LE(BigInt(possible & known))
	attribute.writeInt32LE(fd, 8)
	const pathBeneath = 1
	need(`allow ${path}`, syscall(launcherSyscalls.landlock_add_rule, ruleset, pathBeneath, addressOf(attribute), 0))
	closeSync(fd)
}

/**
 * Returns a path of `/proc/self/stat`, which `process.memoryUsage()` reads. A rule binds the inode, and procfs creates
 * a new inode after it evicts the old one. The open descriptor prevents that.
 */
function ownStatistics(): string {
	const fd = openSync('/proc/self/stat', onlyPath)
	keepOnExec(fd)
	return `/proc/self/fd/${fd}`
}

function need(step: string, result: number): number {
	if (result < 0) throw new Error(`Landlock could not ${step}`)
	return result
}
