/** How the window finds a host that was restarted (host/ui-server/returns.ts). */

export interface ReconnectInfo {
	readonly key: string
	/** Ports to try if another program took the port. */
	readonly ports: readonly number[]
}

const pollMs = 1000
/** A program that took the port may never answer. */
const patienceMs = 3000

const base64url = (bytes: Uint8Array) =>
	btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, sign => ({ '+': '-', '/': '_' })[sign] ?? '')

async function sign(key: string, text: string): Promise<string> {
	const bytes = new TextEncoder()
	const hmac = { name: 'HMAC', hash: 'SHA-256' }
	const secret = await crypto.subtle.importKey('raw', bytes.encode(key), hmac, false, ['sign'])
	return base64url(new Uint8Array(await crypto.subtle.sign('HMAC', secret, bytes.encode(text))))
}

/** Asks without the cookie, because another program may have taken the port. */
async function ask(origin: string, query: URLSearchParams): Promise<Record<string, unknown>> {
	const signal = AbortSignal.timeout(patienceMs)
	const response = await fetch(`${origin}/return?${query}`, { credentials: 'omit', redirect: 'error', signal })
	if (!response.ok) throw new Error('not our host')
	return response.json()
}

/** Returns a ticket that works once. @throws Error if no host there knows the key */
async function proofFor(origin: string, port: string, key: string): Promise<URLSearchParams> {
	const nonce = base64url(crypto.getRandomValues(new Uint8Array(32)))
	const { challenge, proof } = await ask(origin, new URLSearchParams({ nonce }))
	if (proof !== (await sign(key, `host ${port} ${nonce} ${challenge}`))) throw new Error('not our host')
	return new URLSearchParams({
		challenge: String(challenge),
		answer: await sign(key, `window ${port} ${challenge}`),
	})
}

/** At its own port the window gets a new cookie and stays as it is. */
async function tryOwnPort({ key }: ReconnectInfo): Promise<undefined> {
	const { ticket } = await ask('', await proofFor('', location.port, key))
	const entered = await fetch(`enter?ticket=${ticket}`)
	if (!entered.ok) throw new Error('not accepted')
}

/** At another port the connection is enough to learn the window's new address. */
async function tryPort({ key }: ReconnectInfo, port: number): Promise<URL> {
	return new URL(`ws://127.0.0.1:${port}/return?${await proofFor(`http://127.0.0.1:${port}`, String(port), key)}`)
}

/** Resolves when the host accepts this window again. @returns the address of its connection, if it changed */
export async function returnToHost(way: ReconnectInfo): Promise<URL | undefined> {
	for (;;) {
		await new Promise(resolve => setTimeout(resolve, pollMs))
		try {
			return await Promise.any([tryOwnPort(way), ...way.ports.map(port => tryPort(way, port))])
		} catch {
			// The new host does not listen yet.
		}
	}
}
