import { createHash, randomUUID } from 'node:crypto'
import { isFileText, isShown, shownValue, withShownDefaults } from '@roundhouse/kit/form'
import type { FormField, Manifest, Settings } from '@roundhouse/kit/manifest'
import type { ToolGroup } from '@roundhouse/kit/tool-groups'
import { z } from 'zod'
import { JsonStore } from '../../base/json-store.ts'
import { isSameAddress } from '../network/address.ts'
import {
	type ConnectionChanges,
	type ConnectionDraft,
	changedFields,
	type HiddenColumn,
	isAmong,
	newFields,
	type SavedConnection,
	savedConnectionSchema,
	strictness,
} from './connection-fields.ts'
import { connectionErrors } from './errors.ts'
import type { SecretSource } from './secret-sources/secret-source.ts'
import type { SecretStore } from './secrets.ts'

const fileSchema = z.object({ version: z.literal(1), connections: z.array(savedConnectionSchema) })
type ConnectionsFile = z.infer<typeof fileSchema>

/** Under the key of its secret: the command that the user agreed to on this machine. Keys of fields have no space. */
const agreedSuffix = ' command'

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')
/** The key of an agreement has no slash, so that it is not one of a connection. */
const projectKey = (folder: string) => `project ${digestOf(folder)}`

/** Keys of fields have no space. */
const passphraseKey = (id: string, question: string) => `${id}/ssh ${digestOf(question)}`

type Sources = Readonly<Record<string, SecretSource>>

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
		await saved.#deleteOrphanedSecrets()
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

	onChange(listener: () => void): Disposable {
		return this.#store.onChange(listener)
	}

	/** @throws HostError `connection/setting_invalid` with the name of the field */
	async add(draft: ConnectionDraft, manifest: Manifest): Promise<SavedConnection> {
		if (!draft.isSample) requireComplete(manifest.form, draft)
		return this.#add(draft, manifest)
	}

	async #add(draft: ConnectionDraft, manifest: Manifest): Promise<SavedConnection> {
		const id = randomUUID()
		const { plain, secret } = split(manifest.form, withShownDefaults(manifest.form, draft.settings))
		checkSources(manifest.form, draft.secretSources)
		await this.#storeSecrets(id, secret)
		await this.agree(id, draft.secretSources)
		const connection: SavedConnection = {
			id,
			name: draft.name,
			driverId: draft.driverId,
			settings: plain,
			secretKeys: Object.keys(secret).filter(key => secret[key] !== ''),
			...newFields(draft),
			createdAt: new Date().toISOString(),
		}
		await this.#change(connections => [...connections, connection])
		return connection
	}

	/**
	 * Changes the fields of the draft. A missing secret stays, an empty one is removed.
	 * @throws HostError `connection/setting_invalid`; `file/not_kept`: then a stricter policy applies and nothing else
	 * changed
	 */
	async update(id: string, draft: ConnectionChanges, manifest: Manifest): Promise<SavedConnection> {
		await this.#narrowPolicy(this.get(id), draft)
		// Defaults are applied only when the user saves the form, so that an update does not change what a connection
		// reaches.
		const settings = draft.settings ? withShownDefaults(manifest.form, draft.settings) : this.get(id).settings
		const { plain, secret } = split(manifest.form, settings)
		// A path replaces a stored text.
		for (const key of this.get(id).secretKeys) if (plain[key]) secret[key] = ''
		const sources = draft.secretSources ?? this.get(id).secretSources
		checkSources(manifest.form, draft.secretSources)
		for (const key of Object.keys(sources)) secret[key] = ''
		const isOtherSecret = await this.#renewSecretsVersion(id, secret)
		const before = this.get(id)
		await this.#storeSecrets(id, secret)
		await this.agree(id, draft.secretSources)
		await this.#forgetCommands(id, Object.keys(before.secretSources), sources)
		const secretKeys = new Set(before.secretKeys)
		for (const [key, value] of Object.entries(secret)) value === '' ? secretKeys.delete(key) : secretKeys.add(key)
		const after: SavedConnection = {
			...changedFields(before, {
				...draft,
				safeMode: safeModeAfter(before, draft),
				// The same address behind another tunnel is another machine.
				...(isOtherTunnel(before, draft) && { reach: [] }),
			}),
			name: draft.name ?? before.name,
			settings: plain,
			secretKeys: [...secretKeys],
			// Changed a second time, because a session may have been opened with the old secret meanwhile.
			...(isOtherSecret && { secretsVersion: randomUUID() }),
		}
		await this.#change(connections => connections.map(connection => (connection.id === id ? after : connection)))
		return after
	}

	/**
	 * Hides columns from AI clients, and shows others to them again. Sessions stay open: the marks are read at each call.
	 * @throws HostError `file/not_kept`: then what was to be hidden is hidden, and nothing is shown
	 */
	async hideColumns(
		id: string,
		{ hide, show }: { readonly hide: readonly HiddenColumn[]; readonly show: readonly HiddenColumn[] },
	): Promise<SavedConnection> {
		const marked =
			(change: (marks: readonly HiddenColumn[]) => HiddenColumn[]) => (connections: readonly SavedConnection[]) =>
				connections.map(saved => (saved.id === id ? { ...saved, hiddenColumns: change(saved.hiddenColumns) } : saved))
		this.get(id)
		if (hide.length > 0) {
			const hidden = marked(marks => withMarks(marks, hide))
			await this.#store.narrow(file => ({ ...file, connections: hidden(file.connections) }))
		}
		const counted = hide.filter(({ mayCount }) => mayCount)
		if (counted.length > 0)
			await this.#change(
				marked(marks => marks.map(mark => (isAmong(counted, mark) ? { ...mark, mayCount: true } : mark))),
			)
		if (show.length > 0) await this.#change(marked(marks => marks.filter(mark => !isAmong(show, mark))))
		return this.get(id)
	}

	/** Stores the user's answer for an address and replaces an earlier answer. */
	async rememberReach(id: string, answer: SavedConnection['reach'][number]): Promise<void> {
		const others = ({ reach }: SavedConnection) => reach.filter(one => !isSameAddress(one, answer))
		await this.#change(connections =>
			connections.map(saved => (saved.id === id ? { ...saved, reach: [...others(saved), answer] } : saved)),
		)
	}

	/** Copies a connection with its secrets. The copy follows the original in the list. */
	async duplicate(id: string): Promise<SavedConnection> {
		const original = this.get(id)
		// The file of a project has one of each, and passphrases were remembered for the original.
		const { project: _, passphrases: __, ...rest } = original
		const copy: SavedConnection = {
			...rest,
			id: randomUUID(),
			name: this.#freeName(`${original.name} copy`),
			createdAt: new Date().toISOString(),
		}
		const revealed = await this.reveal(original)
		await this.#storeSecrets(copy.id, Object.fromEntries(original.secretKeys.map(key => [key, String(revealed[key])])))
		for (const [key, source] of Object.entries(original.secretSources))
			if (source.from === 'command' && (await this.agreedCommand(id, key)) === source.command)
				await this.agree(copy.id, { [key]: source })
		await this.#change(connections =>
			connections.flatMap(connection => (connection.id === id ? [connection, copy] : [connection])),
		)
		return copy
	}

	/**
	 * Adds all connections. Only a user allows secrets in them.
	 * @throws HostError `connection/…` if one does not fit its form, or contains a secret that is not allowed
	 */
	async import(
		drafts: readonly (readonly [ConnectionDraft, Manifest])[],
		{ takesSecrets = false } = {},
	): Promise<readonly SavedConnection[]> {
		for (const [{ name, settings }, { form }] of drafts) {
			const [secret] = Object.keys(split(form, settings).secret)
			if (secret === undefined || takesSecrets) continue
			throw connectionErrors.make('import_unfit', { reason: `"${name}" contains a secret, ${secret}.` })
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

	/** Notes that a project's file has the connection. */
	async join(id: string, project: NonNullable<SavedConnection['project']>): Promise<void> {
		await this.#change(connections => connections.map(saved => (saved.id === id ? { ...saved, project } : saved)))
	}

	/** Returns what the user agreed to of a project, as `agreeToProject` stored it. */
	agreedProject(folder: string): Promise<string | undefined> {
		return this.#secrets.get(projectKey(folder))
	}

	/** Stores what the user agreed to of a project. In the secret store no other file changes it. */
	agreeToProject(folder: string, agreed: string): Promise<void> {
		return this.#secrets.set(projectKey(folder), agreed)
	}

	/** Moves a connection before another one in the list, or to the end if that one does not exist. */
	async move(id: string, before: string | null): Promise<void> {
		const moved = this.get(id)
		await this.#change(connections => {
			const others = connections.filter(connection => connection.id !== id)
			const index = others.findIndex(connection => connection.id === before)
			return others.toSpliced(index < 0 ? others.length : index, 0, moved)
		})
	}

	async remove(id: string): Promise<void> {
		const connection = this.get(id)
		await this.#store.narrow(file => ({ ...file, connections: file.connections.filter(other => other.id !== id) }))
		for (const key of connection.secretKeys) await this.#secrets.delete(`${id}/${key}`)
		await this.#forgetCommands(id, Object.keys(connection.secretSources))
		for (const question of connection.passphrases ?? []) await this.#secrets.delete(passphraseKey(id, question))
	}

	/** Returns the passphrase that the user let this machine remember for a question of `ssh`. */
	async passphrase(id: string, question: string): Promise<string | undefined> {
		const isKept = this.find(id)?.passphrases?.includes(question)
		return isKept ? this.#secrets.get(passphraseKey(id, question)) : undefined
	}

	/** Stores a passphrase, because the user said so. */
	async rememberPassphrase(id: string, question: string, passphrase: string): Promise<void> {
		if (!this.find(id)) return
		// Noted first, so that no passphrase is stored that the connection does not name.
		await this.#notePassphrases(id, kept => [...kept.filter(other => other !== question), question])
		await this.#secrets.set(passphraseKey(id, question), passphrase)
	}

	/** Removes a passphrase that was refused, or all of a connection. */
	async forgetPassphrases(id: string, question?: string): Promise<void> {
		const all = this.find(id)?.passphrases ?? []
		const gone = question === undefined ? all : all.filter(other => other === question)
		if (gone.length === 0) return
		for (const one of gone) await this.#secrets.delete(passphraseKey(id, one))
		await this.#notePassphrases(id, kept => kept.filter(other => !gone.includes(other)))
	}

	#notePassphrases(id: string, change: (kept: readonly string[]) => string[]): Promise<void> {
		return this.#change(connections =>
			connections.map(saved => (saved.id === id ? { ...saved, passphrases: change(saved.passphrases ?? []) } : saved)),
		)
	}

	/** Returns the command that the user agreed to as the source of a secret, on this machine. */
	agreedCommand(id: string, key: string): Promise<string | undefined> {
		return this.#secrets.get(`${id}/${key}${agreedSuffix}`)
	}

	/** Stores that the user agrees to the commands among the sources. In the secret store no other file changes it. */
	async agree(id: string, sources: Sources = {}): Promise<void> {
		for (const [key, source] of Object.entries(sources))
			if (source.from === 'command') await this.#secrets.set(`${id}/${key}${agreedSuffix}`, source.command)
	}

	async #forgetCommands(id: string, keys: readonly string[], left: Sources = {}): Promise<void> {
		for (const key of keys) if (left[key]?.from !== 'command') await this.#secrets.delete(`${id}/${key}${agreedSuffix}`)
	}

	/** Returns the settings with the secrets, for the driver. */
	async reveal(connection: SavedConnection): Promise<Settings> {
		const settings: Record<string, Settings[string]> = { ...connection.settings }
		for (const key of connection.secretKeys) {
			const secret = await this.#secrets.get(`${connection.id}/${key}`)
			if (secret === undefined) throw connectionErrors.make('secret_lost', { name: connection.name, field: key })
			settings[key] = secret
		}
		return settings
	}

	/**
	 * Deletes secrets without a connection. Secrets and connections are two files, and the host may be killed between two
	 * writes.
	 */
	async #deleteOrphanedSecrets(): Promise<void> {
		const known = new Set(
			this.list().flatMap(({ id, secretKeys, secretSources, passphrases = [] }) => [
				...passphrases.map(question => passphraseKey(id, question)),
				...secretKeys.map(key => `${id}/${key}`),
				...Object.keys(secretSources).map(key => `${id}/${key}${agreedSuffix}`),
			]),
		)
		// A secret without a slash is not one of a connection.
		const orphans = (this.#secrets.keys?.() ?? []).filter(key => key.includes('/') && !known.has(key))
		// A secret that cannot be deleted now is deleted at a later start.
		for (const key of orphans) await this.#secrets.delete(key).catch(() => {})
	}

	/** Applies stricter policies first, so that they hold even if a later write fails. */
	async #narrowPolicy(before: SavedConnection, draft: ConnectionChanges): Promise<void> {
		const { id, externalAccess, aiPolicy, safeMode, hiddenToolGroups, mostChangedRows, hiddenColumns } = before
		const narrower = {
			safeMode: stricter(strictness.safeMode, safeMode, safeModeAfter(before, draft)),
			externalAccess: stricter(strictness.externalAccess, externalAccess, draft.externalAccess),
			aiPolicy: stricter(strictness.aiPolicy, aiPolicy, draft.aiPolicy),
			hiddenToolGroups: union(hiddenToolGroups, draft.hiddenToolGroups),
			hiddenColumns: withMarks(hiddenColumns, draft.hiddenColumns),
			mostChangedRows: Math.min(mostChangedRows, draft.mostChangedRows ?? mostChangedRows),
		}
		const isSame = narrower.externalAccess === externalAccess && narrower.aiPolicy === aiPolicy
		const hidesNoMore =
			narrower.hiddenToolGroups.length === hiddenToolGroups.length &&
			JSON.stringify(narrower.hiddenColumns) === JSON.stringify(hiddenColumns)
		const isBoundSame = narrower.mostChangedRows === mostChangedRows
		if (isSame && hidesNoMore && isBoundSame && narrower.safeMode === safeMode) return
		await this.#store.narrow(file => ({
			...file,
			connections: file.connections.map(saved => (saved.id === id ? { ...saved, ...narrower } : saved)),
		}))
	}

	/**
	 * Changes the version of the secrets before the new ones are stored, which ends sessions and consent for the old
	 * ones. Returns whether a value differs.
	 */
	async #renewSecretsVersion(id: string, secrets: Readonly<Record<string, string>>): Promise<boolean> {
		const { secretKeys } = this.get(id)
		const stored = (key: string) => (secretKeys.includes(key) ? this.#secrets.get(`${id}/${key}`) : undefined)
		const isSame = async ([key, value]: [string, string]) => ((await stored(key)) ?? '') === value
		const compared = await Promise.all(Object.entries(secrets).map(isSame))
		if (compared.every(same => same)) return false
		const secretsVersion = randomUUID()
		await this.#change(connections =>
			connections.map(connection => (connection.id === id ? { ...connection, secretsVersion } : connection)),
		)
		return true
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

/**
 * Returns the safe mode after a change. A connection that becomes production asks, unless the same change sets a safe
 * mode.
 */
function safeModeAfter(before: SavedConnection, { safeMode, isProduction }: ConnectionChanges) {
	if (safeMode !== undefined) return safeMode
	return isProduction && !before.isProduction && before.safeMode === 'free' ? 'ask' : before.safeMode
}

/** Returns the stricter level. @param levels all levels, strictest first */
function stricter<T>(levels: readonly T[], before: T, after: T | undefined): T {
	return after !== undefined && levels.indexOf(after) < levels.indexOf(before) ? after : before
}

/** Returns marks with others, each once. */
function withMarks(marks: readonly HiddenColumn[], more: readonly HiddenColumn[] = []): HiddenColumn[] {
	const all = marks.map(mark => (isAmong(more, mark) && !isCounted(more, mark) ? withoutCount(mark) : mark))
	for (const mark of more) if (!isAmong(all, mark)) all.push(mark)
	return all
}

const withoutCount = ({ table, column }: HiddenColumn): HiddenColumn => ({ table, column })
const isCounted = (marks: readonly HiddenColumn[], mark: HiddenColumn) =>
	isAmong(
		marks.filter(({ mayCount }) => mayCount),
		mark,
	)

function union(before: readonly ToolGroup[], more: readonly ToolGroup[] = []): ToolGroup[] {
	return [...new Set([...before, ...more])]
}

/** Checks the values against the form and separates the secrets. */
export function split(form: readonly FormField[], settings: Settings) {
	const plain: Record<string, Settings[string]> = {}
	const secret: Record<string, string> = {}
	for (const [key, value] of Object.entries(settings)) {
		const field = form.find(field => field.key === key)
		if (!field) throw connectionErrors.make('setting_invalid', { field: key, reason: 'the form has no such field' })
		if (field.type === 'secret' || isFileText(field, value)) secret[key] = String(value)
		else plain[key] = checkValue(field, value)
	}
	return { plain, secret }
}

/** Throws if a source is for no secret of the form, or reads a file that the field does not name. */
function checkSources(form: readonly FormField[], sources: Sources = {}): void {
	for (const [key, source] of Object.entries(sources)) {
		const field = form.find(field => field.key === key)
		const refuse = (reason: string) => connectionErrors.make('setting_invalid', { field: field?.label ?? key, reason })
		if (field?.type !== 'secret') throw refuse('it is no secret')
		if (source.from === 'file' && !field.passwordFiles?.includes(source.format))
			throw refuse(`it is not read from ${source.format}`)
	}
}

/** Throws if a required and visible field without a default has no value. */
function requireComplete(form: readonly FormField[], { settings, secretSources = {} }: ConnectionDraft): void {
	const isMissing = (field: FormField) =>
		field.required &&
		!secretSources[field.key] &&
		isShown(form, settings, field) &&
		shownValue(form, settings, field.key) === ''
	const missing = form.find(isMissing)
	if (missing) throw connectionErrors.make('setting_invalid', { field: missing.label, reason: 'it is empty' })
}

function checkValue(field: FormField, value: Settings[string]): Settings[string] {
	const refuse = (reason: string) => connectionErrors.make('setting_invalid', { field: field.label, reason })
	switch (field.type) {
		case 'number': {
			// `Number('')` is 0.
			const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
			if (typeof number !== 'number' || !Number.isFinite(number)) throw refuse('it is not a number')
			return number
		}
		case 'switch':
			if (value === true || value === 'true') return true
			if (value === false || value === 'false') return false
			throw refuse('it must be true or false')
		case 'select':
			if (field.options?.some(option => option.value === value)) return value
			throw refuse(`it must be one of: ${field.options?.map(option => option.value).join(', ')}`)
		default:
			if (field.required && value === '') throw refuse('it is empty')
			return String(value)
	}
}

const isOtherTunnel = (before: SavedConnection, { ssh }: ConnectionChanges) =>
	ssh !== undefined && JSON.stringify(ssh ?? undefined) !== JSON.stringify(before.ssh)
