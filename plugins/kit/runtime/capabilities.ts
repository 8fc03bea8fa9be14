import asyncHooks from 'node:async_hooks'
import fs from 'node:fs'
import Module, { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import v8 from 'node:v8'
import { fixPaths } from './fixed-paths.ts'

/**
 * Members of `process` that a driver keeps. All others are removed, so that an addition in a newer Node is unavailable
 * until it is classified. SECURITY.md and tests/exploits/surface say why each of these is harmless.
 */
const allowedProcessMembers: ReadonlySet<string> = new Set([
	// Facts about Node and its platform.
	'allowedNodeEnvironmentFlags',
	'arch',
	'argv',
	'argv0',
	'config',
	'default',
	'execArgv',
	'execPath',
	'features',
	'moduleLoadList',
	'noProcessWarnings',
	'permission',
	'pid',
	'platform',
	'ppid',
	'release',
	'sourceMapsEnabled',
	'version',
	'versions',
	'getegid',
	'geteuid',
	'getgid',
	'getgroups',
	'getuid',
	'cwd',
	'env',
	// Measurements of this process.
	'availableMemory',
	'constrainedMemory',
	'cpuUsage',
	'getActiveResourcesInfo',
	'hrtime',
	'memoryUsage',
	'resourceUsage',
	'threadCpuUsage',
	'uptime',
	// Events, errors, modules, streams and exit of this process.
	'_events',
	'_eventsCount',
	'_exiting',
	'_fatalException',
	'_maxListeners',
	'_preload_modules',
	'_tickCallback',
	'_rawDebug',
	'abort',
	'domain',
	'emitWarning',
	'exit',
	'exitCode',
	'finalization',
	'getBuiltinModule',
	'addUncaughtExceptionCaptureCallback',
	'hasUncaughtExceptionCaptureCallback',
	'nextTick',
	'reallyExit',
	'ref',
	'setSourceMapsEnabled',
	'setUncaughtExceptionCaptureCallback',
	'stderr',
	'stdin',
	'stdout',
	'umask',
	'unref',
	// Node's channel, which transfers sockets. Node's internals use these members.
	'_channel',
	'_handleQueue',
	'_pendingMessage',
	'channel',
	'connected',
	'disconnect',
	'_disconnect',
	'_send',
])

/**
 * Members of `Module` that a driver keeps: those that `require` and its libraries use. Others read paths without a
 * permission check (`_stat`, `_readPackage`, `findPackageJSON`), run code elsewhere or precede the runtime's hooks.
 */
const allowedModuleMembers: ReadonlySet<string> = new Set([
	'length',
	'name',
	'prototype',
	'Module',
	'SourceMap',
	'builtinModules',
	'constants',
	'isBuiltin',
	'_cache',
	'_extensions',
	'_findPath',
	'_load',
	'_nodeModulePaths',
	'_pathCache',
	'_resolveFilename',
	'_resolveLookupPaths',
	'createRequire',
	'findSourceMap',
	'getCompileCacheDir',
	'getSourceMapsSupport',
	'globalPaths',
	'setSourceMapsSupport',
	'stripTypeScriptTypes',
	'syncBuiltinESMExports',
	'wrap',
	'wrapper',
])

/** Capabilities in other modules that Node's permission flags do not cover, by the object that has them. */
const capabilities: readonly (readonly [owner: object, names: readonly string[]])[] = [
	// V8 writes its traces to any path that a flag names, despite the permission flags. Profiles are written to the
	// working folder.
	[v8, ['setFlagsFromString', 'setHeapSnapshotNearHeapLimit', 'setHeapProfileNearHeapLimit']],
	[v8, ['startCpuProfile', 'startHeapProfile', 'takeCoverage', 'queryObjects']],
	[os, ['setPriority']],
	// These expose the runtime's pipe and timers.
	[asyncHooks, ['createHook', 'executionAsyncResource']],
]

/**
 * Removes capabilities that reach beyond this process, before a driver's module is loaded. Also fixes the functions by
 * which the runtime ends the process, because a process without a host must end.
 */
export function dropCapabilities(): void {
	for (const name of Object.getOwnPropertyNames(process)) {
		if (!allowedProcessMembers.has(name) && name !== 'send') removeMember(process, name)
	}
	for (const name of Object.getOwnPropertyNames(Module)) {
		if (!allowedModuleMembers.has(name)) removeMember(Module, name)
	}
	for (const [owner, names] of capabilities) {
		for (const name of names) if (name in owner) removeMember(owner, name)
	}
	// Node's channel only receives sockets. Nothing is sent on it.
	freezeMember(process, 'send', undefined)
	for (const name of ['exit', 'reallyExit', 'abort'] as const) freezeMember(process, name, Reflect.get(process, name))
	// Native code reads the real environment, for example SSL_CERT_FILE. A driver's writes must not reach it.
	freezeMember(process, 'env', Object.create(null))
	// Only the native variants check permissions. The others reveal whether a path exists.
	Reflect.set(fs, 'realpath', fs.realpath.native)
	Reflect.set(fs, 'realpathSync', fs.realpathSync.native)
	fixPaths()
	// Without this, `import { kill } from 'node:process'` would get the original function.
	syncBuiltinESMExports()
}

function refuse(): never {
	throw Object.assign(new Error('A driver is not allowed to do this.'), { code: 'ERR_ACCESS_DENIED' })
}

/**
 * Replaces a member. Writes are ignored, because Node's modules write some of these when they load, for example
 * `node:worker_threads`.
 */
function removeMember(owner: object, name: string): void {
	const value = typeof Reflect.get(owner, name) === 'function' ? refuse : undefined
	Object.defineProperty(owner, name, { get: () => value, set: () => {}, configurable: false })
}

function freezeMember(owner: object, name: string, value: unknown): void {
	Object.defineProperty(owner, name, { value, writable: false, configurable: false })
}
