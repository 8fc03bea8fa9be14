import type { Pairing, Tokens } from '../mcp/index.ts'

type Grant = Parameters<Pairing['approve']>[1]
type Asked = ReturnType<Pairing['begin']>

/** Opens the address that a program gave for its answer; the user has seen it. */
export type OpenAddress = (address: string) => Promise<void>

/** Pairings for the user: opens a window if none is open, and delivers an approval to the program. */
export class PairingDesk {
	readonly #pairing: Pairing
	readonly #openAddress: OpenAddress
	readonly #ensureWindow: () => Promise<boolean>

	constructor(pairing: Pairing, openAddress: OpenAddress, ensureWindow: () => Promise<boolean>) {
		this.#pairing = pairing
		this.#openAddress = openAddress
		this.#ensureWindow = ensureWindow
	}

	onChange(listener: () => void): void {
		this.#pairing.onChange(listener)
	}

	pending(): readonly Asked[] {
		return this.#pairing.pending()
	}

	/** @throws HostError `pairing/link_invalid`, `pairing/too_many` */
	async begin(link: string): Promise<Asked> {
		const asked = this.#pairing.begin(this.#pairing.parseLink(link))
		// Without a window the command line can answer.
		await this.#ensureWindow()
		return asked
	}

	/** Approves. @returns the code for the user to copy, if the program gave no address */
	async approve(id: string, grant: Grant): Promise<{ readonly code: string | null }> {
		const { code, redirect } = this.#pairing.approve(id, grant)
		if (redirect === undefined) return { code }
		await this.#openAddress(redirect)
		return { code: null }
	}

	/** Refuses. Nothing is opened: a user who refuses a link has not agreed to its destination. */
	refuse(id: string): void {
		this.#pairing.refuse(id)
	}

	/** @throws HostError `pairing/code_invalid`, `pairing/verifier_wrong` */
	exchange(code: string, verifier: string): ReturnType<Tokens['create']> {
		return this.#pairing.exchange(code, verifier)
	}
}
