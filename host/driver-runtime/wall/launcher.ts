import { readFileSync } from 'node:fs'
import { buildFilter, type ExecPointers } from './filter.ts'
import { restrictFiles, rulesFor } from './landlock.ts'
import { addressOf, cString, cStrings, execve, keepOnExec, prctl, setLimit, syscall, words } from './libc.ts'
import { type WallSpec, wallFailedExitCode } from './spec.ts'
import { launcherSyscalls, syscallNumber, type WallArch } from './syscalls.ts'

/**
 * The program between the host and a driver on Linux. It restricts itself with kernel mechanisms, then replaces itself
 * with the driver's Node by `execve`, which keeps the restrictions, the standard streams, the pipe and Node's channel.
 *
 * The driver's own process could not restrict itself: before version 8 Landlock binds only the calling thread, and V8's
 * threads already run. The launcher is synchronous from start to `execve`: if the event loop ran, Node would read the
 * host's channel. The order matters: each step must still be allowed by the steps before it.
 */

/** Standard streams, the pipe, Node's channel. */
const keptDescriptors = 5
/** Resources and options of `setrlimit` and `prctl` (`asm-generic/resource.h`, `linux/prctl.h`). */
const limit = { fileBytes: 1, dataBytes: 2, coreBytes: 4, openFiles: 7, queueBytes: 12 } as const
const option = { deathSignal: 1, seccomp: 22, noNewPrivileges: 38 } as const
const mib = 1024 * 1024

function confine(spec: WallSpec): void {
	need('no_new_privs', prctl(option.noNewPrivileges, 1))
	process.umask(0o077)
	closeInherited()
	setLimits(spec.memoryMb)
	if (process.getuid?.() === 0) dropCapabilities()
	dieWithHost(spec.hostPid)
	const exec = execPointers(spec)
	if (spec.parts.files) restrictFiles(rulesFor(spec))
	if (spec.parts.calls) filterCalls(exec)
	execve(...exec)
	throw new Error('execve failed')
}

/** Marks descriptors that the host inherited from its parent to be closed at exec. */
function closeInherited(): void {
	const closeOnExec = 4
	need('close_range', syscall(launcherSyscalls.close_range, keptDescriptors, 0xffffffff, closeOnExec))
	for (let fd = 0; fd < keptDescriptors; fd++) keepOnExec(fd)
}

function setLimits(memoryMb: number): void {
	const set = (name: keyof typeof limit, value: number) => need(`limit of ${name}`, setLimit(limit[name], value))
	set('coreBytes', 0)
	set('fileBytes', 1024 * mib)
	set('openFiles', 1024)
	set('queueBytes', 0)
	// Limits writable private memory. The baseline is measured in this Node, because V8's code range alone counts 512
	// MiB.
	const ownKib = Number(/VmData:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
	set('dataBytes', ownKib * 1024 + (memoryMb + 256) * mib)
}

/** Drops the capabilities of root. `no_new_privs` prevents `execve` from restoring them. */
function dropCapabilities(): void {
	const header = Buffer.alloc(8)
	const version3 = 0x20080522
	header.writeUInt32LE(version3)
	need('capset', syscall(syscallNumber('capset', arch()) ?? 0, addressOf(header), addressOf(Buffer.alloc(24))))
}

/** Makes the kernel kill this process when the host dies. The host may already have died before this call. */
function dieWithHost(hostPid: number): void {
	const sigkill = 9
	need('death signal', prctl(option.deathSignal, sigkill))
	if (process.ppid !== hostPid) endNow(0)
}

function execPointers({ args }: WallSpec): ExecPointers {
	// Node exits if the configuration of OpenSSL is unreadable.
	const argv = [process.execPath, '--openssl-config=/dev/null', ...args]
	// Node removes these variables from its environment at the start. The host passes the channel as the last descriptor.
	const channel = [`NODE_CHANNEL_FD=${keptDescriptors - 1}`, 'NODE_CHANNEL_SERIALIZATION_MODE=json']
	return [cString(process.execPath), cStrings(argv), cStrings(channel)]
}

function filterCalls(exec: ExecPointers): void {
	const program = buildFilter(arch(), process.pid, exec)
	// `struct sock_fprog`: a length and a pointer.
	const filterMode = 2
	need('seccomp', prctl(option.seccomp, filterMode, words(program.length / 8, addressOf(program))))
}

function arch(): WallArch {
	if (process.arch === 'x64' || process.arch === 'arm64') return process.arch
	throw new Error(`there is no table of system calls for ${process.arch}`)
}

/** Exits without exit handlers, which would run the event loop. Node's types do not declare the function. */
function endNow(code: number): never {
	return (Reflect.get(process, 'reallyExit') as (code: number) => never).call(process, code)
}

function need(step: string, result: number): void {
	if (result < 0) throw new Error(`${step} failed`)
}

try {
	// No schema needed: the host of the same build wrote this.
	confine(JSON.parse(process.argv[2] ?? '') as WallSpec)
} catch (error) {
	process.stderr.write(`The sandbox of the operating system could not be set up: ${String(error)}\n`)
	endNow(wallFailedExitCode)
}
