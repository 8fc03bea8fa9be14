import type { FormField, Manifest, Settings } from '@roundhouse/kit/manifest'
import { messageOf } from '../../../base/errors.ts'
import { rememberSecret } from '../../../base/redaction.ts'
import type { SavedConnection } from '../connection-fields.ts'
import { connectionErrors } from '../errors.ts'
import type { SavedConnections } from '../saved-connections.ts'
import { passwordOfFile } from './password-file.ts'
import { CommandFault, runCommand } from './run-command.ts'
import type { CommandSource } from './secret-source.ts'

/** A question about a command to the user, or a sentence. Drivers and AI clients see neither. */
export interface SecretQuestion {
	readonly kind: 'secret'
	/** `agree`: whether this command may run on this machine. `fault`: why it gave no secret. */
	readonly form: 'agree' | 'fault'
	readonly command: string
	/** What the command said. */
	readonly text: string
	/** Label of the field. */
	readonly field: string
	readonly connection: { readonly id: string; readonly name: string; readonly driverId: string }
}

export interface SecretDesk {
	ask(
		question: SecretQuestion,
		signal: AbortSignal,
	): Promise<{ readonly decision: 'approved' | 'refused' | 'unattended' }>
}

/** A saved connection, or one that the user tries before saving it: then the user has just written its sources. */
export type SourcedConnection = Pick<SavedConnection, 'name' | 'driverId' | 'secretSources'> & { readonly id?: string }

interface Kept {
	readonly command: string
	readonly secret: string
	readonly until: number
}

interface SecretSourcesOptions {
	readonly saved: Pick<SavedConnections, 'agreedCommand' | 'agree'>
	readonly desk: SecretDesk
	readonly now?: () => number
}

interface SecretRequest {
	readonly connection: SourcedConnection
	readonly field: FormField
	readonly source: CommandSource
	/** Whether the user has written the sources in the form just now. */
	readonly isTrial: boolean
}

/**
 * Reads secrets from where they are at each use: the output of a command, a variable of the environment, or a file in
 * which the engine's clients find passwords. A command runs only if the user wrote it into the form of this machine, or
 * agreed to it: the file of connections may come from elsewhere.
 */
export class SecretSources {
	readonly #options: SecretSourcesOptions
	readonly #now: () => number
	/** Outputs by the connection's id and the field. */
	readonly #kept = new Map<string, Map<string, Kept>>()

	constructor(options: SecretSourcesOptions) {
		this.#options = options
		this.#now = options.now ?? Date.now
	}

	/**
	 * Returns the settings with the secrets that the connection's sources give.
	 * @throws HostError `connection/secret_command`, `connection/secret_not_agreed`, `connection/secret_not_found`
	 */
	async read(
		connection: SourcedConnection,
		{ form }: Pick<Manifest, 'form'>,
		settings: Settings,
		{ signal, isTrial = false }: { readonly signal: AbortSignal; readonly isTrial?: boolean },
	): Promise<Settings> {
		const read: Record<string, Settings[string]> = { ...settings }
		for (const [key, source] of Object.entries(connection.secretSources)) {
			const field = form.find(field => field.key === key)
			if (!field) continue
			const missing = (reason: string) =>
				connectionErrors.make('secret_not_found', { field: field.label, name: connection.name, reason })
			let secret: string | undefined
			if (source.from === 'environment') {
				secret = process.env[source.name]
				if (!secret) throw missing(`the environment variable ${source.name} is not set`)
			} else if (source.from === 'file') {
				secret = await passwordOfFile(source.format, form, settings).catch(error => {
					throw missing(messageOf(error))
				})
			} else secret = await this.#ofCommand({ connection, field, source, isTrial }, signal)
			rememberSecret(secret, connection.id)
			read[key] = secret
		}
		return read
	}

	/** Forgets what commands printed for a connection, for example because the server refused it. */
	forget(connectionId: string): void {
		this.#kept.delete(connectionId)
	}

	async #ofCommand(asked: SecretRequest, signal: AbortSignal): Promise<string> {
		const { connection, field, source, isTrial } = asked
		const { command, keptMinutes } = source
		const { id } = connection
		const kept = id === undefined ? undefined : this.#kept.get(id)?.get(field.key)
		if (kept?.command === command && this.#now() < kept.until) return kept.secret
		if (!isTrial) await this.#requireAgreement(asked, signal)
		const secret = await runCommand(command, signal).catch(error => {
			if (!(error instanceof CommandFault)) throw error
			void this.#ask(asked, { form: 'fault', text: messageOf(error) }, new AbortController().signal)
			throw connectionErrors.make('secret_command', { field: field.label, name: connection.name })
		})
		if (id !== undefined && !isTrial) {
			const outputs = this.#kept.get(id) ?? new Map<string, Kept>()
			this.#kept.set(id, outputs.set(field.key, { command, secret, until: this.#now() + keptMinutes * 60_000 }))
		}
		return secret
	}

	async #requireAgreement(asked: SecretRequest, signal: AbortSignal): Promise<void> {
		const { connection, field, source } = asked
		const { id = '', name } = connection
		if ((await this.#options.saved.agreedCommand(id, field.key)) === source.command) return
		const { decision } = await this.#ask(asked, { form: 'agree', text: '' }, signal)
		signal.throwIfAborted()
		if (decision !== 'approved') throw connectionErrors.make('secret_not_agreed', { field: field.label, name })
		await this.#options.saved.agree(id, { [field.key]: source })
	}

	#ask({ connection, field, source }: SecretRequest, said: Pick<SecretQuestion, 'form' | 'text'>, signal: AbortSignal) {
		const { id = '', name, driverId } = connection
		const { command } = source
		const about = { id, name, driverId }
		return this.#options.desk.ask({ kind: 'secret', ...said, command, field: field.label, connection: about }, signal)
	}
}
