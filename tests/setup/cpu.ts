import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, inject } from 'vitest'

/** Appends the CPU time of each test file to the file that `ROUNDHOUSE_TEST_CPU` names. Linux only: it reads /proc. */
const report = process.env.ROUNDHOUSE_TEST_CPU

/** Ticks of 10 ms on every Linux that Node supports. */
const msPerTick = 10

interface ProcessTimes {
	readonly parent: number
	/** CPU ticks of the process, and of those of its children that have ended. */
	readonly ticks: number
}

if (report !== undefined && process.platform === 'linux') {
	let before = 0
	beforeAll(() => {
		before = treeCpuMs()
	})
	afterAll(() => {
		const line = { file: expect.getState().testPath, project: inject('project'), cpuMs: treeCpuMs() - before }
		appendFileSync(report, `${JSON.stringify(line)}\n`)
	})
}

/** Returns the CPU time of this process, its descendants, and those of them that have ended, in milliseconds. */
function treeCpuMs(): number {
	const processes = new Map<number, ProcessTimes>()
	for (const name of readdirSync('/proc')) {
		const times = /^\d+$/.test(name) ? timesOf(name) : undefined
		if (times) processes.set(Number(name), times)
	}
	const isOurs = (pid: number): boolean =>
		pid === process.pid || (processes.has(pid) && isOurs(processes.get(pid)?.parent ?? 0))
	let ticks = 0
	for (const [pid, times] of processes) if (isOurs(pid)) ticks += times.ticks
	return ticks * msPerTick
}

/** Reads proc_pid_stat(5); `undefined` if the process has ended. */
function timesOf(pid: string): ProcessTimes | undefined {
	try {
		const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
		const [, parent] = fields
		const [user, system, childrenUser, childrenSystem] = fields.slice(11, 15).map(Number)
		return { parent: Number(parent), ticks: (user ?? 0) + (system ?? 0) + (childrenUser ?? 0) + (childrenSystem ?? 0) }
	} catch {
		return undefined
	}
}
