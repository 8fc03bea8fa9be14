import { describe, expect, test } from 'vitest'
import { buildFilter } from './filter.ts'
import { auditArch, type SyscallName, syscallNames, syscallNumber, type WallArch } from './syscalls.ts'

const pid = 4321
const exec = [0x7f00_0000_1000n, 0x7f00_0000_2000n, 0x7f00_0000_3000n] as const

interface Call {
	readonly arch?: number
	readonly number: number
	readonly args?: readonly (number | bigint)[]
}

/** Runs a filter as the kernel does. @returns `allow`, `kill`, or the error number */
function run(
	program: Buffer,
	arch: WallArch,
	{ arch: audit = auditArch[arch], number, args = [] }: Call,
): string | number {
	const data = Buffer.alloc(64)
	data.writeUInt32LE(number >>> 0, 0)
	data.writeUInt32LE(audit, 4)
	for (const [index, value] of args.entries()) data.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)), 16 + 8 * index)
	let accumulator = 0
	for (let at = 0; ; at++) {
		const [code, ifTrue, ifFalse] = [program.readUInt16LE(8 * at), program[8 * at + 2] ?? 0, program[8 * at + 3] ?? 0]
		const value = program.readUInt32LE(8 * at + 4)
		const jump = (isTaken: boolean) => {
			at += isTaken ? ifTrue : ifFalse
		}
		if (code === 0x20) accumulator = data.readUInt32LE(value)
		else if (code === 0x15) jump(accumulator === value)
		else if (code === 0x35) jump(accumulator >= value)
		else if (code === 0x45) jump((accumulator & value) !== 0)
		else if (code === 0x06) return value === 0x7fff0000 ? 'allow' : value === 0x80000000 ? 'kill' : value & 0xffff
		else throw new Error(`opcode ${code}`)
	}
}

const EPERM = 1
const ENOTTY = 25
const ENOSYS = 38

describe.each(['x64', 'arm64'] as const)('the filter for %s', arch => {
	const program = buildFilter(arch, pid, exec)
	const decide = (name: SyscallName, ...args: readonly (number | bigint)[]) => {
		const number = syscallNumber(name, arch)
		return number === undefined ? 'absent' : run(program, arch, { number, args })
	}

	test('kills a call of another architecture', () => {
		const other = arch === 'x64' ? auditArch.arm64 : auditArch.x64
		expect(run(program, arch, { arch: other, number: 0 })).toBe('kill')
		const i386 = 0x40000003
		expect(run(program, arch, { arch: i386, number: 20 })).toBe('kill')
	})

	test('rejects calls that are newer than the table, and those of x32, with ENOSYS', () => {
		expect(run(program, arch, { number: 453 })).toBe(ENOSYS)
		expect(run(program, arch, { number: 0x40000000 + 41 })).toBe(ENOSYS)
	})

	test('allows the calls that Node needs', () => {
		const lives = arch === 'x64' ? [0, 1, 9, 202, 232, 257, 281] : [63, 64, 222, 98, 22, 56]
		for (const number of lives) expect(run(program, arch, { number })).toBe('allow')
	})

	test('allows the launcher one exec, with its own pointers', () => {
		expect(decide('execve', ...exec)).toBe('allow')
		for (const index of [0, 1, 2]) {
			const other = exec.map((pointer, at) => (at === index ? pointer + 0x1_0000_0000n : pointer))
			expect(decide('execve', ...other)).toBe(EPERM)
		}
		expect(decide('execveat', ...exec)).toBe(EPERM)
	})

	test('allows the process to signal only itself', () => {
		for (const name of ['kill', 'tgkill'] as const) {
			expect(decide(name, pid)).toBe('allow')
			for (const other of [1, -1, 0, pid + 1]) expect(decide(name, other)).toBe(EPERM)
		}
	})

	test('allows new threads, but no new process', () => {
		expect(decide('clone', 0x3d0f00)).toBe('allow')
		const sigchld = 17
		expect(decide('clone', sigchld)).toBe(EPERM)
		expect(decide('clone3')).toBe(ENOSYS)
		for (const name of ['fork', 'vfork'] as const) expect(decide(name)).toBe(arch === 'x64' ? EPERM : 'absent')
	})

	test('allows sends on open sockets, but no new connection', () => {
		for (const name of ['socket', 'socketpair', 'connect', 'bind', 'listen', 'accept', 'accept4'] as const)
			expect(decide(name)).toBe(EPERM)
		expect(decide('sendto', 5, 0, 0, 0)).toBe('allow')
		expect(decide('sendto', 5, 0, 0, 0x20000000)).toBe(EPERM)
		for (const name of ['sendmsg', 'sendmmsg'] as const) expect(decide(name, 5, 0, 0)).toBe(EPERM)
	})

	test('denies changes of metadata of readable files', () => {
		expect(decide('fchmod', 5, 0o4777)).toBe(0)
		for (const name of ['fchown', 'fsetxattr', 'fremovexattr', 'utimensat'] as const)
			expect(decide(name, 5, 0)).toBe(EPERM)
		const [setLease, setInodeFlags, nonBlocking] = [1024, 0x40086602, 0x5421]
		expect(decide('fcntl', 5, setLease)).toBe(EPERM)
		expect(decide('ioctl', 5, setInodeFlags)).toBe(ENOTTY)
		expect(decide('ioctl', 5, nonBlocking)).toBe('allow')
	})

	test('denies shared anonymous memory', () => {
		const [shared, isPrivate, sharedValidated, anonymous] = [1, 2, 3, 0x20]
		expect(decide('mmap', 0, 4096, 3, isPrivate | anonymous)).toBe('allow')
		expect(decide('mmap', 0, 4096, 3, shared)).toBe('allow')
		expect(decide('mmap', 0, 4096, 3, shared | anonymous)).toBe(EPERM)
		expect(decide('mmap', 0, 4096, 3, sharedValidated | anonymous)).toBe(EPERM)
	})

	test('denies every call in the table that has no rule', () => {
		const ruled =
			/^(execve|kill|tgkill|prlimit64|clone|sendto|fcntl|ioctl|prctl|fchmod|mmap|sched_set(affinity|scheduler))$/
		for (const name of syscallNames)
			if (!ruled.test(name)) expect([EPERM, ENOSYS, 'absent']).toContain(decide(name, 1, 1, 1))
	})
})
