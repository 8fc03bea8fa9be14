/** A Node process to be confined. Paths are real paths. */
export interface Confinement {
	/** Arguments of Node, including those of the program. */
	readonly args: readonly string[]
	/** Files and folders. */
	readonly read: readonly string[]
	/** Files and folders. */
	readonly readWrite: readonly string[]
	/** Memory beyond what Node itself takes, in mebibytes. */
	readonly memoryMb: number
}

/** What the operating system adds to Node's permission model around a driver process. */
export interface Wall {
	readonly name: 'landlock and seccomp' | 'seccomp' | 'sandbox-exec' | 'job object' | 'none'
	/** Whether it blocks other files without Node's permission model. */
	readonly protectsFiles: boolean
	/** Whether it blocks the network without Node's permission model. */
	readonly protectsNetwork: boolean
	/** Whether the system ends a process when its host ends. */
	readonly endsWithHost: boolean
	/**
	 * Returns the command that starts Node confined. The started process keeps its standard streams, pipe and channel.
	 */
	command(confinement: Confinement): { readonly file: string; readonly args: readonly string[] }
	/** Confines a process right after its start, on systems that cannot do so before. @throws Error */
	hold?(pid: number, confinement: Confinement): Disposable
}

/** Node's permission model alone. */
export const noWall: Wall = {
	name: 'none',
	protectsFiles: false,
	protectsNetwork: false,
	endsWithHost: false,
	command: ({ args }) => ({ file: process.execPath, args }),
}
