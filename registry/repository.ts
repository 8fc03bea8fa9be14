import type { Metadata, Root, Targets } from '@tufjs/models'
import { fingerprintOf } from './digests.ts'
import { type RootDraft, rootDraft, rootFrom, type TargetsDraft, targetsDraft, targetsFrom } from './drafts.ts'
import { registryErrors } from './errors.ts'
import { type Publication, writeGeneration } from './generation.ts'
import type { KeyRing } from './key-folder.ts'
import { expiryOf, isDue, type Lifetimes, lifetimesInDays } from './lifetimes.ts'
import { MetadataFolder, parse } from './metadata-folder.ts'
import { canSign, type Delegators, requireKeys, sign, vouches } from './signatures.ts'

/** Who keeps a registry: with which keys, and how long a signature is good for. */
export interface Keeper {
	readonly keys: KeyRing
	readonly lifetimes?: Lifetimes
	readonly now?: () => Date
}

interface Trusted {
	readonly root: Metadata<Root>
	readonly targets: Metadata<Targets>
}

/**
 * A registry's folder in the hands of whoever may sign for some of its roles. Changes are collected; `publish` signs and
 * writes them. One writer at a time: the caller sees to that.
 *
 * A role's newest version that its delegator vouches for counts, also where no snapshot lists it yet: so a publisher
 * signs with keys of its own, and the keeper of the snapshot takes that in with the next `publish`.
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

	private constructor(
		folder: string,
		metadata: MetadataFolder,
		keeper: Keeper,
		trusted: Trusted,
		delegated: Map<string, Metadata<Targets>>,
	) {
		this.folder = folder
		this.#metadata = metadata
		this.#keeper = whole(keeper)
		this.#before = this.#now = trusted
		this.#delegated = delegated
	}

	/** @throws HostError `registry/not_a_registry` where the folder holds no root, or none of its targets */
	static async open(folder: string, keeper: Keeper): Promise<Repository> {
		const metadata = await MetadataFolder.open(folder)
		const root = await metadata.newest('root', parse.root, found => vouches(found, 'root', found))
		if (!root) throw registryErrors.make('not_a_registry', { place: folder, reason: 'it has no root' })
		const targets = await metadata.newest('targets', parse.targets, found => vouches(root, 'targets', found))
		if (!targets)
			throw registryErrors.make('not_a_registry', { place: folder, reason: 'it has no targets of its root' })
		const delegated = new Map<string, Metadata<Targets>>()
		for (const role of Object.keys(targets.signed.delegations?.roles ?? {})) {
			const found = await metadata.newest(role, parse.targets, found => vouches(targets, role, found))
			if (found) delegated.set(role, found)
		}
		return new Repository(folder, metadata, keeper, { root, targets }, delegated)
	}

	/** A registry that has nothing yet but its first root and targets; `publish` writes it. */
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
		const made = new Repository(folder, metadata, keeper, { root, targets }, new Map())
		for (const role of ['root', 'targets']) made.#changed.add(role)
		return made
	}

	/** Who signs for the top roles. */
	get root(): Root {
		return this.#now.root.signed
	}

	/** What `targets`, or a role it delegates to, says; `undefined` where it has not signed anything yet. */
	role(name: string): Targets | undefined {
		return (name === 'targets' ? this.#now.targets : this.#delegated.get(name))?.signed
	}

	/** Every role that `targets` delegates to. */
	get delegations(): readonly string[] {
		return Object.keys(this.#now.targets.signed.delegations?.roles ?? {})
	}

	async fingerprint(): Promise<string> {
		return fingerprintOf(await this.#metadata.bytes('1.root.json'))
	}

	/** @throws HostError `registry/keys_missing` where a role could not be signed now */
	requireKeys(role: string): void {
		requireKeys(role, this.#delegators(role), this.#keeper.keys)
	}

	changeRoot(change: (draft: RootDraft) => void): void {
		const draft = rootDraft(this.#now.root)
		change(draft)
		this.#now = { ...this.#now, root: rootFrom(draft, this.#next('root')) }
		this.#changed.add('root')
	}

	/** Changes `targets`, or a role it delegates to. */
	changeTargets(role: string, change: (draft: TargetsDraft) => void): void {
		const isTop = role === 'targets'
		if (!isTop && !this.delegations.includes(role)) throw registryErrors.make('role_unknown', { role })
		const before = isTop ? this.#now.targets : this.#delegated.get(role)
		const draft = before ? targetsDraft(before) : { targets: {} }
		change(draft)
		const after = targetsFrom(draft, this.#next(role))
		if (isTop) this.#now = { ...this.#now, targets: after }
		else this.#delegated.set(role, after)
		this.#changed.add(role)
	}

	/** Signs a role anew at `publish`, whatever its age: with another key, for example. */
	renew(role: string): void {
		if (role === 'root') this.changeRoot(() => {})
		else this.changeTargets(role, () => {})
	}

	/**
	 * Signs what was changed, what lost its signature by that, and what nears its end where its keys are at hand; then
	 * writes one generation of it. The repository is to be opened anew for further changes.
	 * @throws HostError `registry/keys_missing` where what was changed cannot be signed; then nothing is written
	 */
	async publish(): Promise<Publication> {
		for (const role of this.#delegated.keys()) if (!this.delegations.includes(role)) this.#delegated.delete(role)
		const due = ['root', 'targets', ...this.#delegated.keys()].filter(role => this.#renewIfNeeded(role) === 'due')
		for (const role of this.#changed) sign(role, this.#document(role), this.#keeper.keys, this.#delegators(role))
		return writeGeneration(this.#metadata, this.#keeper, {
			roots: { before: this.#before.root, now: this.#now.root },
			targets: new Map([['targets', this.#now.targets], ...this.#delegated]),
			changed: this.#changed,
			due,
		})
	}

	/** A new version of a role that nobody vouches for any more, or that nears its end; `due` where others must sign that. */
	#renewIfNeeded(role: string): 'due' | undefined {
		if (this.#changed.has(role)) return
		const { keys, lifetimes, now } = this.#keeper
		const document = this.#document(role)
		const delegators = this.#delegators(role)
		const isLost = !vouches(delegators.now, role, document)
		if (!isLost && !isDue(role, document.signed.expires, lifetimes, now())) return
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

	/** Above all that lies in the folder, also what a stopped `publish` left: a version never has two contents. */
	#next(role: string) {
		const { lifetimes, now } = this.#keeper
		return { version: this.#metadata.highest(role) + 1, expires: expiryOf(role, lifetimes, now()) }
	}
}

const whole = ({ keys, lifetimes = lifetimesInDays, now = () => new Date() }: Keeper): Required<Keeper> => ({
	keys,
	lifetimes,
	now,
})
