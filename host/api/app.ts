import type { DevelopmentView } from './development.ts'

export interface AppInfo {
	readonly name: string
	readonly version: string
	/** Number of the API between hosts, commands and windows. */
	readonly api: number
	readonly home: string
	/** The secret store's name for users. */
	readonly secretStore: string
	readonly mcp: {
		readonly url: string
		readonly port: number
		/** Why the machine's policy excludes AI clients. */
		readonly refusal?: string
	}
	/** Set in the host of a driver under development. */
	readonly development?: DevelopmentView
}

/** Where a browser comes in; works once. */
export interface Entry {
	readonly url: string
	/** For browsers that do not resolve the first address to this machine, for example Safari. */
	readonly fallbackUrl: string
}

/** How a window and the next host recognise each other, and the ports to try if this one is taken. */
export interface WayBack {
	readonly key: string
	readonly ports: readonly number[]
}
