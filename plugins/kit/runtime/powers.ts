import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import v8 from 'node:v8'

/** What Node's permission flags leave open, by the object that holds it. */
const powers: readonly (readonly [object, readonly string[]])[] = [
	// SIGUSR1 alone makes any Node process of this person open its inspector, and who connects to that owns it.
	[process, ['kill', '_kill', '_debugProcess', '_debugEnd']],
	// V8 writes its traces wherever a flag says, past the permission flags.
	[v8, ['setFlagsFromString', 'setHeapSnapshotNearHeapLimit', 'startCpuProfile', 'takeCoverage']],
	[os, ['setPriority']],
]

/**
 * Takes from this process what would reach beyond it, before a driver's module is loaded, and keeps the driver from
 * taking the ways out of it: a process whose host is gone must end.
 */
export function giveUpPowers(): void {
	for (const [owner, names] of powers) {
		for (const name of names) if (name in owner) fix(owner, name, refuse)
	}
	for (const name of ['exit', 'reallyExit', 'abort'] as const) fix(process, name, Reflect.get(process, name))
	// Only sockets come by Node's own channel, and nothing goes.
	fix(process, 'send', undefined)
	// `import { kill } from 'node:process'` would get what was there before.
	syncBuiltinESMExports()
}

function refuse(): never {
	throw Object.assign(new Error('A driver may not do this.'), { code: 'ERR_ACCESS_DENIED' })
}

function fix(owner: object, name: string, value: unknown): void {
	Object.defineProperty(owner, name, { value, writable: false, configurable: false })
}
