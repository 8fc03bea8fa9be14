import { createHash, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { Emitter } from '../base/emitter.ts'
import { JsonStore } from '../base/json-store.ts'
import { offerErrors } from './errors.ts'
import type { OpenRequest, RequestPlace } from './saved-requests.ts'

/** A parameter that a client gives, in the place of `{{name}}`. Names are those that every client takes. */
export const offerParameterSchema = z.strictObject({
	name: z
		.string()
		.regex(/^[A-Za-z0-9_.-]{1,64}$/, 'AI clients take letters, digits, dots, dashes and underscores.')
		// What every object has is never left out of a call, and no schema lists it.
		.refine(name => !(name in {}), 'This name means something else to programs. Give it another one.'),
	type: z.enum(['text', 'number', 'integer', 'boolean', 'choice']),
	description: z.string().trim().min(1, 'Say what each parameter is for.').max(300),
	/** What it may be, for a choice. */
	choices: z.array(z.string().min(1).max(200)).max(50).optional(),
	/** As it is spelt; without one the client must give it. */
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
	/** Of the text that it was offered with. */
	digest: z.string(),
	offeredAt: z.iso.datetime(),
})
export type RequestOffer = Readonly<z.infer<typeof offerSchema>>
const fileSchema = z.object({ version: z.literal(1), offers: z.array(offerSchema) })
type OffersFile = z.infer<typeof fileSchema>

/** Whose request it is, and where it lies. */
export type OfferedFile = Pick<RequestOffer, 'connectionId' | 'place' | 'path'>

/**
 * Which saved requests are tools of AI clients. An offer lies in the support directory and not with the request: a shared
 * folder is written by Git and by others, who offer nothing. It holds for the one text that the person offered; where the
 * file has another by now it is withdrawn, and holds again once that text is back.
 */
export class RequestOffers {
	readonly #store: JsonStore<OffersFile>
	readonly #read: (file: OfferedFile) => Promise<Pick<OpenRequest, 'text'>>
	readonly #changed = new Emitter<null>()
	readonly onChange = this.#changed.on
	/** Those whose text was the one that was offered, when it was last looked. */
	#live: ReadonlySet<string> = new Set()

	private constructor(store: JsonStore<OffersFile>, read: (file: OfferedFile) => Promise<Pick<OpenRequest, 'text'>>) {
		this.#store = store
		this.#read = read
		// What is taken away is gone before it is written.
		store.onChange(() => this.#changed.fire(null))
	}

	static async open(
		path: string,
		read: (file: OfferedFile) => Promise<Pick<OpenRequest, 'text'>>,
	): Promise<RequestOffers> {
		return new RequestOffers(await JsonStore.open(path, fileSchema, { version: 1, offers: [] }), read)
	}

	/** All that were offered, also those whose request is another by now. */
	all(): readonly RequestOffer[] {
		return this.#store.value.offers
	}

	hasAny(): boolean {
		return this.all().length > 0
	}

	/** Those that AI clients get, as it was last looked. */
	list(): readonly RequestOffer[] {
		return this.all().filter(({ id }) => this.#live.has(id))
	}

	/** Looks at the files anew: programs that are not ours write them. */
	async look(): Promise<void> {
		const looked = await Promise.all(this.all().map(async offer => ((await this.textOf(offer.id)) ? [offer.id] : [])))
		const live = new Set(looked.flat())
		const isSame = live.size === this.#live.size && [...live].every(id => this.#live.has(id))
		this.#live = live
		if (!isSame) this.#changed.fire(null)
	}

	/** The text that was offered, read just now; `undefined` where the file holds another, or is gone. */
	async textOf(id: string): Promise<string | undefined> {
		const offer = this.all().find(offer => offer.id === id)
		const text = offer && (await this.#read(offer).catch(() => undefined))?.text
		return text !== undefined && digestOf(text) === offer?.digest ? text : undefined
	}

	/** Offers a request, in the place of what was offered of it before. @throws HostError `offer/name_taken` */
	async offer(file: OfferedFile, tool: OfferedTool, text: string, access: RequestOffer['access']): Promise<void> {
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

	/** Takes an offer back. */
	async withdraw(file: OfferedFile): Promise<void> {
		await this.#store.narrow(kept => ({ ...kept, offers: kept.offers.filter(offer => !isOf(offer, file)) }))
		await this.look()
	}

	/** The request, or the folder that it lies in, has another name: what was offered stays so. */
	async moved(place: RequestPlace, path: string, to: string, connectionId: string): Promise<void> {
		const next = (at: string) => (at === path ? to : at.startsWith(`${path}/`) ? to + at.slice(path.length) : at)
		// A shared file is one for all connections.
		const isMoved = (offer: RequestOffer) =>
			offer.place === place &&
			(place === 'shared' || offer.connectionId === connectionId) &&
			next(offer.path) !== offer.path
		if (!this.all().some(isMoved)) return
		await this.#change(offers => offers.map(offer => (isMoved(offer) ? { ...offer, path: next(offer.path) } : offer)))
	}

	/** Lets go of what was offered on connections that are there no more. */
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

/** As a file keeps it: what editors do to the end of a text changes no request. */
function digestOf(text: string): string {
	return createHash('sha256').update(text.trimEnd()).digest('hex')
}
