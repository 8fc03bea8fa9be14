import { Pool } from 'undici'

/** The driver's HTTP client without any other code, as the baseline of its benchmark. */
export class BareClient {
	readonly #pool: Pool

	constructor(url: string) {
		this.#pool = new Pool(url, { connections: 16 })
	}

	async post(path: string, body: string): Promise<string> {
		const headers = { 'content-type': 'application/json' }
		const answer = await this.#pool.request({ method: 'POST', path, headers, body })
		return answer.body.text()
	}

	close(): Promise<void> {
		return this.#pool.close()
	}
}
