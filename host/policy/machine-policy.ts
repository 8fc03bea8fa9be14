import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { satisfies, validRange } from 'semver'
import { z } from 'zod'
import type { HostError } from '../../base/errors.ts'
import { reasonOf } from '../../base/reason-of.ts'
import { policyErrors } from './errors.ts'

/**
 * The administrator's policy, which overrides the user's settings. Strict: an unknown member may be a restriction of a
 * newer version, so it is an error and is not ignored.
 */
const schema = z.strictObject({
	version: z.literal(1),
	/** Fingerprints of the allowed registries. Default: all. */
	registries: z.array(z.string().regex(/^[0-9a-f]{64}$/, 'a fingerprint has 64 hexadecimal digits')).optional(),
	/** Allowed publishers. Default: all. */
	publishers: z.array(z.string()).optional(),
	/** Allowed drivers by id, each with a range of versions. Default: all. */
	drivers: z
		.record(
			z.string(),
			z.string().refine(range => validRange(range) !== null, 'is not a semver range'),
		)
		.optional(),
	/** Whether AI clients are served. */
	aiAccess: z.boolean().default(true),
	/** Whether rows that AI clients replace may be kept for an undo. */
	keepReplaced: z.boolean().default(true),
	/** Columns that are hidden from AI clients on every connection that has the table. */
	hiddenColumns: z
		.array(z.strictObject({ table: z.string().min(1), columns: z.array(z.string().min(1)).min(1) }))
		.default([]),
})
type Rules = z.infer<typeof schema>

/** The properties of a release that a policy can restrict. */
export interface PolicyRelease {
	/** Fingerprint of its registry. */
	readonly registry: string
	readonly publisher: string
	readonly id: string
	readonly version: string
}

/** `none`: the file does not exist. `faulty`: it cannot be read or parsed, so nothing is allowed. */
type State =
	| { readonly kind: 'none' }
	| { readonly kind: 'rules'; readonly rules: Rules }
	| { readonly kind: 'faulty'; readonly reason: string }

/** The policy of this machine. It is read once when a host or a command starts. */
export class MachinePolicy {
	readonly file: string
	readonly #state: State

	private constructor(file: string, state: State) {
		this.file = file
		this.#state = state
	}

	/** A policy without restrictions, for callers without a policy file. */
	static readonly none = new MachinePolicy('', { kind: 'none' })

	/**
	 * Reads the policy. Never throws: a file that cannot be read allows nothing. Only tests pass `file`; no user setting
	 * does.
	 */
	static async read(file = policyFile()): Promise<MachinePolicy> {
		try {
			// Editors on Windows write a byte order mark.
			const text = (await readFile(file, 'utf8')).replace(/^\uFEFF/, '')
			return new MachinePolicy(file, { kind: 'rules', rules: schema.parse(JSON.parse(text)) })
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new MachinePolicy(file, { kind: 'none' })
			return new MachinePolicy(file, { kind: 'faulty', reason: reasonOf(error) })
		}
	}

	/** Whether the file exists. */
	get exists(): boolean {
		return this.#state.kind !== 'none'
	}

	/** The error of an invalid file. */
	get fault(): HostError | undefined {
		const { file } = this
		return this.#state.kind === 'faulty'
			? policyErrors.make('unreadable', { file, reason: this.#state.reason })
			: undefined
	}

	/** Returns why a registry is refused, or `undefined`. */
	registryRefusal(registry: string): HostError | undefined {
		const { registries } = this.#rules
		if (this.fault || !registries || registries.includes(registry)) return this.fault
		return policyErrors.make('registry', { file: this.file, registry })
	}

	/** Returns why all releases of a driver are refused, or `undefined`. */
	driverRefusal({ registry, publisher, id }: Omit<PolicyRelease, 'version'>): HostError | undefined {
		const { publishers, drivers } = this.#rules
		const refusal = this.registryRefusal(registry)
		if (refusal) return refusal
		const { file } = this
		if (publishers && !publishers.includes(publisher)) return policyErrors.make('publisher', { file, publisher })
		if (drivers && !Object.hasOwn(drivers, id)) return policyErrors.make('driver', { file, driver: id })
		return undefined
	}

	/** Returns why a release is refused, or `undefined`. */
	releaseRefusal(release: PolicyRelease): HostError | undefined {
		const { id: driver, version } = release
		const range = this.#rules.drivers?.[driver]
		const refusal = this.driverRefusal(release)
		if (refusal || range === undefined || satisfies(version, range, { includePrerelease: true })) return refusal
		return policyErrors.make('version', { file: this.file, driver, range, version })
	}

	/** Returns why AI clients are refused, or `undefined`. */
	aiRefusal(): HostError | undefined {
		return this.fault ?? (this.#rules.aiAccess ? undefined : policyErrors.make('ai_access', { file: this.file }))
	}

	/** Whether rows that AI clients replace may be kept for an undo. */
	get keepsReplaced(): boolean {
		return !this.fault && this.#rules.keepReplaced
	}

	/** Columns that no AI client may see the values of. */
	get hiddenColumns(): readonly {
		readonly table: string
		readonly columns: readonly string[]
		readonly isOptional: true
	}[] {
		return this.#rules.hiddenColumns.map(mark => ({ ...mark, isOptional: true }))
	}

	get #rules(): Rules {
		return this.#state.kind === 'rules' ? this.#state.rules : schema.parse({ version: 1 })
	}
}

/**
 * Returns a path that only an administrator can write. It does not depend on environment variables, not even
 * `ProgramData`, because the user who starts the host can set them.
 */
export function policyFile(platform = process.platform): string {
	if (platform === 'win32') return 'C:\\ProgramData\\roundhouse\\policy.json'
	return join(platform === 'darwin' ? '/Library/Application Support' : '/etc', 'roundhouse', 'policy.json')
}
