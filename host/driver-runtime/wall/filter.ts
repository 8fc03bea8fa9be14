import {
	auditArch,
	firstUnknownSyscall,
	type SyscallName,
	syscallNames,
	syscallNumber,
	type WallArch,
} from './syscalls.ts'

const EPERM = 1
const ENOTTY = 25
const ENOSYS = 38

/** Opcodes of classic BPF (`linux/bpf_common.h`): load a word, compare, return. */
const loadWord = 0x20
const jumpIfEqual = 0x15
const jumpIfAtLeast = 0x35
const jumpIfBitSet = 0x45
const returnValue = 0x06

/** Return values of a filter (`linux/seccomp.h`). */
const allow = 0x7fff0000
const killProcess = 0x80000000
const failWith = (errno: number) => 0x00050000 | errno

/** Offsets in `struct seccomp_data`. Arguments are 64 bits wide, lower half first. */
const numberOffset = 0
const archOffset = 4
const lowHalfOf = (argument: number) => 16 + 8 * argument

/** `CLONE_THREAD`: the new task shares this process. */
const cloneThread = 0x10000
/** `MSG_FASTOPEN`: a send that connects. */
const fastOpen = 0x20000000

interface Instruction {
	readonly code: number
	readonly value: number
	ifTrue: number
	ifFalse: number
}

/** How many instructions a conditional jump skips. */
type Jumps = Partial<Readonly<Pick<Instruction, 'ifTrue' | 'ifFalse'>>>

/** The launcher's own pointers for its one `execve`: program, arguments, environment. */
export type ExecPointers = readonly [bigint, bigint, bigint]

/** Assembles the filter one call at a time. Each body ends in a return, so no rule falls through to the next. */
class Assembler {
	readonly instructions: Instruction[] = []
	readonly #arch: WallArch
	readonly #seen = new Set<SyscallName>()

	constructor(arch: WallArch) {
		this.#arch = arch
	}

	emit(code: number, value: number | bigint, { ifTrue = 0, ifFalse = 0 }: Jumps = {}): Instruction {
		const instruction = { code, value: Number(BigInt.asUintN(32, BigInt(value))), ifTrue, ifFalse }
		this.instructions.push(instruction)
		return instruction
	}

	return(value: number): void {
		this.emit(returnValue, value)
	}

	/** Emits `body` for the call `name`. */
	on(name: SyscallName, body: () => void): void {
		this.#seen.add(name)
		const number = syscallNumber(name, this.#arch)
		if (number === undefined) return
		const test = this.emit(jumpIfEqual, number)
		const start = this.instructions.length
		body()
		test.ifFalse = this.instructions.length - start
	}

	deny(name: SyscallName, errno = EPERM): void {
		this.on(name, () => this.return(failWith(errno)))
	}

	/** Allows the call if each argument has its value. `isWide` compares all 64 bits. */
	only(
		name: SyscallName,
		args: readonly (readonly [argument: number, value: number | bigint])[],
		isWide = false,
	): void {
		this.on(name, () => {
			const tests: { readonly test: Instruction; readonly at: number }[] = []
			const compare = (offset: number, value: bigint) => {
				this.emit(loadWord, offset)
				tests.push({ test: this.emit(jumpIfEqual, value), at: this.instructions.length })
			}
			for (const [argument, value] of args) {
				compare(lowHalfOf(argument), BigInt.asUintN(32, BigInt(value)))
				if (isWide) compare(lowHalfOf(argument) + 4, BigInt(value) >> 32n)
			}
			this.return(allow)
			for (const { test, at } of tests) test.ifFalse = this.instructions.length - at
			this.return(failWith(EPERM))
		})
	}

	/** Denies the call if the argument has one of these values. */
	unless(name: SyscallName, argument: number, values: readonly number[]): void {
		this.on(name, () => {
			this.emit(loadWord, lowHalfOf(argument))
			for (const value of values) {
				this.emit(jumpIfEqual, value, { ifFalse: 1 })
				this.return(failWith(EPERM))
			}
			this.return(allow)
		})
	}

	/** Allows the call if the argument has one of these values; else it fails with `errno`. */
	among(
		name: SyscallName,
		argument: number,
		{ values, errno }: { readonly values: readonly number[]; readonly errno: number },
	): void {
		this.on(name, () => {
			this.emit(loadWord, lowHalfOf(argument))
			for (const value of values) {
				this.emit(jumpIfEqual, value, { ifFalse: 1 })
				this.return(allow)
			}
			this.return(failWith(errno))
		})
	}

	/** Denies the call if the argument has both bits set. */
	notBoth(name: SyscallName, argument: number, [first, second]: readonly [number, number]): void {
		this.on(name, () => {
			this.emit(loadWord, lowHalfOf(argument))
			this.emit(jumpIfBitSet, first, { ifFalse: 2 })
			this.emit(jumpIfBitSet, second, { ifFalse: 1 })
			this.return(failWith(EPERM))
			this.return(allow)
		})
	}

	/** Denies the call if the argument has this bit set; with `isNeeded`, if it lacks the bit. */
	bit(
		name: SyscallName,
		argument: number,
		{ bit, isNeeded }: { readonly bit: number; readonly isNeeded: boolean },
	): void {
		this.on(name, () => {
			this.emit(loadWord, lowHalfOf(argument))
			this.emit(jumpIfBitSet, bit, { ifFalse: 1 })
			this.return(isNeeded ? allow : failWith(EPERM))
			this.return(isNeeded ? failWith(EPERM) : allow)
		})
	}

	/** Denies every call in the table that has no rule yet. */
	denyRest(): void {
		// Node and libc fall back to older calls if these fail with ENOSYS.
		const missing = /^(io_uring|memfd|userfaultfd)/
		for (const name of syscallNames) if (!this.#seen.has(name)) this.deny(name, missing.test(name) ? ENOSYS : EPERM)
	}
}

/**
 * Returns the seccomp filter of a driver process, as an array of `struct sock_filter`. It denies the calls of the table
 * and kills the process at a call of another architecture. It allows one exec, with exactly the launcher's pointers.
 * Their memory is gone afterwards. A process that rebuilt them could still only start Node, because Landlock allows no
 * other program.
 * @param pid the process itself, the only one it may signal
 */
export function buildFilter(arch: WallArch, pid: number, exec: ExecPointers): Buffer {
	const filter = new Assembler(arch)
	filter.emit(loadWord, archOffset)
	filter.emit(jumpIfEqual, auditArch[arch], { ifTrue: 1 })
	filter.return(killProcess)
	filter.emit(loadWord, numberOffset)
	filter.emit(jumpIfAtLeast, firstUnknownSyscall, { ifFalse: 1 })
	filter.return(failWith(ENOSYS))
	filter.only('execve', [...exec.entries()], true)
	for (const name of ['kill', 'tgkill'] as const) filter.only(name, [[0, pid]])
	for (const name of ['prlimit64', 'sched_setaffinity', 'sched_setscheduler'] as const) filter.only(name, [[0, 0]])
	filter.bit('clone', 0, { bit: cloneThread, isNeeded: true })
	// A filter cannot read its flags, which are in memory. libc falls back to clone.
	filter.deny('clone3', ENOSYS)
	filter.bit('sendto', 3, { bit: fastOpen, isNeeded: false })
	// F_SETOWN, F_SETSIG, F_SETOWN_EX signal other processes. F_SETLEASE, F_NOTIFY affect other users of readable files.
	filter.unless('fcntl', 1, [8, 10, 15, 1024, 1026])
	// FIONREAD, FIONBIO, FIONCLEX, FIOCLEX, FICLONE. Other requests can write to a terminal, signal, or change a readable
	// file.
	filter.among('ioctl', 1, { values: [0x541b, 0x5421, 0x5450, 0x5451, 0x40049409], errno: ENOTTY })
	// PR_SET_PDEATHSIG, PR_SET_PTRACER.
	filter.unless('prctl', 0, [1, 0x59616d61])
	// Would change the mode of a readable file. It reports success, because libuv calls it at the end of a copy.
	filter.deny('fchmod', 0)
	// MAP_SHARED with MAP_ANONYMOUS: memory that neither the limit nor the resident size counts.
	filter.notBoth('mmap', 3, [0x01, 0x20])
	filter.denyRest()
	filter.return(allow)
	return encode(filter.instructions)
}

function encode(instructions: readonly Instruction[]): Buffer {
	const program = Buffer.alloc(8 * instructions.length)
	for (const [index, { code, ifTrue, ifFalse, value }] of instructions.entries()) {
		// A jump offset has eight bits. `writeUInt8` throws if a body is longer.
		program.writeUInt16LE(code, 8 * index)
		program.writeUInt8(ifTrue, 8 * index + 2)
		program.writeUInt8(ifFalse, 8 * index + 3)
		program.writeUInt32LE(value, 8 * index + 4)
	}
	return program
}
