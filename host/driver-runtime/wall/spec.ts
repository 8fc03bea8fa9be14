/** Parameters of the launcher, passed as JSON on its command line. They contain paths and numbers, never a secret. */
export interface WallSpec {
	/** The host's process id. The launcher stops if its parent is another process, because the host has died. */
	readonly hostPid: number
	/** Files and folders to read, as real paths. */
	readonly read: readonly string[]
	/** Files and folders to read and write, as real paths. */
	readonly readWrite: readonly string[]
	/** Memory for the driver beyond what Node itself takes, in mebibytes. */
	readonly memoryMb: number
	/** The parts of the wall that passed the canary on this machine. The launcher fails if one cannot be set up. */
	readonly parts: WallParts
	/** Arguments of the driver's Node. */
	readonly args: readonly string[]
}

/** Kernel mechanisms in use. Resource limits, dropped capabilities and the death signal are always in use. */
export interface WallParts {
	/** Landlock: files. Needs Linux 5.19. */
	readonly files: boolean
	/** seccomp: network, processes, signals, foreign system calls. */
	readonly calls: boolean
}

/** Exit code of a launcher that could not set up the wall. Its stderr names the step that failed. */
export const wallFailedExitCode = 77
