import type { Metadata, Root, Targets } from '@tufjs/models'
import { fingerprintOf } from '../format/digests.ts'
import { registryErrors } from '../format/errors.ts'
import { parse } from '../format/metadata-schema.ts'
import { type RootDraft, rootDraft, rootFrom, type TargetsDraft, targetsDraft, targetsFrom } from './drafts.ts'
import { type Publication, writeGeneration } from './generation.ts'
import type { KeyRing } from './key-folder.ts'
import { expiryOf, isDue, type Lifetimes, lifetimesInDays } from './lifetimes.ts'
import { MetadataFolder } from './metadata-folder.ts'
import { canSign, type Delegators, isSigned, requireKeys, sign } from './signatures.ts'

/** The keeper of a registry: its keys, and how long its signatures are valid. */
export interface Keeper {
	readonly keys: KeyRing
	readonly lifetimes?: Lifetimes
	readonly now?: () => Date
}

interface Trusted {
	readonly root: Metadata<Root>
	readonly targets: Metadata<Targets>
}

interface RepositoryParts {
	readonly folder: string
	readonly metadata: MetadataFolder
	readonly keeper: Keeper
	readonly trusted: Trusted
	readonly delegated: Map<string, Metadata<Targets>>
}

/**
 * A registry's folder, opened with the keys for some of its roles. Changes are collected; `publish` signs and writes
 * them. The caller ensures that there is one writer at a time.
 *
 * The newest version of a role that its delegator has verified counts, also if no snapshot lists it yet. So a publisher
 * can sign with separate keys, and the holder of the snapshot's keys includes the result in the next `publish`.
 */
export class Repository {
	readonly folder: string
	readonly #metadata: MetadataFolder
	readonly #keeper: Required<Keeper>
	readonly #before: Trusted
	#now: Trusted
	readonly #delegated: Map<string, Metadata<Targets>>
	/** Roles with a new version that is not signed yet. */
	readonly #changed = new Set<string>()

	private constructor({ folder, metadata, keeper, trusted, delegated }: RepositoryParts) {
		this.folder = folder
		this.#metadata = metadata
		this.#keeper = whole(keeper)
		this.#before = this.#now = trusted
		this.#delegated = delegated
	}

	/**
	 * Opens a registry. @throws HostError `registry/not_a_registry` if the folder has no root, or no targets signed by it
	 */
	static async open(folder: string, keeper: Keeper): Promise<Repository> {
		const metadata = await MetadataFolder.open(folder)
		const root = await metadata.newest('root', parse.root, found => isSigned(found, 'root', found))
		if (!root) throw registryErrors.make('not_a_registry', { place: folder, reason: 'it has no root' })
		const targets = await metadata.newest('targets', parse.targets, found => isSigned(root, 'targets', found))
		if (!targets)
			throw registryErrors.make('not_a_registry', { place: folder, reason: 'it has no targets of its root' })
		const delegated = new Map<string, Metadata<Targets>>()
		for (const role of Object.keys(targets.signed.delegations?.roles ?? {})) {
			const found = await metadata.newest(role, parse.targets, found => isSigned(targets, role, found))
			if (found) delegated.set(role, found)
		}
		return new Repository({ folder, metadata, keeper, trusted: { root, targets }, delegated })
	}

	/** Creates a registry with only its first root and targets. `publish` writes it. */
	static async create(
		folder: string,
		keeper: Keeper,
		first: { readonly root: RootDraft; readonly targets: TargetsDraft },
	): Promise<Repository> {
		const metadata = await MetadataFolder.open(folder)
		if (metadata.highest('root') > 0) throw registryErrors.make('exists', { folder })
		const { lifetimes, now } = whole(keeper)
		const stamp = (role: string) => ({ version: 1, expires: expiryOf(role, lifetimes, now()) })
		const root = rootFrom(first.root, stamp('root'))
		const targets = targetsFrom(first.targets, stamp('targets'))
		const made = new Repository({ folder, metadata, keeper, trusted: { root, targets }, delegated: new Map() })
		for (const role of ['root', 'targets']) made.#changed.add(role)
		return made
	}

	/** The signed root, which says who signs for the top-level roles. */
	get root(): Root {
		return this.#now.root.signed
	}

	/** Returns the content of `targets` or of a role it delegates to, or `undefined` if the role has not signed yet. */
	role(name: string): Targets | undefined {
		return (name === 'targets' ? this.#now.targets : this.#delegated.get(name))?.signed
	}

	/** All roles that `targets` delegates to. */
	get delegations(): readonly string[] {
		return Object.keys(this.#now.targets.signed.delegations?.roles ?? {})
	}

	async fingerprint(): Promise<string> {
		return fingerprintOf(await this.#metadata.bytes('1.root.json'))
	}

	/** @throws HostError `registry/keys_missing` if the available keys cannot sign the role */
	requireKeys(role: string): void {
		requireKeys(role, this.#delegators(role), this.#keeper.keys)
	}

	changeRoot(change: (draft: RootDraft) => void): void {
		const draft = rootDraft(this.#now.root)
		change(draft)
		this.#now = { ...this.#now, root: rootFrom(draft, this.#next('root', this.#before.root.signed.version)) }
		this.#changed.add('root')
	}

	/** Changes `targets`, or a role it delegates to. */
	changeTargets(role: string, change: (draft: TargetsDraft) => void): void {
		const isTop = role === 'targets'
		if (!isTop && !this.delegations.includes(role)) throw registryErrors.make('role_unknown', { role })
		const before = isTop ? this.#now.targets : this.#delegated.get(role)
		const draft = before ? targetsDraft(before) : { targets: {} }
		change(draft)
		const after = targetsFrom(draft, this.#next(role, before?.signed.version))
		if (isTop) this.#now = { ...this.#now, targets: after }
		else this.#delegated.set(role, after)
		this.#changed.add(role)
	}

	/** Signs a role again at `publish`, whatever its age, for example with another key. */
	renew(role: string): void {
		if (role === 'root') this.changeRoot(() => {})
		else this.changeTargets(role, () => {})
	}

	/**
	 * Signs what was changed, what lost its signature through the change, and what expires soon if its keys are
	 * available. Then writes one generation. Open the repository again for further changes.
	 * @throws HostError `registry/keys_missing` if a changed role cannot be signed; then nothing is written
	 */
	async publish(): Promise<Publication> {
		for (const role of this.#delegated.keys()) if (!this.delegations.includes(role)) this.#delegated.delete(role)
		const due = ['root', 'targets', ...this.#delegated.keys()].filter(role => this.#renewIfNeeded(role) === 'due')
		for (const role of this.#changed)
			sign(role, this.#document(role), { keys: this.#keeper.keys, delegators: this.#delegators(role) })
		return writeGeneration(this.#metadata, this.#keeper, {
			roots: { before: this.#before.root, now: this.#now.root },
			targets: new Map([['targets', this.#now.targets], ...this.#delegated]),
			changed: this.#changed,
			due,
		})
	}

	/**
	 * Adds a new version of a role that is no longer signed by valid keys, or that expires soon. Returns `due` if the
	 * keys are not available.
	 */
	#renewIfNeeded(role: string): 'due' | undefined {
		if (this.#changed.has(role)) return
		const { keys, lifetimes, now } = this.#keeper
		const document = this.#document(role)
		const delegators = this.#delegators(role)
		const isLost = !isSigned(delegators.now, role, document)
		if (!isLost && !isDue({ role, expires: document.signed.expires }, lifetimes, now())) return
		if (!isLost && !canSign(delegators.now, role, keys)) return 'due'
		this.renew(role)
	}

	#document(role: string): Metadata<Root> | Metadata<Targets> {
		if (role === 'root') return this.#now.root
		const found = role === 'targets' ? this.#now.targets : this.#delegated.get(role)
		if (!found) throw registryErrors.make('role_unknown', { role })
		return found
	}

	#delegators(role: string): Delegators {
		return role === 'root' || role === 'targets'
			? { before: this.#before.root, now: this.#now.root }
			: { before: this.#before.targets, now: this.#now.targets }
	}

	#next(role: string, newest: number | undefined) {
		const { lifetimes, now } = this.#keeper
		return { version: this.#metadata.next(role, newest), expires: expiryOf(role, lifetimes, now()) }
	}
}

const whole = ({ keys, lifetimes = lifetimesInDays, now = () => new Date() }: Keeper): Required<Keeper> => ({
	keys,
	lifetimes,
	now,
})
