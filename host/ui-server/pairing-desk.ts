import type { Pairing, Tokens } from '../mcp/index.ts'

type Grant = Parameters<Pairing['approve']>[1]
type Asked = ReturnType<Pairing['begin']>

/** Opens an address that a program named for its answer; the person has seen it. */
export type OpenAddress = (address: string) => Promise<void>

/**
 * Where a pairing meets the person: a window is opened for it where none is, and a yes is taken to the program.
 */
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

	/** Says yes. @returns the code for the person to copy, where the program named no address for it */
	async approve(id: string, grant: Grant): Promise<{ readonly code: string | null }> {
		const { code, redirect } = this.#pairing.approve(id, grant)
		if (redirect === undefined) return { code }
		await this.#openAddress(redirect)
		return { code: null }
	}

	/** Says no. Nothing is opened for it: who refuses a link has not agreed to go where it leads. */
	refuse(id: string): void {
		this.#pairing.refuse(id)
	}

	/** @throws HostError `pairing/code_invalid`, `pairing/verifier_wrong` */
	exchange(code: string, verifier: string): ReturnType<Tokens['create']> {
		return this.#pairing.exchange(code, verifier)
	}
}
