import type { Manifest, Settings } from '@roundhouse/kit/manifest'
import type { DriverLock } from '../../plugin-loader/lock-file.ts'
import type { RegistrySource, RegistryState } from '../../plugin-loader/registry-state.ts'
import type { Browsing, DriverSource, SourceChoice } from '../../plugin-loader/release-catalog.ts'
import type { Synced } from '../../plugin-loader/sync.ts'

/** The product itself: its update, its drivers and their registries. */
export interface ProductMethods {
	'app.info'(): AppInfo
	/** Returns an address that admits one browser, once. */
	'app.entry'(): Entry
	/** How an open window finds the next host, and the ports to try. */
	'app.return'(): WayBack
	/** Returns the newer release of Roundhouse that the official registry names, or `null`. */
	'app.update'(): HostUpdate | null
	/** Stops the host as soon as no request runs. */
	'app.stop'(): { readonly stops: 'now' | 'after_running_work' }
	'drivers.browse'(): Browsing
	/** Returns samples, and servers on this machine, that a new user can begin with. */
	'drivers.firstSteps'(): readonly FirstStep[]
	/** The installed drivers; no registry is asked. */
	'drivers.installed'(): readonly Manifest[]
	/**
	 * Reports bytes as progress. `from`: the registry and publisher, or one of them, if several have a driver of this
	 * id and none is installed. `shown`: digest of the package that the user was shown. `acceptsMore`: the
	 * user allows what the release may do beyond the installed one.
	 */
	'drivers.install'(params: {
		readonly id: string
		readonly range?: string | undefined
		readonly from?: SourceChoice | undefined
		readonly shown?: string | undefined
		readonly acceptsMore?: boolean | undefined
	}): Installed
	/**
	 * Installs the drivers of a bundle from a trusted registry, or one of them. `fingerprint`: of a registry to trust
	 * from now on, as the user received it.
	 */
	'drivers.installFrom'(params: {
		readonly path: string
		readonly id?: string | undefined
		readonly publisher?: string | undefined
		readonly range?: string | undefined
		readonly fingerprint?: string | undefined
		readonly acceptsExpired?: boolean | undefined
		readonly acceptsMore?: boolean | undefined
	}): readonly (Installed & { readonly id: string })[]
	'drivers.remove'(params: { readonly id: string; readonly forgetsRegistry?: boolean | undefined }): null
	'drivers.setEnabled'(params: { readonly id: string; readonly isEnabled: boolean }): null
	/** What is wrong with each installed driver's files, by id; `null` if nothing is. */
	'drivers.verify'(): Readonly<Record<string, string | null>>
	/** The lock file of what is installed. */
	'drivers.lock'(): DriverLock
	/** Installs what a lock file names and is missing or different here. */
	'drivers.sync'(params: { readonly lock: unknown; readonly acceptsOlder?: boolean | undefined }): readonly Synced[]
	/** How driver processes are confined on this machine. */
	'drivers.confinement'(): { readonly protectsFiles: boolean; readonly summary: string }
	/** Returns the values of the form that the driver reads from a pasted address; `null` if it knows none. */
	'drivers.readAddress'(params: { readonly id: string; readonly text: string }): Settings | null
	'drivers.sample'(params: { readonly id: string }): { readonly settings: Settings; readonly url: string }
	/** The current state of each trusted registry, and what is installed from it. */
	'registries.list'(): readonly RegistryView[]
	/** Returns a registry's first root for comparison with its publisher's; nothing is stored. */
	'registries.look'(params: { readonly url: string }): RegistrySource
	/** Trusts a registry with this first root. */
	'registries.add'(params: RegistrySource): null
	/** Drivers from it are no longer loaded. */
	'registries.remove'(params: { readonly fingerprint: string }): null
}

/** How a window and the next host recognise each other, and the ports to try if this one is taken. */
export interface WayBack {
	readonly key: string
	readonly ports: readonly number[]
}

/** Where a browser comes in; works once. */
export interface Entry {
	readonly url: string
	/** For browsers that do not resolve the first address to this machine, for example Safari. */
	readonly fallbackUrl: string
}

/** The outcome of an installation, and what the driver may use now, in words. */
export interface Installed {
	readonly version: string
	readonly mayUse: readonly string[]
	/** The previous release, and what it could not use. */
	readonly since?: { readonly version: string; readonly newlyMayUse: readonly string[] }
}

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

/** A sample of a driver, or a server that listens on this machine. */
export interface FirstStep {
	readonly driver: string
	readonly source: DriverSource
	/** Name and icon of the engine. */
	readonly engine: string
	readonly icon: string
	/** Address of the server. */
	readonly server?: string
	/** Set for a sample. */
	readonly isSample?: true
}

export interface HostUpdate {
	readonly version: string
	/** What the user does to get it. */
	readonly how: string
}

export interface DevelopmentView {
	/** The folder of the driver. */
	readonly folder: string
	/** Why the last build did not start, with its stack. The build before it stays in use. */
	readonly fault?: string
}

export interface RegistryView extends RegistryState {
	/** It cannot be removed. */
	readonly isDefault: boolean
	readonly installed: readonly {
		readonly id: string
		readonly displayName: string
		/** Names of the saved connections that use it. */
		readonly connections: readonly string[]
	}[]
}
