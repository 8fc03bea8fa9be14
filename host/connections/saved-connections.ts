import { randomUUID } from 'node:crypto'
import { isShown, shownValue } from '@roundhouse/kit/form'
import {
	type FormField,
	type Manifest,
	type Settings,
	settingValueSchema,
	toolGroupSchema,
} from '@roundhouse/kit/manifest'
import type { ToolGroup } from '@roundhouse/kit/tool-groups'
import { z } from 'zod'
import { JsonStore } from '../base/json-store.ts'
import { isSameAddress } from '../network/address.ts'
import { type ProxySetting, proxySettingSchema } from '../network/proxy.ts'
import { connectionErrors } from './errors.ts'
import type { SecretStore } from './secrets.ts'

/** Access of AI clients to a connection (docs/mcp.md, "Who may do what"). */
export const externalAccessSchema = z.enum(['blocked', 'read-only', 'read-write'])
export const aiPolicySchema = z.enum(['allow', 'ask', 'never'])
const externalAccessByStrictness = externalAccessSchema.options
const aiPolicyByStrictness = aiPolicySchema.options.toReversed()

/** What persons may do with a connection, in the grid and in the console: what allows the least comes first. */
export const safeModeSchema = z.enum(['read-only', 'ask', 'free'])
const safeModeByStrictness = safeModeSchema.options

/** Told apart at a glance; red is none of them, that means danger. */
export const colourSchema = z.enum(['teal', 'blue', 'green', 'pink', 'yellow', 'sky', 'mint', 'violet'])
export const groupSchema = z.string().trim().max(100)

/** What a person said of an address that the connection's form does not name. */
export const reachSchema = z.object({ host: z.string(), port: z.int(), isAllowed: z.boolean() })
type RememberedReach = z.infer<typeof reachSchema>

const savedConnectionSchema = z.object({
	id: z.string(),
	name: z.string().min(1),
	driverId: z.string(),
	/** The form's values, without the secret ones. */
	settings: z.record(z.string(), settingValueSchema),
	/** Which secret fields have a value in the secret store. */
	secretKeys: z.array(z.string()),
	/** The driver's own sample: it is started when the connection is opened. */
	isSample: z.boolean(),
	externalAccess: externalAccessSchema,
	aiPolicy: aiPolicySchema,
	/** Tools that AI clients do not get for this connection, by their groups. */
	hiddenToolGroups: z.array(toolGroupSchema).default([]),
	safeMode: safeModeSchema.default('free'),
	/** What is marked so asks before writes, unless the person has said otherwise. */
	isProduction: z.boolean().default(false),
	/** Without it the colour follows from the id. */
	colour: colourSchema.exactOptional(),
	/** The name under which it stands in the list; none where it is empty. */
	group: groupSchema.default(''),
	reach: z.array(reachSchema).default([]),
	/** Instead of the one of all connections. */
	proxy: proxySettingSchema.exactOptional(),
	createdAt: z.iso.datetime(),
})
export type SavedConnection = Readonly<z.infer<typeof savedConnectionSchema>>

const fileSchema = z.object({ version: z.literal(1), connections: z.array(savedConnectionSchema) })
type ConnectionsFile = z.infer<typeof fileSchema>

export interface ConnectionDraft {
	readonly name: string
	readonly driverId: string
	/** All of the form's values; secret fields are told apart by the manifest. An absent secret keeps the stored one. */
	readonly settings: Settings
	readonly isSample?: boolean | undefined
	readonly externalAccess?: SavedConnection['externalAccess'] | undefined
	readonly aiPolicy?: SavedConnection['aiPolicy'] | undefined
	readonly hiddenToolGroups?: SavedConnection['hiddenToolGroups'] | undefined
	readonly safeMode?: SavedConnection['safeMode'] | undefined
	readonly isProduction?: boolean | undefined
	/** `null` takes it away. */
	readonly colour?: SavedConnection['colour'] | null | undefined
	readonly group?: string | undefined
	/** Left out of a change: what was said stays. */
	readonly reach?: SavedConnection['reach'] | undefined
	/** `null` takes it away. */
	readonly proxy?: ProxySetting | null | undefined
}

/** What to change of a connection; what is absent stays. */
export type ConnectionChanges = { readonly [K in keyof ConnectionDraft]?: ConnectionDraft[K] | undefined }

/** The saved connections: settings in `connections.json`, secrets in the secret store under `<connection>/<field>`. */
export class SavedConnections {
	readonly #store: JsonStore<ConnectionsFile>
	readonly #secrets: SecretStore

	private constructor(store: JsonStore<ConnectionsFile>, secrets: SecretStore) {
		this.#store = store
		this.#secrets = secrets
	}

	static async open(path: string, secrets: SecretStore): Promise<SavedConnections> {
		const saved = new SavedConnections(await JsonStore.open(path, fileSchema, { version: 1, connections: [] }), secrets)
		await saved.#forgetStrays()
		return saved
	}

	list(): readonly SavedConnection[] {
		return this.#store.value.connections
	}

	/** @throws HostError `connection/unknown` */
	get(id: string): SavedConnection {
		const found = this.find(id)
		if (!found) throw connectionErrors.make('unknown', { id })
		return found
	}

	find(id: string): SavedConnection | undefined {
		return this.list().find(connection => connection.id === id)
	}

	onChange(hear: () => void): Disposable {
		return this.#store.onChange(hear)
	}

	/** @throws HostError `connection/setting_invalid` naming the field */
	async add(draft: ConnectionDraft, manifest: Manifest): Promise<SavedConnection> {
		if (!draft.isSample) requireWhole(manifest.form, draft.settings)
		return this.#add(draft, manifest)
	}

	async #add(draft: ConnectionDraft, manifest: Manifest): Promise<SavedConnection> {
		const id = randomUUID()
		const { plain, secret } = split(manifest.form, draft.settings)
		await this.#storeSecrets(id, secret)
		const connection: SavedConnection = {
			id,
			name: draft.name,
			driverId: draft.driverId,
			settings: plain,
			secretKeys: Object.keys(secret).filter(key => secret[key] !== ''),
			isSample: draft.isSample ?? false,
			externalAccess: draft.externalAccess ?? 'read-only',
			aiPolicy: draft.aiPolicy ?? 'ask',
			hiddenToolGroups: draft.hiddenToolGroups ?? [],
			safeMode: draft.safeMode ?? (draft.isProduction ? 'ask' : 'free'),
			isProduction: draft.isProduction ?? false,
			...(draft.colour && { colour: draft.colour }),
			group: draft.group ?? '',
			reach: draft.reach ?? [],
			...(draft.proxy && { proxy: draft.proxy }),
			createdAt: new Date().toISOString(),
		}
		await this.#change(connections => [...connections, connection])
		return connection
	}

	/**
	 * Replaces what the draft names; a secret that is not in it stays, an empty one is removed.
	 * @throws HostError `connection/setting_invalid`; `file/not_kept` where a stricter policy holds and nothing else changed
	 */
	async update(id: string, draft: ConnectionChanges, manifest: Manifest): Promise<SavedConnection> {
		await this.#narrowPolicy(this.get(id), draft)
		const before = this.get(id)
		const { plain, secret } = split(manifest.form, draft.settings ?? before.settings)
		await this.#storeSecrets(id, secret)
		const secretKeys = new Set(before.secretKeys)
		for (const [key, value] of Object.entries(secret)) value === '' ? secretKeys.delete(key) : secretKeys.add(key)
		const { proxy = null, colour = null, ...kept } = before
		const nextProxy = draft.proxy === undefined ? proxy : draft.proxy
		const nextColour = draft.colour === undefined ? colour : draft.colour
		const after: SavedConnection = {
			...kept,
			name: draft.name ?? before.name,
			settings: plain,
			secretKeys: [...secretKeys],
			isSample: draft.isSample ?? before.isSample,
			externalAccess: draft.externalAccess ?? before.externalAccess,
			aiPolicy: draft.aiPolicy ?? before.aiPolicy,
			hiddenToolGroups: draft.hiddenToolGroups ?? before.hiddenToolGroups,
			safeMode: safeModeAfter(before, draft),
			isProduction: draft.isProduction ?? before.isProduction,
			group: draft.group ?? before.group,
			reach: draft.reach ?? before.reach,
			...(nextColour && { colour: nextColour }),
			...(nextProxy && { proxy: nextProxy }),
		}
		await this.#change(connections => connections.map(connection => (connection.id === id ? after : connection)))
		return after
	}

	/** Keeps what the person said of an address, in the place of what was said before. */
	async rememberReach(id: string, said: RememberedReach): Promise<void> {
		const others = ({ reach }: SavedConnection) => reach.filter(one => !isSameAddress(one, said))
		await this.#change(connections =>
			connections.map(saved => (saved.id === id ? { ...saved, reach: [...others(saved), said] } : saved)),
		)
	}

	/** One more of it, with its secrets, behind it in the list. */
	async duplicate(id: string): Promise<SavedConnection> {
		const original = this.get(id)
		const copy: SavedConnection = {
			...original,
			id: randomUUID(),
			name: this.#freeName(`${original.name} copy`),
			createdAt: new Date().toISOString(),
		}
		const revealed = await this.reveal(original)
		await this.#storeSecrets(copy.id, Object.fromEntries(original.secretKeys.map(key => [key, String(revealed[key])])))
		await this.#change(connections =>
			connections.flatMap(connection => (connection.id === id ? [connection, copy] : [connection])),
		)
		return copy
	}

	/** @throws HostError `connection/…` where one does not fit its form, or brings a secret: then none is added */
	async import(drafts: readonly (readonly [ConnectionDraft, Manifest])[]): Promise<readonly SavedConnection[]> {
		for (const [{ name, settings }, { form }] of drafts) {
			const [secret] = Object.keys(split(form, settings).secret)
			if (secret === undefined) continue
			throw connectionErrors.make('import_unfit', { reason: `"${name}" holds a secret, ${secret}.` })
		}
		const imported: SavedConnection[] = []
		for (const [draft, manifest] of drafts) {
			imported.push(await this.#add({ ...draft, name: this.#freeName(draft.name) }, manifest))
		}
		return imported
	}

	#freeName(name: string): string {
		const taken = new Set(this.list().map(connection => connection.name))
		for (let number = 1; ; number++) {
			const free = number === 1 ? name : `${name} ${number}`
			if (!taken.has(free)) return free
		}
	}

	/** Puts it before another in the list; at the end where that is not there. */
	async move(id: string, before: string | null): Promise<void> {
		const moved = this.get(id)
		await this.#change(connections => {
			const others = connections.filter(connection => connection.id !== id)
			const place = others.findIndex(connection => connection.id === before)
			return others.toSpliced(place < 0 ? others.length : place, 0, moved)
		})
	}

	async remove(id: string): Promise<void> {
		const connection = this.get(id)
		await this.#store.narrow(file => ({ ...file, connections: file.connections.filter(other => other.id !== id) }))
		for (const key of connection.secretKeys) await this.#secrets.delete(`${id}/${key}`)
	}

	/** The settings with the secrets filled in, as the driver gets them. */
	async reveal(connection: SavedConnection): Promise<Settings> {
		const settings: Record<string, Settings[string]> = { ...connection.settings }
		for (const key of connection.secretKeys) {
			const secret = await this.#secrets.get(`${connection.id}/${key}`)
			if (secret === undefined) throw connectionErrors.make('secret_lost', { name: connection.name, field: key })
			settings[key] = secret
		}
		return settings
	}

	/** Secrets and connections are two files; a kill between the two leaves a secret that nobody asks for any more. */
	async #forgetStrays(): Promise<void> {
		const known = new Set(this.list().flatMap(({ id, secretKeys }) => secretKeys.map(key => `${id}/${key}`)))
		const strays = (this.#secrets.keys?.() ?? []).filter(key => !known.has(key))
		// One that cannot be taken away now is taken away at another start.
		for (const key of strays) await this.#secrets.delete(key).catch(() => {})
	}

	/** What is stricter than before holds first, whatever becomes of the rest. */
	async #narrowPolicy(before: SavedConnection, draft: ConnectionChanges): Promise<void> {
		const { id, externalAccess, aiPolicy, safeMode, hiddenToolGroups } = before
		const narrower = {
			safeMode: stricter(safeModeByStrictness, safeMode, safeModeAfter(before, draft)),
			externalAccess: stricter(externalAccessByStrictness, externalAccess, draft.externalAccess),
			aiPolicy: stricter(aiPolicyByStrictness, aiPolicy, draft.aiPolicy),
			hiddenToolGroups: union(hiddenToolGroups, draft.hiddenToolGroups),
		}
		const isSame = narrower.externalAccess === externalAccess && narrower.aiPolicy === aiPolicy
		const hidesNoMore = narrower.hiddenToolGroups.length === hiddenToolGroups.length
		if (isSame && hidesNoMore && narrower.safeMode === safeMode) return
		await this.#store.narrow(file => ({
			...file,
			connections: file.connections.map(saved => (saved.id === id ? { ...saved, ...narrower } : saved)),
		}))
	}

	async #storeSecrets(id: string, secrets: Readonly<Record<string, string>>): Promise<void> {
		for (const [key, value] of Object.entries(secrets)) {
			if (value === '') await this.#secrets.delete(`${id}/${key}`)
			else await this.#secrets.set(`${id}/${key}`, value)
		}
	}

	async #change(change: (connections: SavedConnection[]) => SavedConnection[]): Promise<void> {
		await this.#store.update(file => ({ ...file, connections: change(file.connections) }))
	}
}

/** What becomes production asks from then on, unless the person says otherwise in the same breath. */
function safeModeAfter(before: SavedConnection, { safeMode, isProduction }: ConnectionChanges) {
	if (safeMode !== undefined) return safeMode
	return isProduction && !before.isProduction && before.safeMode === 'free' ? 'ask' : before.safeMode
}

/** The first of the two in a list that begins with what allows the least. */
function stricter<T>(levels: readonly T[], before: T, after: T | undefined): T {
	return after !== undefined && levels.indexOf(after) < levels.indexOf(before) ? after : before
}

function union(before: readonly ToolGroup[], more: readonly ToolGroup[] = []): ToolGroup[] {
	return [...new Set([...before, ...more])]
}

/** Checks the values against the form and parts the secret ones from the others. */
function split(form: readonly FormField[], settings: Settings) {
	const plain: Record<string, Settings[string]> = {}
	const secret: Record<string, string> = {}
	for (const [key, value] of Object.entries(settings)) {
		const field = form.find(field => field.key === key)
		if (!field) throw connectionErrors.make('setting_invalid', { field: key, reason: 'the form has no such field' })
		if (field.type === 'secret') secret[key] = String(value)
		else plain[key] = checkValue(field, value)
	}
	return { plain, secret }
}

/** A field that is needed, shown and without a default has a value. */
function requireWhole(form: readonly FormField[], settings: Settings): void {
	const isMissing = (field: FormField) =>
		field.required && isShown(form, settings, field) && shownValue(form, settings, field.key) === ''
	const missing = form.find(isMissing)
	if (missing) throw connectionErrors.make('setting_invalid', { field: missing.label, reason: 'it is empty' })
}

function checkValue(field: FormField, value: Settings[string]): Settings[string] {
	const refuse = (reason: string) => connectionErrors.make('setting_invalid', { field: field.label, reason })
	switch (field.type) {
		case 'number': {
			// An empty text would count as 0.
			const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
			if (typeof number !== 'number' || !Number.isFinite(number)) throw refuse('it is not a number')
			return number
		}
		case 'switch':
			if (value === true || value === 'true') return true
			if (value === false || value === 'false') return false
			throw refuse('it is on or off: true or false')
		case 'select':
			if (field.options?.some(option => option.value === value)) return value
			throw refuse(`it is one of: ${field.options?.map(option => option.value).join(', ')}`)
		default:
			if (field.required && value === '') throw refuse('it is empty')
			return String(value)
	}
}
