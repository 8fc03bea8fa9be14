import { createHash, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { Emitter } from '../../base/emitter.ts'
import { JsonStore } from '../../base/json-store.ts'
import { offerErrors } from './errors.ts'
import type { OpenRequest } from './saved-requests.ts'

/** A parameter for `{{name}}` that a client passes. Names are valid for every client. */
export const offerParameterSchema = z.strictObject({
	name: z
		.string()
		.regex(/^[A-Za-z0-9_.-]{1,64}$/, 'AI clients take letters, digits, dots, dashes and underscores.')
		// Members of every object are never missing in a call, and no schema lists them.
		.refine(name => !(name in {}), 'This name means something else to programs. Give it another one.'),
	type: z.enum(['text', 'number', 'integer', 'boolean', 'choice']),
	description: z.string().trim().min(1, 'Say what each parameter is for.').max(300),
	/** The options of a choice. */
	choices: z.array(z.string().min(1).max(200)).max(50).optional(),
	/** As typed; without a default the client must pass it. */
	default: z.string().max(1_000).optional(),
})
export type OfferParameter = Readonly<z.infer<typeof offerParameterSchema>>

export const offeredToolSchema = z.strictObject({
	name: z
		.string()
		.regex(/^[a-z][a-z0-9_]{2,59}$/, 'A tool is called like daily_errors: small letters, digits, underscores.'),
	description: z.string().trim().min(1, 'Say what the tool does.').max(500),
	parameters: z.array(offerParameterSchema).max(20),
})
export type OfferedTool = Readonly<z.infer<typeof offeredToolSchema>>

const offerSchema = offeredToolSchema.extend({
	id: z.string(),
	connectionId: z.string(),
	place: z.enum(['own', 'shared']),
	path: z.string(),
	/** The driver's verdict on the request when it was offered. */
	access: z.enum(['read', 'write']),
	/** Of the offered text. */
	digest: z.string(),
	offeredAt: z.iso.datetime(),
})
export type RequestOffer = Readonly<z.infer<typeof offerSchema>>
const fileSchema = z.object({ version: z.literal(1), offers: z.array(offerSchema) })
type OffersFile = z.infer<typeof fileSchema>

export type OfferedFile = Pick<RequestOffer, 'connectionId' | 'place' | 'path'>

/**
 * Which saved requests are tools of AI clients. An offer is stored in the support directory and not with the request,
 * because Git and other people write a shared folder and must not offer anything. It is valid for the text that the
 * user offered; while the file has another text it is suspended.
 */
export class RequestOffers {
	readonly #store: JsonStore<OffersFile>
	readonly #read: (file: OfferedFile) => Promise<Pick<OpenRequest, 'text'>>
	readonly #changed = new Emitter<null>()
	readonly onChange = this.#changed.on
	/** Offers whose file had the offered text at the last check. */
	#live: ReadonlySet<string> = new Set()

	private constructor(store: JsonStore<OffersFile>, read: (file: OfferedFile) => Promise<Pick<OpenRequest, 'text'>>) {
		this.#store = store
		this.#read = read
		// A withdrawn offer is gone before that is written.
		store.onChange(() => this.#changed.fire(null))
	}

	static async open(
		path: string,
		read: (file: OfferedFile) => Promise<Pick<OpenRequest, 'text'>>,
	): Promise<RequestOffers> {
		return new RequestOffers(await JsonStore.open(path, fileSchema, { version: 1, offers: [] }), read)
	}

	/** All offers, including suspended ones. */
	all(): readonly RequestOffer[] {
		return this.#store.value.offers
	}

	hasAny(): boolean {
		return this.all().length > 0
	}

	/** Offers that AI clients get, as of the last check. */
	list(): readonly RequestOffer[] {
		return this.all().filter(({ id }) => this.#live.has(id))
	}

	/** Checks the files again, because other programs write them. */
	async look(): Promise<void> {
		const looked = await Promise.all(this.all().map(async offer => ((await this.textOf(offer.id)) ? [offer.id] : [])))
		const live = new Set(looked.flat())
		const isSame = live.size === this.#live.size && [...live].every(id => this.#live.has(id))
		this.#live = live
		if (!isSame) this.#changed.fire(null)
	}

	/** Returns the offered text, read just now; `undefined` if the file differs or is gone. */
	async textOf(id: string): Promise<string | undefined> {
		const offer = this.all().find(offer => offer.id === id)
		const text = offer && (await this.#read(offer).catch(() => undefined))?.text
		return text !== undefined && digestOf(text) === offer?.digest ? text : undefined
	}

	/** Offers a request, in place of an earlier offer. @throws HostError `offer/name_taken` */
	async offer(
		file: OfferedFile,
		tool: OfferedTool,
		{ text, access }: { readonly text: string; readonly access: RequestOffer['access'] },
	): Promise<void> {
		const offer = {
			...fileOf(file),
			...tool,
			id: randomUUID(),
			access,
			digest: digestOf(text),
			offeredAt: new Date().toISOString(),
		}
		await this.#change(offers => {
			const others = offers.filter(other => !isOf(other, file))
			if (others.some(({ name }) => name === tool.name)) throw offerErrors.make('name_taken', { name: tool.name })
			return [...others, offer]
		})
	}

	async withdraw(file: OfferedFile): Promise<void> {
		await this.#store.narrow(kept => ({ ...kept, offers: kept.offers.filter(offer => !isOf(offer, file)) }))
		await this.look()
	}

	/** Keeps offers when a request or its folder is renamed. */
	async moved({ connectionId, place, path }: OfferedFile, to: string): Promise<void> {
		const next = (at: string) => (at === path ? to : at.startsWith(`${path}/`) ? to + at.slice(path.length) : at)
		// A shared file belongs to all connections.
		const isMoved = (offer: RequestOffer) =>
			offer.place === place &&
			(place === 'shared' || offer.connectionId === connectionId) &&
			next(offer.path) !== offer.path
		if (!this.all().some(isMoved)) return
		await this.#change(offers => offers.map(offer => (isMoved(offer) ? { ...offer, path: next(offer.path) } : offer)))
	}

	/** Removes the offers of connections that no longer exist. */
	async forget(isThere: (connection: string) => boolean): Promise<void> {
		if (this.all().every(({ connectionId }) => isThere(connectionId))) return
		await this.#store.narrow(kept => ({
			...kept,
			offers: kept.offers.filter(({ connectionId }) => isThere(connectionId)),
		}))
		await this.look()
	}

	async #change(change: (offers: RequestOffer[]) => RequestOffer[]): Promise<void> {
		await this.#store.update(kept => ({ ...kept, offers: change(kept.offers) }))
		await this.look()
	}
}

function isOf(offer: RequestOffer, { connectionId, place, path }: OfferedFile): boolean {
	return offer.connectionId === connectionId && offer.place === place && offer.path === path
}

function fileOf({ connectionId, place, path }: OfferedFile): OfferedFile {
	return { connectionId, place, path }
}

/** As stored: editors change the end of a text without changing the request. */
function digestOf(text: string): string {
	return createHash('sha256').update(text.trimEnd()).digest('hex')
}
