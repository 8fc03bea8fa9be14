import { createRequire } from 'node:module'

const killOnClose = 0x2000
const activeProcesses = 0x8
const processMemory = 0x100
/** `sizeof(JOBOBJECT_EXTENDED_LIMIT_INFORMATION)` in a 64-bit process. */
const limitBytes = 144
const extendedLimitInformation = 9
/** `PROCESS_SET_QUOTA | PROCESS_TERMINATE` */
const assignable = 0x0101
/** Memory of Node itself before a driver does anything, in mebibytes. */
const nodeOwnMb = 256

/**
 * Returns the limits of a driver's job object: one process, a memory limit, and its end when the host's handle closes.
 */
export function jobLimits(memoryMb: number): Buffer {
	const limits = Buffer.alloc(limitBytes)
	limits.writeUInt32LE(killOnClose | activeProcesses | processMemory, 16)
	limits.writeUInt32LE(1, 40)
	limits.writeBigUInt64LE(BigInt((memoryMb + nodeOwnMb) * 1024 * 1024), 112)
	return limits
}

/**
 * Puts a running process into a separate job object. The job ends the process when the host ends, and limits its
 * memory. Node's permission model still has to protect files and network. Not tested on Windows yet. @throws Error if
 * Windows refuses
 */
export function holdInJob(pid: number, memoryMb: number): Disposable {
	// Loaded on Windows only, because Node prints a warning when it is loaded.
	const { dlopen, getRawPointer } = createRequire(import.meta.url)('node:ffi') as typeof import('node:ffi')
	const { functions } = dlopen('kernel32.dll', {
		CreateJobObjectW: { arguments: ['pointer', 'pointer'], return: 'pointer' },
		SetInformationJobObject: { arguments: ['pointer', 'int32', 'pointer', 'uint32'], return: 'int32' },
		OpenProcess: { arguments: ['uint32', 'int32', 'uint32'], return: 'pointer' },
		AssignProcessToJobObject: { arguments: ['pointer', 'pointer'], return: 'int32' },
		CloseHandle: { arguments: ['pointer'], return: 'int32' },
	})
	const job = functions.CreateJobObjectW(0n, 0n)
	const limits = jobLimits(memoryMb)
	const isSet = functions.SetInformationJobObject(job, extendedLimitInformation, getRawPointer(limits), limits.length)
	const handle = functions.OpenProcess(assignable, 0, pid)
	const isHeld = isSet && functions.AssignProcessToJobObject(job, handle)
	functions.CloseHandle(handle)
	if (!isHeld) {
		functions.CloseHandle(job)
		throw new Error('Windows did not put the driver into a job object.')
	}
	return { [Symbol.dispose]: () => void functions.CloseHandle(job) }
}
