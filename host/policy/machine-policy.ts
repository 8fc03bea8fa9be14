import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { satisfies, validRange } from 'semver'
import { z } from 'zod'
import type { HostError } from '../base/errors.ts'
import { reasonOf } from '../base/reason-of.ts'
import { policyErrors } from './errors.ts'

/**
 * What the administrator of a machine allows on it, whatever a person sets. Strict: a member that this host does not
 * know may be a restriction of tomorrow, so it is a fault and not passed over.
 */
const schema = z.strictObject({
	version: z.literal(1),
	/** Fingerprints of the registries that are read; any where it is left out. */
	registries: z.array(z.string().regex(/^[0-9a-f]{64}$/, 'a fingerprint has 64 hexadecimal digits')).optional(),
	/** Publishers whose drivers are installed and loaded; any where it is left out. */
	publishers: z.array(z.string()).optional(),
	/** Drivers that are installed and loaded, by id, each in a range of versions; any where it is left out. */
	drivers: z
		.record(
			z.string(),
			z.string().refine(range => validRange(range) !== null, 'is no range'),
		)
		.optional(),
	/** Whether AI clients are served. */
	aiAccess: z.boolean().default(true),
})
type Rules = z.infer<typeof schema>

/** A driver's release, as far as a policy looks at it. */
export interface RuledRelease {
	/** Fingerprint of its registry. */
	readonly registry: string
	readonly publisher: string
	readonly id: string
	readonly version: string
}

/** `none`: there is no file. `faulty`: there is one, and what it says is not known, so nothing is allowed. */
type State =
	| { readonly kind: 'none' }
	| { readonly kind: 'rules'; readonly rules: Rules }
	| { readonly kind: 'faulty'; readonly reason: string }

/** The policy of this machine, read once when a host or a command starts. */
export class MachinePolicy {
	readonly file: string
	readonly #state: State

	private constructor(file: string, state: State) {
		this.file = file
		this.#state = state
	}

	/** For whoever has none to hold to. */
	static readonly none = new MachinePolicy('', { kind: 'none' })

	/** Never throws: a file that cannot be read allows nothing. `file` is for tests; nothing a person sets leads here. */
	static async read(file = policyFile()): Promise<MachinePolicy> {
		try {
			// Editors of Windows begin a file with a mark.
			const text = (await readFile(file, 'utf8')).replace(/^\uFEFF/, '')
			return new MachinePolicy(file, { kind: 'rules', rules: schema.parse(JSON.parse(text)) })
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new MachinePolicy(file, { kind: 'none' })
			return new MachinePolicy(file, { kind: 'faulty', reason: reasonOf(error) })
		}
	}

	/** Whether there is a file. */
	get isThere(): boolean {
		return this.#state.kind !== 'none'
	}

	/** What is wrong with the file, if anything is. */
	get fault(): HostError | undefined {
		const { file } = this
		return this.#state.kind === 'faulty'
			? policyErrors.make('unreadable', { file, reason: this.#state.reason })
			: undefined
	}

	/** Why nothing is read from a registry, if so. */
	registryRefusal(registry: string): HostError | undefined {
		const { registries } = this.#rules
		if (this.fault || !registries || registries.includes(registry)) return this.fault
		return policyErrors.make('registry', { file: this.file, registry })
	}

	/** Why no release of a driver is installed or loaded, if so. */
	driverRefusal({ registry, publisher, id }: Omit<RuledRelease, 'version'>): HostError | undefined {
		const { publishers, drivers } = this.#rules
		const refusal = this.registryRefusal(registry)
		if (refusal) return refusal
		const { file } = this
		if (publishers && !publishers.includes(publisher)) return policyErrors.make('publisher', { file, publisher })
		if (drivers && !Object.hasOwn(drivers, id)) return policyErrors.make('driver', { file, driver: id })
		return undefined
	}

	/** Why a release is not installed or loaded, if so. */
	releaseRefusal(release: RuledRelease): HostError | undefined {
		const { id: driver, version } = release
		const range = this.#rules.drivers?.[driver]
		const refusal = this.driverRefusal(release)
		if (refusal || range === undefined || satisfies(version, range, { includePrerelease: true })) return refusal
		return policyErrors.make('version', { file: this.file, driver, range, version })
	}

	/** Why AI clients are kept out, if so. */
	aiRefusal(): HostError | undefined {
		return this.fault ?? (this.#rules.aiAccess ? undefined : policyErrors.make('ai_access', { file: this.file }))
	}

	get #rules(): Rules {
		return this.#state.kind === 'rules' ? this.#state.rules : { version: 1, aiAccess: true }
	}
}

/**
 * Where only an administrator writes. No environment variable has a say, `ProgramData` neither: whoever starts the host
 * sets those.
 */
export function policyFile(platform = process.platform): string {
	if (platform === 'win32') return 'C:\\ProgramData\\roundhouse\\policy.json'
	return join(platform === 'darwin' ? '/Library/Application Support' : '/etc', 'roundhouse', 'policy.json')
}
